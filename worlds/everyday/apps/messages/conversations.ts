/**
 * Defines the APIs of conversations: all messages between the owner and one person, and the flags that the owner sets
 * on them (pinned, muted, archived).
 */

import {
  booleanParam,
  containsIgnoringCase,
  countsApi,
  dayParam,
  defineItem,
  factsAbout,
  filterWhere,
  filterWhether,
  listApi,
  newestFirst,
  queryParam,
  refuseUnless,
} from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import {
  dayOf,
  handleField,
  handleOf,
  handleParam,
  personColumnFilter,
  requirePerson,
} from "../shared.ts";
import { type Text, texts } from "../tables.ts";
import { joinedChatIds } from "./chat-access.ts";
import { exampleConversationPartner, exampleReceivedId } from "./examples.ts";
import { conversations, posts } from "./tables.ts";

const flags = factsAbout(conversations, "person", { pinned: false, muted: false, archived: false });
type Flag = "pinned" | "muted" | "archived";

const person = handleParam("the other person");

/** All texts between the owner and one person, newest first. */
type Thread = readonly Text[];

const otherPerson = (thread: Thread) => thread[0]!.person;
const isUnread = ({ outgoing, unread }: Text) => !outgoing && unread;
const hasFlag =
  (flag: Flag) =>
  (thread: Thread, { db }: { readonly db: Reader }) =>
    flags.get(db, otherPerson(thread))[flag];

const threadItem = defineItem({} as { readonly row?: Thread }, {
  person: [z.string(), (thread, { db }) => handleOf(db, otherPerson(thread))],
  last: [z.string(), (thread) => thread[0]!.text],
  day: [z.string(), (thread) => dayOf(thread[0]!.at)],
  messages: [z.int(), (thread) => thread.length],
  unread: [z.int(), (thread) => thread.filter(isUnread).length],
  pinned: [z.boolean(), hasFlag("pinned")],
  muted: [z.boolean(), hasFlag("muted")],
  archived: [z.boolean(), hasFlag("archived")],
});

/** Returns all conversations. The conversation with the newest text comes first. */
function allThreads(db: Reader): Thread[] {
  const byPerson = new Map<number, Text[]>();
  for (const row of newestFirst(db.all(texts))) {
    const rows = byPerson.get(row.person) ?? [];
    rows.push(row);
    byPerson.set(row.person, rows);
  }
  return [...byPerson.values()];
}

/** Returns the conversation with this person, or throws a 404 when there is none. */
function requireThread(db: Reader, { id, handle }: { id: number; handle: string }): Thread {
  const rows = newestFirst(db.where(texts, { person: id }));
  refuseUnless(rows.length > 0, 404, `person: there is no conversation with "${handle}"`);
  return rows;
}

const dayAndTimeFields = {
  day: [z.string(), ({ at }: Text) => dayOf(at)],
  time: [z.string(), ({ at }: Text) => at.slice(11, 16)],
} as const;
const conversationLineItem = defineItem(texts, {
  ...texts.fields("text", "id"),
  by: [z.enum(["owner", "other"]), ({ outgoing }) => (outgoing ? "owner" : "other")],
  ...dayAndTimeFields,
});
const receivedItem = defineItem(texts, {
  ...texts.fields("text", "id"),
  from: handleField,
  unread: z.boolean(),
  ...dayAndTimeFields,
});

/** Makes an API that sets a flag of a conversation. It throws a 409 when the flag has that value already. */
const conversationFlagApi = (summary: string, flag: Flag, value: boolean) =>
  defineApi({
    summary,
    params: z.strictObject({ person }),
    returns: threadItem.schema,
    example: (db) => ({ person: exampleConversationPartner(db, flag, !value) }),
    handler: (context, args) => {
      const { db } = context;
      const other = requirePerson(db, args.person, "person");
      const thread = requireThread(db, other);
      const isNew = flags.get(db, other.id)[flag] !== value;
      refuseUnless(isNew, 409, `person: "${other.handle}" is ${value ? "already" : "not"} ${flag}`);
      flags.set(db, other.id, { [flag]: value });
      return threadItem.view(thread, context);
    },
  });

const readAll = defineApi({
  summary: "Mark all messages from someone as read.",
  params: z.strictObject({ person }),
  returns: threadItem.schema,
  example: (db) => ({ person: handleOf(db, db.get(texts, exampleReceivedId(db))?.person ?? 1) }),
  handler: (context, args) => {
    const { db } = context;
    const other = requirePerson(db, args.person, "person");
    for (const { id } of db.where(texts, { person: other.id, outgoing: false, unread: true })) {
      db.update(texts, id, { unread: false });
    }
    return threadItem.view(requireThread(db, other), context);
  },
});

const unreadTexts = (db: Reader) => db.where(texts, { outgoing: false, unread: true });

export const conversationApis = {
  conversations: listApi(
    "List conversations, archived ones too, with their last message, the newest first.",
    {
      item: threadItem,
      rows: (_, { db }) => allThreads(db),
      filters: {
        unread: [
          booleanParam("only with unread messages, or only without"),
          filterWhether((thread) => thread.some(isUnread)),
        ],
        pinned: [
          booleanParam("only pinned ones, or only others"),
          filterWhether(hasFlag("pinned")),
        ],
        muted: [booleanParam("only muted ones, or only others"), filterWhether(hasFlag("muted"))],
        archived: [
          booleanParam("only archived ones, or only others"),
          filterWhether(hasFlag("archived")),
        ],
      },
      example: { unread: true },
    },
  ),
  conversation: listApi("Show what went to and fro with someone, newest first.", {
    item: conversationLineItem,
    params: { person },
    rows: (args, { db }) => ({ person: requirePerson(db, args.person, "person").id }),
    order: newestFirst,
    example: (db) => ({ person: exampleConversationPartner(db, "pinned", false) }),
  }),
  list: listApi("List received messages with day and time, newest first.", {
    item: receivedItem,
    rows: { outgoing: false },
    filters: {
      from: personColumnFilter("only from this person", "from"),
      unread: booleanParam("only unread ones, or only read ones"),
      starred: booleanParam("only starred ones, or only others"),
      since: [
        dayParam("only on this day or later"),
        filterWhere(({ at }, first) => dayOf(at) >= first),
      ],
      until: [
        dayParam("only on this day or earlier"),
        filterWhere(({ at }, last) => dayOf(at) <= last),
      ],
      query: [queryParam, filterWhere(({ text }, words) => containsIgnoringCase(text, words))],
    },
    order: newestFirst,
    example: { since: "2026-03-05" },
  }),
  pin: conversationFlagApi("Pin the conversation with someone.", "pinned", true),
  unpin: conversationFlagApi("Unpin the conversation with someone.", "pinned", false),
  mute: conversationFlagApi("Mute the conversation with someone.", "muted", true),
  unmute: conversationFlagApi("Unmute the conversation with someone.", "muted", false),
  archive: conversationFlagApi("Archive the conversation with someone.", "archived", true),
  unarchive: conversationFlagApi(
    "Take the conversation with someone out of the archive.",
    "archived",
    false,
  ),
  readAll,
  unread: countsApi("Count unread messages, the people who sent them, and unread posts in chats.", {
    messages: unreadTexts,
    people: (db) => new Set(unreadTexts(db).map(({ person }) => person)).size,
    posts: (db) => {
      const joinedIds = joinedChatIds(db);
      return db.where(posts, { unread: true }).filter(({ chat }) => joinedIds.has(chat));
    },
  }),
};
