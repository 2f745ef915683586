/** Conversations: all that went to and fro with one person, and how the owner keeps it (pinned, muted, archived). */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  day,
  dayOf,
  given,
  handle,
  handleOf,
  newestFirst,
  paged,
  pageOf,
  paging,
  personBy,
  personId,
  query,
} from "../shared.ts";
import { type Text, texts } from "../tables.ts";
import { kept, received } from "./examples.ts";
import { type Conversation, chats, conversations, posts } from "./tables.ts";

const FLAGS = ["pinned", "muted", "archived"] as const;
type Flags = Pick<Conversation, (typeof FLAGS)[number]>;
const NONE: Flags = { pinned: false, muted: false, archived: false };

const person = handle("the other person");

const threadItem = z.strictObject({
  with: z.string(),
  last: z.string(),
  day: z.string(),
  messages: z.int(),
  unread: z.int(),
  pinned: z.boolean(),
  muted: z.boolean(),
  archived: z.boolean(),
});

function flagsOf(db: Reader, person: number): Flags {
  return db.where(conversations, { person })[0] ?? NONE;
}

/** Of rows of one person, newest first. */
const threadView = (db: Reader) => (rows: readonly Text[]) => {
  const [{ person, text, at }] = rows as [Text];
  const { pinned, muted, archived } = flagsOf(db, person);
  return {
    with: handleOf(db, person),
    last: text,
    day: dayOf(at),
    messages: rows.length,
    unread: rows.filter((row) => !row.outgoing && row.unread).length,
    pinned,
    muted,
    archived,
  };
};

/** The texts of each person, newest first; the person with the newest text first. */
function threads(db: Reader): Text[][] {
  const byPerson = new Map<number, Text[]>();
  for (const row of newestFirst(db.all(texts))) {
    const rows = byPerson.get(row.person) ?? [];
    rows.push(row);
    byPerson.set(row.person, rows);
  }
  return [...byPerson.values()];
}

const list = defineApi({
  summary: "List conversations with their last message, the newest first.",
  params: z.strictObject({
    unread: z.boolean().optional().describe("only with unread messages, or only without"),
    pinned: z.boolean().optional().describe("only pinned ones, or only others"),
    muted: z.boolean().optional().describe("only muted ones, or only others"),
    archived: z.boolean().optional().describe("only archived ones, or only others"),
    ...paging,
  }),
  returns: pageOf(threadItem),
  example: () => ({ unread: true }),
  handler: ({ db }, { unread, page, size, ...flags }) => {
    const rows = threads(db).filter((rows) => {
      const has = flagsOf(db, rows[0]!.person);
      const waits = rows.some((row) => !row.outgoing && row.unread);
      return (
        (unread === undefined || waits === unread) &&
        FLAGS.every((flag) => flags[flag] === undefined || has[flag] === flags[flag])
      );
    });
    return paged(rows, { page, size }, threadView(db));
  },
});

const lineItem = z.strictObject({
  text: z.string(),
  id: z.int(),
  by: z.enum(["owner", "other"]),
  day: z.string(),
  time: z.string(),
});
const lineView = ({ text, id, outgoing, at }: Text) => ({
  text,
  id,
  by: outgoing ? ("owner" as const) : ("other" as const),
  day: dayOf(at),
  time: at.slice(11, 16),
});

const show = defineApi({
  summary: "Show what went to and fro with someone, newest first.",
  params: z.strictObject({ with: person, ...paging }),
  returns: pageOf(lineItem),
  example: (db) => ({ with: kept(db, "pinned", false) }),
  handler: ({ db }, { with: other, ...page }) => {
    const rows = db.where(texts, { person: personBy(db, other, "with").id });
    return paged(newestFirst(rows), page, lineView);
  },
});

