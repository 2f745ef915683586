/** Facts that stand in what people wrote: what somebody paid, when something starts, what was said last. */
import { allItemsExpression, type DrawContext, facts, jsLiteral, sources } from "bowline/goals";
import type { Reader } from "bowline/world";
import { polls, posts } from "../../apps/messages/tables.ts";
import { type Text, texts } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { drawPersonWithRows, sourceOfPerson } from "../contacts/contacts-and-messages.ts";
import { canMention } from "../mentionable.ts";
import { isInside } from "./chat-rules.ts";
import { centsIn } from "./texts.ts";

export const BILL = /the [a-z ]+ at the [A-Z]\w+ [A-Z]\w+/;
export const DAY = /\d{4}-\d\d-\d\d/;
/** `Dinner at the Copper Fox`, from a text that says when it starts. */
export const AHEAD =
  /(?:Dinner|Concert|Birthday|Match|Workshop) at the [A-Z]\w+ [A-Z]\w+|Picnic by the [A-Z]\w+ [A-Z]\w+/;

const received = (draw: DrawContext) => draw.db.where(texts, { outgoing: false });

/** What the pattern finds in a text from somebody, for whom no other of the rivals has it. */
function told(draw: DrawContext, pattern: RegExp, tells: (row: Text) => boolean, rivals = tells) {
  const fitting = received(draw).filter((row) => tells(row) && pattern.test(row.text));
  const found = drawPersonWithRows(draw, fitting);
  if (!found) return undefined;
  const { person, own } = found;
  const { text } = draw.rng.pick(own);
  const what = pattern.exec(text)![0];
  const same = received(draw).filter(
    (row) => row.person === person.value.id && row.text.includes(what) && rivals(row),
  );
  return same.length === 1 ? { person, text, what } : undefined;
}

const anyText = () => true;
const pays = ({ text }: Text) => centsIn(text) > 0;
const isAhead = ({ text }: Text) => (DAY.exec(text)?.[0] ?? "") > TODAY;

/** An expression for the only text from the person that has these words. */
const textWith = (person: string, words: string) =>
  `${allItemsExpression("messages.list", `from:${person}`)}.find(x=>x.text.includes(${jsLiteral(words)})).text`;

/** Nobody else wrote at that moment, so it is clear which text was the last. */
const lastOf = (rows: readonly Text[]): Text | undefined => {
  const [last, other] = rows.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  return last && last.at !== other?.at ? last : undefined;
};

export const messageSources = sources("messages", ({ source }) => ({
  /** Whoever paid wrote so; the amount stands somewhere in the sentence. */
  paid: sourceOfPerson(
    source.money,
    (draw) => told(draw, BILL, pays),
    ({ person, text, what }) => ({
      value: centsIn(text),
      words: `what ${person.words} paid for ${what} according to the message from ${person.words}`,
      code: `Number(/\\$(\\d+\\.\\d\\d)/.exec(${textWith(person.code, what)})[1])`,
    }),
  ),
  starts: sourceOfPerson(
    source.day,
    (draw) => told(draw, AHEAD, isAhead, anyText),
    ({ person, text, what }) => ({
      value: DAY.exec(text)![0],
      words: `the day that the message from ${person.words} gives for "${what}"`,
      code: `/\\d{4}-\\d\\d-\\d\\d/.exec(${textWith(person.code, what)})[0]`,
    }),
  ),
  "last-words": sourceOfPerson(
    source.text,
    (draw) => {
      const found = drawPersonWithRows(draw, received(draw));
      const last = found && lastOf(found.own);
      return last && canMention(draw.split, last.text) ? { ...found, last } : undefined;
    },
    ({ person, last }) => ({
      value: last.text,
      words: `the text of the newest message I received from ${person.words}`,
      code: `apis.messages.list({from:${person.code},size:1}).items[0].text`,
    }),
  ),
}));

const inside = (rows: readonly { readonly chat: number }[], db: Reader) =>
  rows.filter(({ chat }) => isInside(db, chat)).length;

export const messageFacts = facts("messages", ({ fact }) => ({
  unread: fact(
    "number",
    (db) => db.where(texts, { outgoing: false, unread: true }).length,
    "apis.messages.unread({}).messages",
  )`the number of my unread messages | the count of unread messages in Messages
    | the number of messages I have not read
    | the total number of unread messages | the number of messages that wait to be read`,
  "unread-posts": fact(
    "number",
    (db) => inside(db.where(posts, { unread: true }), db),
    "apis.messages.unread({}).posts",
  )`the number of unread posts in my chats | the count of unread chat posts | the number of posts in
    my chats that I have not read | the total number of unread posts in group chats
    | the number of chat posts that wait to be read`,
  "open-polls": fact(
    "number",
    (db) => inside(db.where(polls, { closed: false }), db),
    `${allItemsExpression("messages.polls", "closed:false")}.length`,
  )`the number of open polls in my chats | the count of chat polls that are open
    | the number of polls in my chats that are not closed
    | the total number of open polls in group chats | the number of polls in my chats still open`,
}));
