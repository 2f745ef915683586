/** Messages: short texts, one to one. Received ones can be removed; sent ones stay. */
import { z } from "zod";
import { defineApp, either, itemOf, must, resource, rowById } from "../../../../world/index.ts";
import {
  contains,
  dayOf,
  handle,
  handleOf,
  idOf,
  newestFirst,
  ofPerson,
  prose,
  query,
  receiver,
  theirHandle,
} from "../shared.ts";
import { texts } from "../tables.ts";
import { received, sentOne, someone } from "./examples.ts";

const base = { text: z.string(), id: z.int() };
const text = prose("the text");
/** Which row an example is of does not matter. */
const any = () => true;

const receivedTexts = resource({
  table: texts,
  noun: "message",
  item: itemOf(texts, { ...base, from: theirHandle, unread: z.boolean() }),
  keys: { id: idOf("received message") },
  find: ({ id }, { db }) => {
    const row = rowById(db, texts, id, { noun: "message" });
    must(!row.outgoing, 422, `id: expected a received message, got ${id}, which the owner sent`);
    return row;
  },
  example: (db, fits) => ({ id: received(db, fits) }),
});

export const sentTexts = resource({
  table: texts,
  noun: "message",
  item: itemOf(texts, { ...base, to: theirHandle }),
  keys: { id: idOf("sent message") },
  find: ({ id }, { db }) => {
    const row = rowById(db, texts, id, { noun: "message" });
    must(row.outgoing, 403, `id: expected a message that the owner sent, ${id} was received`);
    return row;
  },
  example: (db) => ({ id: sentOne(db) }),
});

/** A text as it is sent. */
export function sentText(person: number, text: string, at: string, replyTo: number | null = null) {
  const flags = { outgoing: true, reaction: null, starred: false, unread: false };
  return { person, text, replyTo, ...flags, at };
}

export const messages = defineApp({
  name: "messages",
  summary: "Short messages to and from contacts.",
  tables: [texts],
  apis: {
    list: receivedTexts.list("List received messages, newest first.", {
      rows: { outgoing: false },
      filters: {
        from: ofPerson("only from this person", "from"),
        unread: either("only unread ones, or only read ones"),
        starred: either("only starred ones, or only others"),
      },
      order: newestFirst,
      example: { unread: true },
    }),
    sent: sentTexts.list("List sent messages, newest first.", {
      rows: { outgoing: true },
      filters: { to: ofPerson("only to this person", "to") },
      order: newestFirst,
      example: { size: 10 },
    }),
    show: receivedTexts.change("Show a received message and mark it as read.", {
      item: itemOf(texts, {
        ...base,
        from: theirHandle,
        day: [z.string(), ({ at }) => dayOf(at)],
        reaction: z.string().nullable(),
        starred: z.boolean(),
      }),
      set: { unread: false },
      fits: any,
    }),
    search: receivedTexts.list("Search received messages, newest first.", {
      params: { query },
      rows: ({ query }, { db }) =>
        db.where(texts, { outgoing: false }).filter(({ text }) => contains(text, query)),
      order: newestFirst,
      example: { query: "paid" },
    }),
    send: sentTexts.add("Send a message.", {
      params: { to: handle("the receiver"), text },
      row: ({ to, text }, { db, now }) => sentText(receiver(db, to, "to").id, text, now),
      example: (db) => ({ to: someone(db), text: "See you at the station." }),
    }),
    reply: sentTexts.add("Reply to a received message.", {
      params: { ...receivedTexts.keys, text },
      row: ({ id, text }, context) => {
        const { db, now } = context;
        const { person } = receivedTexts.find({ id }, context);
        return sentText(receiver(db, handleOf(db, person), "id").id, text, now, id);
      },
      example: (db) => ({ id: received(db), text: "Thank you, see you then." }),
    }),
    forward: sentTexts.add("Send the text of a received message to someone else.", {
      params: { ...receivedTexts.keys, to: handle("the receiver") },
      row: ({ id, to }, context) => {
        const { text } = receivedTexts.find({ id }, context);
        return sentText(receiver(context.db, to, "to").id, text, context.now);
      },
      example: (db) => ({ id: received(db), to: someone(db) }),
    }),
    react: receivedTexts.change("React to a received message.", {
      params: { kind: z.enum(["like", "love", "laugh", "sad"]).describe("the reaction") },
      set: (_, { kind }) => ({ reaction: kind }),
      example: { kind: "like" },
    }),
    star: receivedTexts.change("Star a received message.", { set: { starred: true }, fits: any }),
    unstar: receivedTexts.change("Take the star off a received message.", {
      set: { starred: false },
    }),
    remove: receivedTexts.remove("Remove a received message."),
  },
});