const history = defineApi({
  summary: "List received messages with day and time, newest first.",
  params: z.strictObject({
    from: handle("only from this person").optional(),
    after: day("only after this day").optional(),
    before: day("only before this day").optional(),
    query: query.optional(),
    ...paging,
  }),
  returns: pageOf(
    z.strictObject({
      text: z.string(),
      id: z.int(),
      from: z.string(),
      day: z.string(),
      time: z.string(),
    }),
  ),
  example: () => ({ after: "2026-03-05" }),
  handler: ({ db }, { from, after = "", before = "9999", query = "", ...page }) => {
    const match = given({ outgoing: false, person: personId(db, from, "from") });
    const rows = db.where(texts, match).filter((row) => {
      const day = dayOf(row.at);
      return day > after && day < before && contains(row.text, query);
    });
    return paged(newestFirst(rows), page, ({ text, id, person, at }) => ({
      text,
      id,
      from: handleOf(db, person),
      day: dayOf(at),
      time: at.slice(11, 16),
    }));
  },
});

// --- keeping ---

/** Sets one flag; a 409 when it is so already. */
function keep({ db }: CallContext, other: string, flag: keyof Flags, value: boolean) {
  const { id: person, handle } = personBy(db, other, "with");
  const rows = newestFirst(db.where(texts, { person }));
  if (rows.length === 0) {
    throw new ApiError(404, `with: there is no conversation with "${handle}"`);
  }
  if (flagsOf(db, person)[flag] === value) {
    throw new ApiError(409, `with: "${handle}" is ${value ? "already" : "not"} ${flag}`);
  }
  const [row] = db.where(conversations, { person });
  if (row) db.update(conversations, row.id, { [flag]: value });
  else db.insert(conversations, { ...NONE, person, [flag]: value });
  return threadView(db)(rows);
}

function keeper(summary: string, flag: keyof Flags, value: boolean) {
  return defineApi({
    summary,
    params: z.strictObject({ with: person }),
    returns: threadItem,
    example: (db) => ({ with: kept(db, flag, !value) }),
    handler: (context, args) => keep(context, args.with, flag, value),
  });
}

const pin = keeper("Pin the conversation with someone.", "pinned", true);
const unpin = keeper("Unpin the conversation with someone.", "pinned", false);
const mute = keeper("Mute the conversation with someone.", "muted", true);
const unmute = keeper("Unmute the conversation with someone.", "muted", false);
const archive = keeper("Archive the conversation with someone.", "archived", true);
const unarchive = keeper(
  "Take the conversation with someone out of the archive.",
  "archived",
  false,
);

const readAll = defineApi({
  summary: "Mark all messages from someone as read.",
  params: z.strictObject({ with: person }),
  returns: threadItem,
  example: (db) => ({ with: handleOf(db, db.get(texts, received(db))?.person ?? 1) }),
  handler: ({ db }, args) => {
    const { id: person, handle } = personBy(db, args.with, "with");
    for (const { id } of db.where(texts, { person, outgoing: false, unread: true })) {
      db.update(texts, id, { unread: false });
    }
    const rows = newestFirst(db.where(texts, { person }));
    if (rows.length > 0) return threadView(db)(rows);
    throw new ApiError(404, `with: there is no conversation with "${handle}"`);
  },
});

const unread = defineApi({
  summary: "Count unread messages, the people who sent them, and unread posts in chats.",
  params: z.strictObject({}),
  returns: z.strictObject({ messages: z.int(), people: z.int(), posts: z.int() }),
  example: () => ({}),
  handler: ({ db }) => {
    const waiting = db.where(texts, { outgoing: false, unread: true });
    const inside = new Set(
      db.all(chats).flatMap(({ id, role }) => (role === "removed" ? [] : [id])),
    );
    return {
      messages: waiting.length,
      people: new Set(waiting.map(({ person }) => person)).size,
      posts: db.where(posts, { unread: true }).filter(({ chat }) => inside.has(chat)).length,
    };
  },
});

export const threadApis = {
  conversations: list,
  conversation: show,
  history,
  pin,
  unpin,
  mute,
  unmute,
  archive,
  unarchive,
  readAll,
  unread,
};
