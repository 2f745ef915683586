/** The collection of conversations, which are sets of people. */
import { defineCollection, nouns } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Conversation, conversations } from "../../apps/messages/tables.ts";
import { type Person, people, texts } from "../../apps/tables.ts";
import { mixedPropertyColumn } from "../contacts/contacts-and-messages.ts";

export type ConversationFlag = "pinned" | "muted" | "archived";

const textsWith = ({ id }: Person, db: Reader) => db.where(texts, { person: id });
export const readFlags = (db: Reader, person: number): Pick<Conversation, ConversationFlag> =>
  db.where(conversations, { person })[0] ?? { pinned: false, muted: false, archived: false };

const flagColumn = (name: ConversationFlag, article: "a" | "an") => {
  const others = ["unread", "pinned", "muted", "archived"].filter((other) => other !== name);
  const hasFlag = ({ id }: Person, db: Reader) => readFlags(db, id)[name];
  return mixedPropertyColumn(hasFlag, { args: `${name}:true` }, { excludes: others })`
    whose conversation is ${name} | with ${article} ${name} conversation
    | whose conversation I have ${name} | that have ${article} ${name} conversation
    | with whom the conversation is ${name}`;
};

export const conversationCollection = defineCollection<Person>({
  name: "conversations",
  kind: "people",
  app: "messages",
  table: people,
  includes: (row, db) => textsWith(row, db).length > 0,
  list: "conversations",
  key: "person",
  nouns: nouns`person with whom I have a conversation / people with whom I have a conversation
    | person with whom I have messages / people with whom I have messages
    | person among my conversations / people among my conversations
    | person from my conversations in Messages / people from my conversations in Messages
    | person with a conversation in Messages / people with a conversation in Messages`,
  columns: ({ atLeast, day, number, text }) => ({
    pinned: flagColumn("pinned", "a"),
    muted: flagColumn("muted", "a"),
    archived: flagColumn("archived", "an"),
    unread: mixedPropertyColumn(
      (row: Person, db) => textsWith(row, db).some(({ outgoing, unread }) => !outgoing && unread),
      { args: "unread:true" },
    )`from whom I have unread messages | who sent me messages I have not read | whose messages I
      have yet to read | from whom there are unread messages | with messages to me that are unread`,
    name: text((row) => row.name, {
      code: "apis.contacts.show({person:x.person}).name",
      noun: "full name",
    }),
    messages: number(
      (row, db) => textsWith(row, db).length,
      { item: "messages", noun: "number of messages" },
      atLeast("busy", { excludes: ["unread"] })`with whom I exchanged $ messages or more
        | with at least $ messages to and fro | with whom there are at least $ messages in all
        | whose conversation with me has $ or more messages | with $ or more messages between us`,
    ),
    last: day(
      (row, db) =>
        textsWith(row, db)
          .reduce((last, { at }) => (at > last ? at : last), "")
          .slice(0, 10),
      { item: "day" },
      atLeast("quiet")`whose last message with me is of $ or later
        | with whom the last message is dated $ or later | with a last message on $ or later | with
        whom I last had a message on $ or later | with whom the newest message is of $ or later`,
    ),
  }),
});
