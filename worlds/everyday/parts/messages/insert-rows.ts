/** Inserts the rows of texts and posts directly into tables. */
import type { Writer } from "bowline/world";
import { posts } from "../../apps/messages/tables.ts";
import { texts } from "../../apps/tables.ts";
import { ANY_TIME } from "../contacts/contacts-and-messages.ts";

export function insertText(
  db: Writer,
  person: number,
  text: string,
  replyTo: number | null = null,
): void {
  const flags = { outgoing: true, reaction: null, starred: false, unread: false };
  db.insert(texts, { person, text, replyTo, ...flags, at: ANY_TIME });
}

export function insertPost(
  db: Writer,
  chat: number,
  text: string,
  replyTo: number | null = null,
): void {
  const flags = { pinned: false, withdrawn: false, unread: false };
  db.insert(posts, { chat, person: null, text, replyTo, ...flags, at: ANY_TIME });
}
