/** Texts that others wrote to the owner. */
import {
  type Clause,
  type Collection,
  collection,
  type Relation,
} from "../../../../goals/index.ts";
import { type Text, texts } from "../../apps/tables.ts";
import { every } from "../contacts/common.ts";
import { asks, mentions, money, side } from "./text-clauses.ts";

function flag(name: "unread" | "starred", words: readonly string[]): Clause<Text> {
  return {
    name,
    excludes: ["unread", "starred", "asks"].filter((other) => other !== name),
    draw: (_, rows) => {
      const marked = rows.filter((row) => row[name]).length;
      if (marked === 0 || marked === rows.length) return undefined;
      const [a, b, c, d, e] = words as [string, string, string, string, string];
      return {
        words: [a, b, c, d, e],
        holds: (row) => row[name],
        code: { args: `${name}:true` },
      };
    },
  };
}

const unread = flag("unread", [
  "that are unread",
  "I have not read yet",
  "that I have yet to read",
  "which are still unread",
  "that have not been read",
]);
const starred = flag("starred", [
  "with a star",
  "that are starred",
  "which I have starred",
  "that carry a star",
  "marked with a star",
]);

export const receivedPart: Collection = collection<Text>({
  name: "texts",
  kind: "texts",
  app: "messages",
  table: texts,
  base: ({ outgoing }) => !outgoing,
  nouns: [
    { one: "message I received", many: "messages I received" },
    { one: "received message", many: "received messages" },
    { one: "received message in Messages", many: "received messages in Messages" },
    { one: "message I got in Messages", many: "messages I got in Messages" },
    { one: "message that reached me in Messages", many: "messages that reached me in Messages" },
  ],
  list: { api: "messages.list" },
  key: "id",
  whole: false,
  clauses: [side<Text>("from"), unread, starred, mentions<Text>(), asks<Text>(), money<Text>()],
  fields: [{ name: "text", unit: "text", noun: "text", value: (row) => row.text, code: "x.text" }],
});

const senders = (from: string, to: string) => [
  `var ${to}=[...new Set(${every("messages.list", "")}.filter(x=>${from}.includes(x.id)).map(x=>x.from))];print(${to})`,
];

export const receivedRelations: readonly Relation[] = [
  {
    name: "senders",
    from: "texts",
    to: "people",
    app: "messages",
    words: [
      (noun) => `the senders of ${noun}`,
      (noun) => `everyone who sent me one of ${noun}`,
      (noun) => `the people behind ${noun}`,
      (noun) => `those who wrote ${noun}`,
      (noun) => `whoever is a sender of ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(texts, id)!.person))],
    cells: senders,
  },
  {
    name: "texts-from",
    from: "people",
    to: "texts",
    app: "messages",
    words: [
      (noun) => `the messages I received from ${noun}`,
      (noun) => `those received messages that came from ${noun}`,
      (noun) => `all messages in Messages that I got from ${noun}`,
      (noun) => `every message that reached me in Messages from ${noun}`,
      (noun) => `the received messages whose sender is ${noun}`,
    ],
    map: (db, ids) =>
      ids.flatMap((person) => db.where(texts, { person, outgoing: false }).map(({ id }) => id)),
    cells: (from, to) => [
      `var ${to}=${from}.flatMap(k=>${every("messages.list", "from:k")}.map(x=>x.id));print(${to})`,
    ],
  },
];
