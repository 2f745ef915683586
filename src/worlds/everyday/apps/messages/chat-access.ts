/**
 * Who may do what in a chat. Everybody inside reads, votes and answers; admins add people, put members out, pin and
 * close polls; the chat's owner also names admins, renames it and hands it over. A refusal is a 403 that says which.
 */
import { ApiError, type Reader } from "../../../../world/index.ts";
import { handleOf, line, named, rowBy } from "../shared.ts";
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
  if (rank(chat.role) <= rank(needed)) return chat;
  const came = chat.role === "removed" ? "the owner has left it" : `the owner is ${chat.role}`;
  const expected = needed === "member" ? "a chat that the owner is in" : `the role of ${needed}`;
  throw new ApiError(403, `${param}: expected ${expected} in "${chat.name}", ${came}`);
}

/** A post in a chat in which the owner has the role; a withdrawn one is a 409. */
export function postBy(db: Reader, id: number, needed: ChatRole): Post {
  const row = rowBy(db, posts, id, "post");
  withRole(rowBy(db, chats, row.chat, "chat"), needed, "id");
  if (!row.withdrawn) return row;
  throw new ApiError(409, `id: post ${id} was withdrawn`);
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
  if (row && row.role !== "removed") return row;
  throw new ApiError(404, `person: "${person.handle}" is not in "${chat.name}"`);
}

/** A 409 with the role that came. */
export function expectRole(db: Reader, row: ChatMember, role: ChatRole): void {
  if (row.role === role) return;
  const who = handleOf(db, row.person);
  throw new ApiError(409, `person: expected someone with role ${role}, "${who}" is ${row.role}`);
}

/** Null is the owner. */
export function authorOf(db: Reader, person: number | null): string {
  return person === null ? "owner" : handleOf(db, person);
}
