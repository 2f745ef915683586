/** Conversations: all that went to and fro with one person, and how the owner keeps it (pinned, muted, archived). */

import {
  contains,
  countsApi,
  day,
  either,
  factsOf,
  itemOf,
  listing,
  must,
  newestFirst,
  query,
  when,
  where,
} from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import { dayOf, handle, handleOf, ofPerson, personBy, theirHandle } from "../shared.ts";
import { type Text, texts } from "../tables.ts";
import { insideIds } from "./chat-access.ts";
import { kept, received } from "./examples.ts";
import { conversations, posts } from "./tables.ts";

const flags = factsOf(conversations, "person", { pinned: false, muted: false, archived: false });
type Flag = "pinned" | "muted" | "archived";

const person = handle("the other person");

/** Texts of one person, newest first. */
type Thread = readonly Text[];

const otherOf = (thread: Thread) => thread[0]!.person;
const waits = ({ outgoing, unread }: Text) => !outgoing && unread;
const flagged =
  (flag: Flag) =>
  (thread: Thread, { db }: { readonly db: Reader }) =>
    flags.of(db, otherOf(thread))[flag];

const threadItem = itemOf({} as { readonly row?: Thread }, {
  with: [z.string(), (thread, { db }) => handleOf(db, otherOf(thread))],
  last: [z.string(), (thread) => thread[0]!.text],
  day: [z.string(), (thread) => dayOf(thread[0]!.at)],
  messages: [z.int(), (thread) => thread.length],
  unread: [z.int(), (thread) => thread.filter(waits).length],
  pinned: [z.boolean(), flagged("pinned")],
  muted: [z.boolean(), flagged("muted")],
  archived: [z.boolean(), flagged("archived")],
});

/** All of them; that of the person with the newest text first. */
function threads(db: Reader): Thread[] {
  const byPerson = new Map<number, Text[]>();
  for (const row of newestFirst(db.all(texts))) {
    const rows = byPerson.get(row.person) ?? [];
    rows.push(row);
    byPerson.set(row.person, rows);
  }
  return [...byPerson.values()];
}

/** That with one person; a 404 where there is none. */
function threadWith(db: Reader, { id, handle }: { id: number; handle: string }): Thread {
  const rows = newestFirst(db.where(texts, { person: id }));
  must(rows.length > 0, 404, `with: there is no conversation with "${handle}"`);
  return rows;
}

const moment = {
  day: [z.string(), ({ at }: Text) => dayOf(at)],
  time: [z.string(), ({ at }: Text) => at.slice(11, 16)],
} as const;
const lineItem = itemOf(texts, {
  ...texts.fields("text", "id"),
  by: [z.enum(["owner", "other"]), ({ outgoing }) => (outgoing ? "owner" : "other")],
  ...moment,
});
const receivedItem = itemOf(texts, {
  ...texts.fields("text", "id"),
  from: theirHandle,
  ...moment,
});

/** Sets one flag; a 409 when it is so already. */
const keeper = (summary: string, flag: Flag, value: boolean) =>
  defineApi({
    summary,
    params: z.strictObject({ with: person }),
    returns: threadItem.schema,
    example: (db) => ({ with: kept(db, flag, !value) }),
    handler: (context, args) => {
      const { db } = context;
      const other = personBy(db, args.with, "with");
      const thread = threadWith(db, other);
      const news = flags.of(db, other.id)[flag] !== value;
      must(news, 409, `with: "${other.handle}" is ${value ? "already" : "not"} ${flag}`);
      flags.set(db, other.id, { [flag]: value });
      return threadItem.view(thread, context);
    },
  });

const readAll = defineApi({
  summary: "Mark all messages from someone as read.",
  params: z.strictObject({ with: person }),
  returns: threadItem.schema,
  example: (db) => ({ with: handleOf(db, db.get(texts, received(db))?.person ?? 1) }),
  handler: (context, args) => {
    const { db } = context;
    const other = personBy(db, args.with, "with");
    for (const { id } of db.where(texts, { person: other.id, outgoing: false, unread: true })) {
      db.update(texts, id, { unread: false });
    }
    return threadItem.view(threadWith(db, other), context);
  },
});

const waiting = (db: Reader) => db.where(texts, { outgoing: false, unread: true });

export const threadApis = {
  conversations: listing("List conversations with their last message, the newest first.", {
    item: threadItem,
    rows: (_, { db }) => threads(db),
    filters: {
      unread: [
        either("only with unread messages, or only without"),
        when((thread) => thread.some(waits)),
      ],
      pinned: [either("only pinned ones, or only others"), when(flagged("pinned"))],
      muted: [either("only muted ones, or only others"), when(flagged("muted"))],
      archived: [either("only archived ones, or only others"), when(flagged("archived"))],
    },
    example: { unread: true },
  }),
  conversation: listing("Show what went to and fro with someone, newest first.", {
    item: lineItem,
    params: { with: person },
    rows: (args, { db }) => ({ person: personBy(db, args.with, "with").id }),
    order: newestFirst,
    example: (db) => ({ with: kept(db, "pinned", false) }),
  }),
  history: listing("List received messages with day and time, newest first.", {
    item: receivedItem,
    rows: { outgoing: false },
    filters: {
      from: ofPerson("only from this person", "from"),
      after: [day("only after this day"), where(({ at }, first) => dayOf(at) > first)],
      before: [day("only before this day"), where(({ at }, last) => dayOf(at) < last)],
      query: [query, where(({ text }, words) => contains(text, words))],
    },
    order: newestFirst,
    example: { after: "2026-03-05" },
  }),
  pin: keeper("Pin the conversation with someone.", "pinned", true),
  unpin: keeper("Unpin the conversation with someone.", "pinned", false),
  mute: keeper("Mute the conversation with someone.", "muted", true),
  unmute: keeper("Unmute the conversation with someone.", "muted", false),
  archive: keeper("Archive the conversation with someone.", "archived", true),
  unarchive: keeper("Take the conversation with someone out of the archive.", "archived", false),
  readAll,
  unread: countsApi("Count unread messages, the people who sent them, and unread posts in chats.", {
    messages: waiting,
    people: (db) => new Set(waiting(db).map(({ person }) => person)).size,
    posts: (db) => {
      const inside = insideIds(db);
      return db.where(posts, { unread: true }).filter(({ chat }) => inside.has(chat));
    },
  }),
};
