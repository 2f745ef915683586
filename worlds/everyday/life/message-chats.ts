/**
 * Adds group chats: one for each of many happenings, in which its people make plans, and one for some of the groups of
 * contacts.
 *
 * The host of a happening owns its chat. Most chats have a poll.
 */
import type { Rng, Writer } from "bowline/world";
import {
  type Chat,
  type ChatRole,
  chatMembers,
  chats,
  polls,
  posts,
  votes,
} from "../apps/messages/tables.ts";
import { groups, members } from "../apps/tables.ts";
import { NOW } from "../population/time.ts";
import type { Happening, Life } from "./life.ts";
import { makePaidSentence, makeStartSentence } from "./message-lines.ts";

const SMALL_TALK = [
  "Who is driving?",
  "I can bring a cake.",
  "Is there parking nearby?",
  "I might be a little late.",
  "Looking forward to it!",
  "Do we need to book?",
  "The weather looks fine.",
  "Can somebody bring cups?",
  "I am in.",
  "Same place as last time?",
] as const;

const QUESTIONS = [
  ["Which day suits you best?", ["Friday", "Saturday", "Sunday"]],
  ["Where shall we eat?", ["outside", "at the station", "at home"]],
  ["When do we leave?", ["8:00", "9:30", "11:00"]],
  ["What shall we bring?", ["bread", "fruit", "cheese", "drinks"]],
  ["How do we get there?", ["train", "car", "bicycle"]],
] as const;

export function addChats(db: Writer, rng: Rng, life: Life): void {
  for (const [i, happening] of life.happenings.entries()) {
    const own = rng.child(i);
    if (!own.chance(0.4 * Math.min(2, life.density))) continue;
    const role = happening.host === null ? "owner" : own.chance(0.35) ? "admin" : "member";
    const people = happening.people.map(({ id }) => id);
    const name = `${happening.place} ${happening.kind}`;
    const chat = addChat(db, own, name, own.chance(0.06) ? "removed" : role, people);
    addPosts(db, own, chat, people, happening);
  }
  for (const { id: group, name } of db.all(groups)) {
    const own = rng.child(name);
    if (name !== "family" && !own.chance(0.45)) continue;
    const people = db.where(members, { group }).map(({ person }) => person);
    const role = name === "family" ? "owner" : own.pick(["owner", "admin", "member"] as const);
    addPosts(db, own, addChat(db, own, name, role, people), people);
  }
  addRecentPost(db);
}

/** Adds a chat. When it does not belong to the owner, it belongs to the first of the people. */
function addChat(
  db: Writer,
  rng: Rng,
  name: string,
  role: ChatRole,
  people: readonly number[],
): Chat {
  const announcements = role !== "removed" && rng.chance(0.15);
  const chat = db.insert(chats, { name, role, announcements, muted: rng.chance(0.2) });
  for (const [i, person] of people.entries()) {
    const first = i === 0 && role !== "owner" ? "owner" : undefined;
    const second = i === 1 && rng.chance(0.5) ? "admin" : undefined;
    const last = i === people.length - 1 && i > 2 && rng.chance(0.15) ? "removed" : undefined;
    db.insert(chatMembers, { chat: chat.id, person, role: first ?? second ?? last ?? "member" });
  }
  return chat;
}

/** Adds the posts of a chat, a few hours apart. The last one is before the start of the episode. */
function addPosts(
  db: Writer,
  rng: Rng,
  chat: Chat,
  people: readonly number[],
  happening?: Happening,
): void {
  const lines: [number | null, string][] = rng
    .sample(SMALL_TALK, rng.integer(2, 4))
    .map((text) => [rng.chance(0.25) ? null : rng.pick(people), text]);
  if (happening) {
    lines.unshift([happening.host?.id ?? null, makeStartSentence(rng, happening)]);
    for (const cost of happening.costs) {
      lines.push([cost.payer?.id ?? null, makePaidSentence(rng, happening, cost)]);
    }
  }
  let hours = rng.integer(3, 9) * lines.length + rng.integer(2, 200);
  for (const [i, [person, text]] of lines.entries()) {
    hours -= i === 0 ? 0 : rng.integer(1, 3);
    const unread = person !== null && i === lines.length - 1 && rng.chance(0.18);
    const at = `${new Date(Date.parse(NOW) - hours * 3_600_000).toISOString().slice(0, 19)}Z`;
    const flags = { pinned: i === 0 && rng.chance(0.4), withdrawn: false, unread, at };
    db.insert(posts, { chat: chat.id, person, text, replyTo: null, ...flags });
  }
  if (rng.chance(0.9)) addPoll(db, rng.child("poll"), chat, people);
}

function addPoll(db: Writer, rng: Rng, chat: Chat, people: readonly number[]): void {
  const [question, choices] = rng.pick(QUESTIONS);
  const isByOwner = chat.role === "owner" || chat.role === "admin" ? rng.chance(0.5) : false;
  const poll = db.insert(polls, {
    chat: chat.id,
    person: isByOwner ? null : rng.pick(people),
    question,
    choices: [...choices],
    closed: rng.chance(0.3),
  });
  for (const person of rng.sample(people, rng.integer(1, people.length))) {
    db.insert(votes, { poll: poll.id, person, choice: rng.pick<string>(choices) });
  }
  if (rng.chance(0.4)) db.insert(votes, { poll: poll.id, person: null, choice: choices[0] });
}

/** Adds a post that was made a few minutes ago, so that it may still be withdrawn. */
function addRecentPost(db: Writer): void {
  const [chat] = db.where(chats, { name: "family" });
  if (!chat) return;
  const flags = { pinned: false, withdrawn: false, unread: false, at: "2026-03-12T08:50:00Z" };
  const text = "The doctor says all is well.";
  db.insert(posts, { chat: chat.id, person: null, text, replyTo: null, ...flags });
}
