/**
 * Decides what each role may do in a chat. All members may read, vote and answer. Admins may also add and remove
 * people, pin posts and close polls. The chat's owner may also appoint admins, rename the chat and hand the chat over.
 * When a role does not allow a call, the error is a 403 that names the role that is needed.
 */

import { refuseUnless, rowByName, shortTextParam, type ViewContext } from "bowline/resources";
import type { Reader } from "bowline/world";
import { handleOf, requireRow } from "../shared.ts";
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

export const chatParam = shortTextParam("name of the chat");

/** Returns the rank of a role. A lower rank has more rights. */
const roleRank = (role: ChatRole) => ["owner", "admin", "member", "removed"].indexOf(role);

/**
 * Returns the chat with this name. Throws a 404 when there is none and a 403 when the owner's role in it is below
 * `needed`.
 */
export function requireChat(db: Reader, name: string, needed: ChatRole): Chat {
  return requireRole(rowByName(db, chats, name, "chat"), needed, "chat");
}

function requireRole(chat: Chat, needed: ChatRole, param: string): Chat {
  const actual = chat.role === "removed" ? "the owner has left it" : `the owner is ${chat.role}`;
  const expected = needed === "member" ? "a chat that the owner is in" : `the role of ${needed}`;
  const message = `${param}: expected ${expected} in "${chat.name}", ${actual}`;
  refuseUnless(roleRank(chat.role) <= roleRank(needed), 403, message);
  return chat;
}

/**
 * Returns a post of a chat in which the owner has at least the role `needed`. Throws a 409 when the post was withdrawn.
 */
export function requirePost(db: Reader, id: number, needed: ChatRole): Post {
  const row = requireRow(db, posts, id, "post");
  requireRole(requireRow(db, chats, row.chat, "chat"), needed, "id");
  refuseUnless(!row.withdrawn, 409, `id: post ${id} was withdrawn`);
  return row;
}

export function requireChatById(db: Reader, id: number, needed: ChatRole): Chat {
  return requireRole(requireRow(db, chats, id, "chat"), needed, "id");
}

/** Throws a 403 when the chat is for announcements and the owner is not an admin of it. */
export function requireRightToPost(chat: Chat, param: string): void {
  if (chat.announcements) requireRole(chat, "admin", param);
}

export function presentMembers(db: Reader, chat: Chat): readonly ChatMember[] {
  return db.where(chatMembers, { chat: chat.id }).filter(({ role }) => role !== "removed");
}

/** Returns the row of a person who is in the chat, or throws a 404. */
export function requireMember(db: Reader, chat: Chat, person: Person): ChatMember {
  const [row] = db.where(chatMembers, { chat: chat.id, person: person.id });
  const missing = `person: "${person.handle}" is not in "${chat.name}"`;
  refuseUnless(row && row.role !== "removed", 404, missing);
  return row;
}

/** Throws a 409 that names the member's role when it is not `role`. */
export function requireMemberRole(db: Reader, row: ChatMember, role: ChatRole): void {
  const handle = handleOf(db, row.person);
  const message = `person: expected someone with role ${role}, "${handle}" is ${row.role}`;
  refuseUnless(row.role === role, 409, message);
}

/** Returns the handle of an author, or "owner" for null, which stands for the owner. */
export function authorName(db: Reader, person: number | null): string {
  return person === null ? "owner" : handleOf(db, person);
}

/** Returns the ids of the chats that the owner is in. */
export function joinedChatIds(db: Reader): ReadonlySet<number> {
  return new Set(db.all(chats).flatMap(({ id, role }) => (role === "removed" ? [] : [id])));
}

/** A filter of posts or polls by their chat. */
export const chatFilter = [
  chatParam,
  (name: string, { db }: ViewContext) => ({ chat: requireChat(db, name, "member").id }),
] as const;
