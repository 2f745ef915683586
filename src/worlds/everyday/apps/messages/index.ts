/** Messages: short texts, one to one. Received ones can be removed; sent ones stay. */
import { z } from "zod";
import {
  ApiError,
  type CallContext,
  defineApi,
  defineApp,
  type Reader,
} from "../../../../world/index.ts";
import {
  contains,
  dayOf,
  given,
  handle,
  handleOf,
  idOf,
  newestFirst,
  paged,
  pageOf,
  paging,
  personId,
  prose,
  query,
  receiver,
  rowBy,
} from "../shared.ts";
import { type Text, texts } from "../tables.ts";
import { received as messageId, someone } from "./examples.ts";

const base = { text: z.string(), id: z.int() };
const receivedItem = z.strictObject({ ...base, from: z.string(), unread: z.boolean() });
const sentItem = z.strictObject({ ...base, to: z.string() });

const received =
  (db: Reader) =>
  ({ text, id, person, unread }: Text) => ({ text, id, from: handleOf(db, person), unread });
const sentView =
  (db: Reader) =>
  ({ text, id, person }: Text) => ({ text, id, to: handleOf(db, person) });

const id = idOf("received message");
const text = prose("the text");

function receivedBy(db: Reader, id: number): Text {
  const row = rowBy(db, texts, id, "message");
  if (!row.outgoing) return row;
  throw new ApiError(422, `id: expected a received message, got ${id}, which the owner sent`);
}

const list = defineApi({
  summary: "List received messages, newest first.",
  params: z.strictObject({
    from: handle("only from this person").optional(),
    unread: z.boolean().optional().describe("only unread ones, or only read ones"),
    starred: z.boolean().optional().describe("only starred ones, or only others"),
    ...paging,
  }),
  returns: pageOf(receivedItem),
  example: () => ({ unread: true }),
  handler: ({ db }, { from, unread, starred, ...page }) => {
    const match = given({ outgoing: false, person: personId(db, from, "from"), unread, starred });
    return paged(newestFirst(db.where(texts, match)), page, received(db));
  },
});

const sent = defineApi({
  summary: "List sent messages, newest first.",
  params: z.strictObject({ to: handle("only to this person").optional(), ...paging }),
  returns: pageOf(sentItem),
  example: () => ({ size: 10 }),
  handler: ({ db }, { to, ...page }) => {
    const match = given({ outgoing: true, person: personId(db, to, "to") });
    return paged(newestFirst(db.where(texts, match)), page, sentView(db));
  },
});

const show = defineApi({
  summary: "Show a received message and mark it as read.",
  params: z.strictObject({ id }),
  returns: z.strictObject({
    ...base,
    from: z.string(),
    day: z.string(),
    reaction: z.string().nullable(),
    starred: z.boolean(),
  }),
  example: (db) => ({ id: messageId(db) }),
  handler: ({ db }, args) => {
    const row = db.update(texts, receivedBy(db, args.id).id, { unread: false });
    const { text, id, person, reaction, starred } = row;
    return { text, id, from: handleOf(db, person), day: dayOf(row.at), reaction, starred };
  },
});

const search = defineApi({
  summary: "Search received messages, newest first.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(receivedItem),
  example: () => ({ query: "paid" }),
  handler: ({ db }, { query, ...page }) => {
    const rows = db.where(texts, { outgoing: false }).filter((row) => contains(row.text, query));
    return paged(newestFirst(rows), page, received(db));
  },
});

function deliver(
  { db, now }: CallContext,
  person: number,
  text: string,
  replyTo: number | null = null,
) {
  const flags = { outgoing: true, reaction: null, starred: false, unread: false };
  return sentView(db)(db.insert(texts, { person, text, replyTo, ...flags, at: now }));
}

const send = defineApi({
  summary: "Send a message.",
  params: z.strictObject({ to: handle("the receiver"), text }),
  returns: sentItem,
  example: (db) => ({ to: someone(db), text: "See you at the station." }),
  handler: (context, { to, text }) => deliver(context, receiver(context.db, to, "to").id, text),
});

const reply = defineApi({
  summary: "Reply to a received message.",
  params: z.strictObject({ id, text }),
  returns: sentItem,
  example: (db) => ({ id: messageId(db), text: "Thank you, see you then." }),
  handler: (context, { id, text }) => {
    const { person } = receivedBy(context.db, id);
    const to = receiver(context.db, handleOf(context.db, person), "id");
    return deliver(context, to.id, text, id);
  },
});

const forward = defineApi({
  summary: "Send the text of a received message to someone else.",
  params: z.strictObject({ id, to: handle("the receiver") }),
  returns: sentItem,
  example: (db) => ({ id: messageId(db), to: someone(db) }),
  handler: (context, { id, to }) => {
    const { text } = receivedBy(context.db, id);
    return deliver(context, receiver(context.db, to, "to").id, text);
  },
});

function change({ db }: CallContext, id: number, patch: Partial<Text>) {
  return received(db)(db.update(texts, receivedBy(db, id).id, patch));
}

const react = defineApi({
  summary: "React to a received message.",
  params: z.strictObject({
    id,
    kind: z.enum(["like", "love", "laugh", "sad"]).describe("the reaction"),
  }),
  returns: receivedItem,
  example: (db) => ({ id: messageId(db), kind: "like" }) as const,
  handler: (context, { id, kind }) => change(context, id, { reaction: kind }),
});

const star = defineApi({
  summary: "Star a received message.",
  params: z.strictObject({ id }),
  returns: receivedItem,
  example: (db) => ({ id: messageId(db) }),
  handler: (context, { id }) => change(context, id, { starred: true }),
});

const unstar = defineApi({
  summary: "Take the star off a received message.",
  params: z.strictObject({ id }),
  returns: receivedItem,
  example: (db) => ({ id: messageId(db, ({ starred }) => starred) }),
  handler: (context, { id }) => change(context, id, { starred: false }),
});

const remove = defineApi({
  summary: "Remove a received message.",
  params: z.strictObject({ id }),
  returns: receivedItem,
  example: (db) => ({ id: messageId(db) }),
  handler: ({ db }, { id }) => {
    const row = receivedBy(db, id);
    db.remove(texts, id);
    return received(db)(row);
  },
});

export const messages = defineApp({
  name: "messages",
  summary: "Short messages to and from contacts.",
  tables: [texts],
  apis: { list, sent, show, search, send, reply, forward, react, star, unstar, remove },
});
