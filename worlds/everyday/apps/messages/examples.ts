/**
 * Finds rows of the start state for the examples of API calls. These functions throw nothing when the state is empty.
 */
import { newestFirst } from "bowline/resources";
import type { Reader } from "bowline/world";
import { exampleHandle, exampleHandleWhere } from "../shared.ts";
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

/** Returns the id of the newest received message whose sender is not blocked and for which `fits` returns true. */
export function exampleReceivedId(db: Reader, fits: (row: Text) => boolean = () => true): number {
  const rows = newestFirst(db.where(texts, { outgoing: false }));
  const answerable = rows.filter((row) => db.get(people, row.person)?.blocked === false);
  return (answerable.find(fits) ?? answerable[0])?.id ?? 1;
}

/** Returns the id of the newest sent message. */
export function exampleSentId(db: Reader): number {
  return newestFirst(db.where(texts, { outgoing: true }))[0]?.id ?? 1;
}

/** Returns the handle of a person whose conversation with the owner has the given value of the flag. */
export function exampleConversationPartner(
  db: Reader,
  flag: "pinned" | "muted" | "archived",
  wanted: boolean,
): string {
  const hasFlag = (person: number) => db.where(conversations, { person })[0]?.[flag] ?? false;
  const known = db.where(people, { blocked: false });
  const writers = new Set(db.all(texts).map(({ person }) => person));
  const fitting = known.find(({ id }) => writers.has(id) && hasFlag(id) === wanted);
  return (fitting ?? known[0])?.handle ?? "amara.o";
}

/** Returns the first chat in which the owner has this role and for which `fits` returns true. */
export function exampleChat(
  db: Reader,
  role: ChatRole = "owner",
  fits: (row: Chat) => boolean = () => true,
): Chat | undefined {
  return db.where(chats, { role }).find(fits);
}

export function exampleChatName(
  db: Reader,
  role?: ChatRole,
  fits?: (row: Chat) => boolean,
): string {
  return exampleChat(db, role, fits)?.name ?? "team blue";
}

/** Returns the owner's first chat that has a member with this role, and that member's handle. */
export function exampleChatMember(db: Reader, role: ChatRole): { chat: string; person: string } {
  for (const chat of db.where(chats, { role: "owner" })) {
    const [member] = db.where(chatMembers, { chat: chat.id, role });
    const person = member && db.get(people, member.person);
    if (person) return { chat: chat.name, person: person.handle };
  }
  return { chat: exampleChatName(db), person: exampleHandle(db) };
}

/** Returns the owner's first chat, and the handle of a contact who was never in it. */
export function exampleChatStranger(db: Reader): { chat: string; person: string } {
  const chat = exampleChat(db);
  const memberIds = db.where(chatMembers, { chat: chat?.id ?? 0 }).map(({ person }) => person);
  return {
    chat: exampleChatName(db),
    person: exampleHandleWhere(db, ({ id }) => !memberIds.includes(id)),
  };
}

/** Returns the id of the newest post, in a chat that the owner owns, for which `fits` returns true. */
export function examplePostId(db: Reader, fits: (row: Post) => boolean = () => true): number {
  const own = new Set(db.where(chats, { role: "owner" }).map(({ id }) => id));
  const rows = newestFirst(db.all(posts)).filter((row) => own.has(row.chat) && !row.withdrawn);
  return rows.find(fits)?.id ?? 1;
}

/** Returns the id of an open poll in a chat that the owner owns, and one of its choices. */
export function examplePoll(db: Reader, fits: (row: Poll) => boolean = () => true) {
  const own = new Set(db.where(chats, { role: "owner" }).map(({ id }) => id));
  const poll = db.all(polls).find((row) => own.has(row.chat) && !row.closed && fits(row));
  return { id: poll?.id ?? 1, choice: poll?.choices[0] ?? "yes" };
}

export function hasVoted(db: Reader, poll: Poll): boolean {
  return db.where(votes, { poll: poll.id, person: null }).length > 0;
}
