/**
 * Defines the messages app of the starter: short texts between the owner and one person. Received messages can be
 * removed; sent ones are kept.
 */

import {
  booleanParam,
  containsIgnoringCase,
  defineItem,
  idParam,
  listApi,
  longTextParam,
  newestFirst,
  queryParam,
  refuseUnless,
  resource,
} from "bowline/resources";
import { type CallContext, defineApp, z } from "bowline/world";
import {
  dayOf,
  exampleHandle,
  handleField,
  handleOf,
  handleParam,
  personColumnFilter,
  requireReceiver,
  requireRow,
} from "../shared.ts";
import { type Text, texts } from "../tables.ts";
import { exampleReceivedId as messageId } from "./examples.ts";

export const sentItem = defineItem(texts, { ...texts.fields("text", "id"), to: handleField });

const received = resource({
  noun: "message",
  item: defineItem(texts, {
    ...texts.fields("text", "id"),
    from: handleField,
    unread: z.boolean(),
  }),
  keys: { id: idParam("received message") },
  find: ({ id }, { db }) => {
    const row = requireRow(db, texts, id, "message");
    refuseUnless(
      !row.outgoing,
      422,
      `id: expected a received message, got ${id}, which the owner sent`,
    );
    return row;
  },
  example: (db, fits) => ({ id: messageId(db, fits) }),
});

const messageDetailsItem = defineItem(texts, {
  ...texts.fields("text", "id"),
  from: handleField,
  day: [z.string(), ({ at }) => dayOf(at)],
  ...texts.fields("reaction", "starred"),
});

const acceptEveryRow = () => true;
const text = longTextParam("the text");
const to = handleParam("the receiver");

/** Inserts a text that the owner sends to a person and returns its row. */
export function sendText(
  { db, now }: CallContext,
  person: number,
  text: string,
  replyTo: number | null = null,
): Text {
  const flags = { outgoing: true, reaction: null, starred: false, unread: false };
  return db.insert(texts, { person, text, replyTo, ...flags, at: now });
}

export const messages = defineApp({
  name: "messages",
  summary: "Short messages to and from contacts.",
  tables: [texts],
  apis: {
    list: received.list("List received messages, newest first.", {
      rows: { outgoing: false },
      filters: {
        from: personColumnFilter("only from this person", "from"),
        unread: booleanParam("only unread ones, or only read ones"),
        starred: booleanParam("only starred ones, or only others"),
      },
      order: newestFirst,
      example: { unread: true },
    }),
    sent: listApi("List sent messages, newest first.", {
      item: sentItem,
      rows: { outgoing: true },
      filters: { to: personColumnFilter("only to this person", "to") },
      order: newestFirst,
      example: { size: 10 },
    }),
    show: received.change("Show a received message and mark it as read.", {
      set: { unread: false },
      item: messageDetailsItem,
      isExample: acceptEveryRow,
    }),
    search: received.list("Search received messages, newest first.", {
      params: { query: queryParam },
      rows: ({ query }, { db }) =>
        db.where(texts, { outgoing: false }).filter((row) => containsIgnoringCase(row.text, query)),
      order: newestFirst,
      example: { query: "paid" },
    }),
    send: received.add("Send a message.", {
      params: { to, text },
      row: ({ to, text }, context) =>
        sendText(context, requireReceiver(context.db, to, "to").id, text),
      item: sentItem,
      example: (db) => ({ to: exampleHandle(db), text: "See you at the station." }),
    }),
    reply: received.act("Reply to a received message.", {
      params: { text },
      run: ({ id, person }, { text }, context) => {
        const { db } = context;
        return sendText(context, requireReceiver(db, handleOf(db, person), "id").id, text, id);
      },
      item: sentItem,
      example: { text: "Thank you, see you then." },
    }),
    forward: received.act("Send the text of a received message to someone else.", {
      params: { to },
      run: ({ text }, { to }, context) =>
        sendText(context, requireReceiver(context.db, to, "to").id, text),
      item: sentItem,
      example: (db) => ({ id: messageId(db), to: exampleHandle(db) }),
    }),
    react: received.change("React to a received message.", {
      params: { kind: z.enum(["like", "love", "laugh", "sad"]).describe("the reaction") },
      set: (_, { kind }) => ({ reaction: kind }),
      example: { kind: "like" },
    }),
    star: received.change("Star a received message.", {
      set: { starred: true },
      isExample: acceptEveryRow,
    }),
    unstar: received.set("Take the star off a received message.", { starred: false }),
    remove: received.remove("Remove a received message."),
  },
});
