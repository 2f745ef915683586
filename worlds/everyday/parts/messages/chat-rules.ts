/** Who is in a chat, what a role allows there, and which chats a task may name. */
import type { DrawContext } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Chat, type ChatRole, chatMembers, chats } from "../../apps/messages/tables.ts";

export const isInside = (db: Reader, chat: number) => {
  const row = db.get(chats, chat);
  return row !== undefined && row.role !== "removed";
};
export const othersIn = (db: Reader, chat: number) =>
  db.where(chatMembers, { chat }).filter(({ role }) => role !== "removed");

export const rules = (role: ChatRole | undefined) => role === "owner" || role === "admin";
export const mayPost = (row: Chat | undefined) =>
  row !== undefined && row.role !== "removed" && (!row.announcements || rules(row.role));

/** Chats whose members may be named, and with them the chat. */
export function ownChats({ db, people }: DrawContext): readonly Chat[] {
  const own = new Set(people.map(({ id }) => id));
  return db.all(chats).filter(({ id }) => {
    const inside = db.where(chatMembers, { chat: id });
    return inside.length > 0 && inside.every(({ person }) => own.has(person));
  });
}
