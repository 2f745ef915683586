/**
 * Who may do what in a chat. Everybody inside reads, votes and answers; admins add people, put members out, pin and
 * close polls; the chat's owner also names admins, renames it and hands it over. A refusal is a 403 that says which.
 */

import { type Look, line, must, named } from "bowline/resources";
import type { Reader } from "bowline/world";
import { handleOf, rowBy } from "../shared.ts";
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
  const came = chat.role === "removed" ? "the owner has left it" : `the owner is ${chat.role}`;
  const expected = needed === "member" ? "a chat that the owner is in" : `the role of ${needed}`;
  const refusal = `${param}: expected ${expected} in "${chat.name}", ${came}`;
  must(rank(chat.role) <= rank(needed), 403, refusal);
  return chat;
}

/** A post in a chat in which the owner has the role; a withdrawn one is a 409. */
export function postBy(db: Reader, id: number, needed: ChatRole): Post {
  const row = rowBy(db, posts, id, "post");
  withRole(rowBy(db, chats, row.chat, "chat"), needed, "id");
  must(!row.withdrawn, 409, `id: post ${id} was withdrawn`);
  return row;
}

export function chatOf(db: Reader, id: number, needed: ChatRole): Chat {
  return withRole(rowBy(db, chats, id, "chat"), needed, "id");
}

/** Where announcements are made, only the owner and admins post. */
export function expectVoice(chat: Chat, param: string): void {
  if (chat.announcements) withRole(chat, "admin", param);
}

export function present(db: Reader, chat: Chat): readonly ChatMember[] {
  return db.where(chatMembers, { chat: chat.id }).filter(({ role }) => role !== "removed");
}

/** Someone who is in the chat; a 404 for others. */
export function memberBy(db: Reader, chat: Chat, person: Person): ChatMember {
  const [row] = db.where(chatMembers, { chat: chat.id, person: person.id });
  const missing = `person: "${person.handle}" is not in "${chat.name}"`;
  must(row && row.role !== "removed", 404, missing);
  return row;
}

/** A 409 with the role that came. */
export function expectRole(db: Reader, row: ChatMember, role: ChatRole): void {
  const who = handleOf(db, row.person);
  const refusal = `person: expected someone with role ${role}, "${who}" is ${row.role}`;
  must(row.role === role, 409, refusal);
}

/** Null is the owner. */
export function authorOf(db: Reader, person: number | null): string {
  return person === null ? "owner" : handleOf(db, person);
}

/** Ids of the chats that the owner is in. */
export function insideIds(db: Reader): ReadonlySet<number> {
  return new Set(db.all(chats).flatMap(({ id, role }) => (role === "removed" ? [] : [id])));
}

/** A filter of what stands in chats. */
export const inChat = [
  chatParam,
  (name: string, { db }: Look) => ({ chat: chatBy(db, name, "member").id }),
] as const;
