/** Conversations: all that went to and fro with one person, and how the owner keeps it (pinned, muted, archived). */
import { z } from "zod";
import {
  defineApi,
  either,
  factsOf,
  itemOf,
  type Look,
  listOf,
  must,
  type Reader,
  resource,
  when,
  where,
} from "../../../../world/index.ts";
import {
  contains,
  day,
  dayOf,
  handle,
  handleOf,
  newestFirst,
  ofPerson,
  personBy,
  query,
  theirHandle,
} from "../shared.ts";
import { type Text, texts } from "../tables.ts";
import { isIn } from "./chat-access.ts";
import { kept, received } from "./examples.ts";
import { type Conversation, conversations, posts } from "./tables.ts";

type Flags = Omit<Conversation, "id" | "person">;
const { of: flagsOf, set: setFlags } = factsOf<Conversation, "person">(conversations, "person", {
  pinned: false,
  muted: false,
  archived: false,
});

const flag = (name: keyof Flags) =>
  [z.boolean(), ({ person }: Text, { db }: Look) => flagsOf(db, person)[name]] as const;

const unreadOf = (db: Reader, person: number) =>
  db.where(texts, { person, outgoing: false, unread: true });

/** With whom. */
const other = {
  keys: { with: handle("the other person") },
  find: ({ with: came }: { readonly with: string }, { db }: Look) => personBy(db, came, "with"),
};

/** Each conversation is the newest text in it. */
const threads = resource({
  table: texts,
  noun: "conversation",
  item: itemOf(texts, {
    with: theirHandle,
    last: [z.string(), ({ text }) => text],
    day: [z.string(), ({ at }) => dayOf(at)],
    messages: [z.int(), ({ person }, { db }) => db.where(texts, { person }).length],
    unread: [z.int(), ({ person }, { db }) => unreadOf(db, person).length],
    pinned: flag("pinned"),
    muted: flag("muted"),
    archived: flag("archived"),
  }),
  keys: other.keys,
  find: (args, look) => {
    const { id: person, handle } = other.find(args, look);
    const [newest] = newestFirst(look.db.where(texts, { person }));
    must(newest, 404, `with: there is no conversation with "${handle}"`);
    return newest;
  },
  save: (row, patch: Partial<Flags>, db) => {
    setFlags(db, row.person, patch);
    return row;
  },
});

/** The newest text of each person, the newest of all first. */
function newestOfEach(db: Reader): Text[] {
  const byPerson = new Map<number, Text>();
  for (const row of newestFirst(db.all(texts)))
    if (!byPerson.has(row.person)) byPerson.set(row.person, row);
  return [...byPerson.values()];
}

const flagged = (name: keyof Flags) =>
  [
    either(`only ${name} ones, or only others`),
    when(({ person }: Text, { db }) => flagsOf(db, person)[name]),
  ] as const;

/** Sets one flag; a 409 when it is so already. */
const keep = (name: keyof Flags, value: boolean) => ({
  unless: ({ person }: Text, _: unknown, { db }: Look) => {
    const came = () => `with: "${handleOf(db, person)}" is ${value ? "already" : "not"} ${name}`;
    must(flagsOf(db, person)[name] !== value, 409, came);
  },
  set: { [name]: value },
  example: (db: Reader) => ({ with: kept(db, name, !value) }),
});

const message = { text: z.string(), id: z.int() };
const moment = {
  day: [z.string(), ({ at }: Text) => dayOf(at)],
  time: [z.string(), ({ at }: Text) => at.slice(11, 16)],
} as const;

export const threadApis = {
  conversations: threads.list("List conversations with their last message, the newest first.", {
    rows: (_, { db }) => newestOfEach(db),
    filters: {
      unread: [
        either("only with unread messages, or only without"),
        when(({ person }, { db }) => unreadOf(db, person).length > 0),
      ],
      pinned: flagged("pinned"),
      muted: flagged("muted"),
      archived: flagged("archived"),
    },
    example: { unread: true },
  }),
  conversation: listOf(
    itemOf(texts, {
      ...message,
      by: [z.enum(["owner", "other"]), ({ outgoing }) => (outgoing ? "owner" : "other")],
      ...moment,
    }),
    "Show what went to and fro with someone, newest first.",
    {
      of: [other, "person"],
      order: newestFirst,
      example: (db) => ({ with: kept(db, "pinned", false) }),
    },
    texts,
  ),
  history: listOf(
    itemOf(texts, { ...message, from: theirHandle, ...moment }),
    "List received messages with day and time, newest first.",
    {
      rows: { outgoing: false },
      filters: {
        from: ofPerson("only from this person", "from"),
        after: [day("only after this day"), where(({ at }, day) => dayOf(at) > day)],
        before: [day("only before this day"), where(({ at }, day) => dayOf(at) < day)],
        query: [query, where(({ text }, query) => contains(text, query))],
      },
      order: newestFirst,
      example: { after: "2026-03-05" },
    },
    texts,
  ),
  pin: threads.change("Pin the conversation with someone.", keep("pinned", true)),
  unpin: threads.change("Unpin the conversation with someone.", keep("pinned", false)),
  mute: threads.change("Mute the conversation with someone.", keep("muted", true)),
  unmute: threads.change("Unmute the conversation with someone.", keep("muted", false)),
  archive: threads.change("Archive the conversation with someone.", keep("archived", true)),
  unarchive: threads.change(
    "Take the conversation with someone out of the archive.",
    keep("archived", false),
  ),
  readAll: threads.act("Mark all messages from someone as read.", {
    run: ({ person }, _, { db }) => {
      for (const { id } of unreadOf(db, person)) db.update(texts, id, { unread: false });
    },
    example: (db) => ({ with: handleOf(db, db.get(texts, received(db))?.person ?? 1) }),
  }),
  unread: defineApi({
    summary: "Count unread messages, the people who sent them, and unread posts in chats.",
    params: z.strictObject({}),
    returns: z.strictObject({ messages: z.int(), people: z.int(), posts: z.int() }),
    example: () => ({}),
    handler: ({ db }) => {
      const waiting = db.where(texts, { outgoing: false, unread: true });
      return {
        messages: waiting.length,
        people: new Set(waiting.map(({ person }) => person)).size,
        posts: db.where(posts, { unread: true }).filter(({ chat }) => isIn(db, chat)).length,
      };
    },
  }),
};
