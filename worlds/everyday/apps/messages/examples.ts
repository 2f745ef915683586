/** Rows that the examples of the documentation take from the start state. Nothing here throws on an empty one. */
import { newestFirst } from "bowline/resources";
import type { Reader } from "bowline/world";
import { someHandle, someone } from "../shared.ts";
import { people, type Text, texts } from "../tables.ts";
import {
  type Chat,
  type ChatRole,
  chatMembers,
  chats,
  conversations,
  type Poll,
  type Post,
  polls,
  posts,
  votes,
} from "./tables.ts";

/** The id of the newest received message that fits. */
export function received(db: Reader, fits: (row: Text) => boolean = () => true): number {
  const rows = newestFirst(db.where(texts, { outgoing: false }));
  const open = rows.filter((row) => db.get(people, row.person)?.blocked === false);
  return (open.find(fits) ?? open[0])?.id ?? 1;
}

/** The id of the newest sent message. */
export function sentOne(db: Reader): number {
  return newestFirst(db.where(texts, { outgoing: true }))[0]?.id ?? 1;
}

/** A person whose conversation has a flag or not. */
export function kept(db: Reader, flag: "pinned" | "muted" | "archived", wanted: boolean): string {
  const flagged = (person: number) => db.where(conversations, { person })[0]?.[flag] ?? false;
  const known = db.where(people, { blocked: false });
  const writers = new Set(db.all(texts).map(({ person }) => person));
  const fitting = known.find(({ id }) => writers.has(id) && flagged(id) === wanted);
  return (fitting ?? known[0])?.handle ?? "amara.o";
}

// --- group chats ---

/** The first chat with this role and more. */
export function someChat(
  db: Reader,
  role: ChatRole = "owner",
  fits: (row: Chat) => boolean = () => true,
): Chat | undefined {
  return db.where(chats, { role }).find(fits);
}

export function chatName(db: Reader, role?: ChatRole, fits?: (row: Chat) => boolean): string {
  return someChat(db, role, fits)?.name ?? "team blue";
}

/** The first own chat and someone in it with this role. */
export function withMember(db: Reader, role: ChatRole): { chat: string; person: string } {
  for (const chat of db.where(chats, { role: "owner" })) {
    const [member] = db.where(chatMembers, { chat: chat.id, role });
    const person = member && db.get(people, member.person);
    if (person) return { chat: chat.name, person: person.handle };
  }
  return { chat: chatName(db), person: someone(db) };
}

/** The first own chat and someone who never was in it. */
export function withStranger(db: Reader): { chat: string; person: string } {
  const chat = someChat(db);
  const inside = db.where(chatMembers, { chat: chat?.id ?? 0 }).map(({ person }) => person);
  return { chat: chatName(db), person: someHandle(db, ({ id }) => !inside.includes(id)) };
}

/** The newest post that fits, in a chat where the owner may do anything. */
export function postId(db: Reader, fits: (row: Post) => boolean = () => true): number {
  const own = new Set(db.where(chats, { role: "owner" }).map(({ id }) => id));
  const rows = newestFirst(db.all(posts)).filter((row) => own.has(row.chat) && !row.withdrawn);
  return rows.find(fits)?.id ?? 1;
}

/** An open poll in a chat where the owner may do anything. */
export function pollOf(db: Reader, fits: (row: Poll) => boolean = () => true) {
  const own = new Set(db.where(chats, { role: "owner" }).map(({ id }) => id));
  const poll = db.all(polls).find((row) => own.has(row.chat) && !row.closed && fits(row));
  return { id: poll?.id ?? 1, choice: poll?.choices[0] ?? "yes" };
}

export function voted(db: Reader, poll: Poll): boolean {
  return db.where(votes, { poll: poll.id, person: null }).length > 0;
}
