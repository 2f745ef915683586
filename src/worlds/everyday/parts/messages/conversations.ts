/** Conversations as sets of people: how the owner keeps them, and how much was written. */

import { type Clause, type Collection, collection, dayWords } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Conversation, conversations } from "../../apps/messages/tables.ts";
import { type Person, people, texts } from "../../apps/tables.ts";
import { atLeast } from "../bounds.ts";
import { js } from "../contacts/common.ts";

export type Flag = "pinned" | "muted" | "archived";

const lines = (db: Reader, { id }: Person) => db.where(texts, { person: id });
export const flagsOf = (db: Reader, person: number): Pick<Conversation, Flag> =>
  db.where(conversations, { person })[0] ?? { pinned: false, muted: false, archived: false };

function flag(name: Flag, words: readonly string[]): Clause<Person> {
  return {
    name,
    excludes: ["unread", "pinned", "muted", "archived"].filter((other) => other !== name),
    draw: ({ db }, rows) => {
      const count = rows.filter(({ id }) => flagsOf(db, id)[name]).length;
      if (count === 0 || count === rows.length) return undefined;
      const [a, b, c, d, e] = words as [string, string, string, string, string];
      return {
        words: [a, b, c, d, e],
        holds: ({ id }, db) => flagsOf(db, id)[name],
        code: { args: `${name}:true` },
      };
    },
  };
}

const unread: Clause<Person> = {
  name: "unread",
  draw: ({ db }, rows) => {
    const waits = (row: Person) => lines(db, row).some((text) => !text.outgoing && text.unread);
    const count = rows.filter(waits).length;
    if (count === 0 || count === rows.length) return undefined;
    return {
      words: [
        "from whom I have unread messages",
        "who sent me messages I have not read",
        "whose messages I have yet to read",
        "from whom there are unread messages",
        "with messages to me that are unread",
      ],
      holds: (row, db) => lines(db, row).some((text) => !text.outgoing && text.unread),
      code: { args: "unread:true" },
    };
  },
};

const busy: Clause<Person> = {
  name: "busy",
  excludes: ["unread"],
  draw: ({ rng, db }, rows) => {
    const count = atLeast(
      rng,
      rows.map((row) => lines(db, row).length),
    );
    if (count === undefined || count < 2) return undefined;
    return {
      words: [
        `with whom I exchanged ${count} messages or more`,
        `with at least ${count} messages to and fro`,
        `with whom there are at least ${count} messages in all`,
        `whose conversation with me has ${count} or more messages`,
        `with ${count} or more messages between us`,
      ],
      holds: (row, db) => lines(db, row).length >= count,
      code: { test: `x.messages>=${count}` },
    };
  },
};

const quiet: Clause<Person> = {
  name: "quiet",
  draw: ({ rng, db }, rows) => {
    const last = (row: Person) =>
      lines(db, row).reduce((at, text) => (text.at > at ? text.at : at), "");
    const day = atLeast(
      rng,
      rows.map((row) => last(row).slice(0, 10)),
    );
    if (day === undefined) return undefined;
    const d = dayWords(day);
    return {
      words: [
        `whose last message with me is of ${d} or later`,
        `with whom the last message is dated ${d} or later`,
        `with a last message on ${d} or later`,
        `with whom I last had a message on ${d} or later`,
        `with whom the newest message is of ${d} or later`,
      ],
      holds: (row, db) => lines(db, row).some(({ at }) => at.slice(0, 10) >= day),
      code: { test: `x.day>=${js(day)}` },
    };
  },
};

export const conversationsPart: Collection = collection<Person>({
  name: "conversations",
  kind: "people",
  app: "messages",
  table: people,
  base: (row, db) => lines(db, row).length > 0,
  nouns: [
    {
      one: "person with whom I have a conversation",
      many: "people with whom I have a conversation",
    },
    { one: "person with whom I have messages", many: "people with whom I have messages" },
    { one: "person among my conversations", many: "people among my conversations" },
    {
      one: "person from my conversations in Messages",
      many: "people from my conversations in Messages",
    },
    {
      one: "person with a conversation in Messages",
      many: "people with a conversation in Messages",
    },
  ],
  list: { api: "messages.conversations" },
  key: "with",
  whole: false,
  clauses: [
    flag("pinned", [
      "whose conversation is pinned",
      "with a pinned conversation",
      "whose conversation I have pinned",
      "that have a pinned conversation",
      "with whom the conversation is pinned",
    ]),
    flag("muted", [
      "whose conversation is muted",
      "with a muted conversation",
      "whose conversation I have muted",
      "that have a muted conversation",
      "with whom the conversation is muted",
    ]),
    flag("archived", [
      "whose conversation is archived",
      "with an archived conversation",
      "whose conversation I have archived",
      "that have an archived conversation",
      "with whom the conversation is archived",
    ]),
    unread,
    busy,
    quiet,
  ],
  fields: [
    {
      name: "name",
      unit: "text",
      noun: "full name",
      value: (row) => row.name,
      code: "apis.contacts.show({person:x.with}).name",
    },
    {
      name: "messages",
      unit: "number",
      noun: "number of messages",
      value: (row, db) => lines(db, row).length,
      code: "x.messages",
    },
  ],
});
