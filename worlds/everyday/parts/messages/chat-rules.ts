/** Says who is in a chat, what a role allows there, and which chats a task may name. */
import type { DrawContext } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Chat, type ChatRole, chatMembers, chats } from "../../apps/messages/tables.ts";

export const isOwnerInChat = (db: Reader, chat: number) => {
  const row = db.get(chats, chat);
  return row !== undefined && row.role !== "removed";
};
export const otherMembers = (db: Reader, chat: number) =>
  db.where(chatMembers, { chat }).filter(({ role }) => role !== "removed");

export const canManage = (role: ChatRole | undefined) => role === "owner" || role === "admin";
export const canPost = (row: Chat | undefined) =>
  row !== undefined && row.role !== "removed" && (!row.announcements || canManage(row.role));

/** Returns the chats that a task may name, because it may name all of their members. */
export function nameableChats({ db, people }: DrawContext): readonly Chat[] {
  const nameableIds = new Set(people.map(({ id }) => id));
  return db.all(chats).filter(({ id }) => {
    const memberRows = db.where(chatMembers, { chat: id });
    return memberRows.length > 0 && memberRows.every(({ person }) => nameableIds.has(person));
  });
}
