/** Messages: short texts, one to one. Received ones can be removed; sent ones stay. */

import {
  contains,
  either,
  idOf,
  itemOf,
  listing,
  must,
  newestFirst,
  prose,
  query,
  resource,
} from "bowline/resources";
import { type CallContext, defineApp, z } from "bowline/world";
import {
  dayOf,
  handle,
  handleOf,
  ofPerson,
  receiver,
  rowBy,
  someone,
  theirHandle,
} from "../shared.ts";
import { type Text, texts } from "../tables.ts";
import { received as messageId } from "./examples.ts";

export const sentItem = itemOf(texts, { ...texts.fields("text", "id"), to: theirHandle });

const received = resource({
  noun: "message",
  item: itemOf(texts, { ...texts.fields("text", "id"), from: theirHandle, unread: z.boolean() }),
  keys: { id: idOf("received message") },
  find: ({ id }, { db }) => {
    const row = rowBy(db, texts, id, "message");
    must(!row.outgoing, 422, `id: expected a received message, got ${id}, which the owner sent`);
    return row;
  },
  example: (db, fits) => ({ id: messageId(db, fits) }),
});

const openItem = itemOf(texts, {
  ...texts.fields("text", "id"),
  from: theirHandle,
  day: [z.string(), ({ at }) => dayOf(at)],
  ...texts.fields("reaction", "starred"),
});

const any = () => true;
const text = prose("the text");
const to = handle("the receiver");

/** A new row: what the owner sends. */
export function deliver(
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
        from: ofPerson("only from this person", "from"),
        unread: either("only unread ones, or only read ones"),
        starred: either("only starred ones, or only others"),
      },
      order: newestFirst,
      example: { unread: true },
    }),
    sent: listing("List sent messages, newest first.", {
      item: sentItem,
      rows: { outgoing: true },
      filters: { to: ofPerson("only to this person", "to") },
      order: newestFirst,
      example: { size: 10 },
    }),
    show: received.change("Show a received message and mark it as read.", {
      set: { unread: false },
      item: openItem,
      fits: any,
    }),
    search: received.list("Search received messages, newest first.", {
      params: { query },
      rows: ({ query }, { db }) =>
        db.where(texts, { outgoing: false }).filter((row) => contains(row.text, query)),
      order: newestFirst,
      example: { query: "paid" },
    }),
    send: received.add("Send a message.", {
      params: { to, text },
      row: ({ to, text }, context) => deliver(context, receiver(context.db, to, "to").id, text),
      item: sentItem,
      example: (db) => ({ to: someone(db), text: "See you at the station." }),
    }),
    reply: received.act("Reply to a received message.", {
      params: { text },
      run: ({ id, person }, { text }, context) => {
        const { db } = context;
        return deliver(context, receiver(db, handleOf(db, person), "id").id, text, id);
      },
      item: sentItem,
      example: { text: "Thank you, see you then." },
    }),
    forward: received.act("Send the text of a received message to someone else.", {
      params: { to },
      run: ({ text }, { to }, context) => deliver(context, receiver(context.db, to, "to").id, text),
      item: sentItem,
      example: (db) => ({ id: messageId(db), to: someone(db) }),
    }),
    react: received.change("React to a received message.", {
      params: { kind: z.enum(["like", "love", "laugh", "sad"]).describe("the reaction") },
      set: (_, { kind }) => ({ reaction: kind }),
      example: { kind: "like" },
    }),
    star: received.change("Star a received message.", { set: { starred: true }, fits: any }),
    unstar: received.set("Take the star off a received message.", { starred: false }),
    remove: received.remove("Remove a received message."),
  },
});
