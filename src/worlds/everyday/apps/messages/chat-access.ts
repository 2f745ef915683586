/**
 * Who may do what in a chat. Everybody inside reads, votes and answers; admins add people, put members out, pin and
 * close polls; the chat's owner also names admins, renames it and hands it over. A refusal is a 403 that says which.
 */
import { z } from "zod";
import { type Look, must, type Reader, rowById } from "../../../../world/index.ts";
import { handleOf, line, named } from "../shared.ts";
import type { Person } from "../tables.ts";
import {
  type Chat,
  type ChatMember,
  type ChatRole,
  chatMembers,
  chats,
  type Post,
  posts,
} from "./tables.ts";

export const chatParam = line("name of the chat");

/** What a role may do: the lower the more. */
const rank = (role: ChatRole) => ["owner", "admin", "member", "removed"].indexOf(role);

/** The chat, if the owner's role in it is at least `needed`. */
export function chatBy(db: Reader, name: string, needed: ChatRole): Chat {
  return withRole(named(db, chats, name, "chat"), needed, "chat");
}

function withRole(chat: Chat, needed: ChatRole, param: string): Chat {
  must(rank(chat.role) <= rank(needed), 403, () => {
    const came = chat.role === "removed" ? "the owner has left it" : `the owner is ${chat.role}`;
    const expected = needed === "member" ? "a chat that the owner is in" : `the role of ${needed}`;
    return `${param}: expected ${expected} in "${chat.name}", ${came}`;
  });
  return chat;
}

/** A post in a chat in which the owner has the role; a withdrawn one is a 409. */
export function postBy(db: Reader, id: number, needed: ChatRole): Post {
  const row = rowById(db, posts, id, { noun: "post" });
  chatOf(db, row.chat, needed);
  must(!row.withdrawn, 409, `id: post ${id} was withdrawn`);
  return row;
}

export function chatOf(db: Reader, id: number, needed: ChatRole): Chat {
  return withRole(rowById(db, chats, id, { noun: "chat" }), needed, "id");
}

/** Whether the owner has not left the chat. */
export function isIn(db: Reader, chat: number): boolean {
  return db.get(chats, chat)?.role !== "removed";
}

/** Where announcements are made, only the owner and admins post. */
export function expectVoice(chat: Chat, param: string): void {
  if (chat.announcements) withRole(chat, "admin", param);
}

/** Someone who is in the chat; a 404 for others. */
export function memberBy(db: Reader, chat: Chat, person: Person): ChatMember {
  const [row] = db.where(chatMembers, { chat: chat.id, person: person.id });
  const inside = row && row.role !== "removed";
  must(inside, 404, `person: "${person.handle}" is not in "${chat.name}"`);
  return row;
}

/** A filter of lists: rows of the chat of this name, in which the owner must be. */
export const inChat = [
  chatParam,
  (name: string, { db }: Look) => ({ chat: chatBy(db, name, "member").id }),
] as const;

/** Fields of an item: the chat, and who wrote it. */
export const chatTitle = [
  z.string(),
  ({ chat }: { readonly chat: number }, { db }: Look) => db.get(chats, chat)?.name ?? "removed",
] as const;
export const author = [
  z.string().describe('a handle, or "owner"'),
  ({ person }: { readonly person: number | null }, { db }: Look) => authorOf(db, person),
] as const;

/** Null is the owner. */
export function authorOf(db: Reader, person: number | null): string {
  return person === null ? "owner" : handleOf(db, person);
}
