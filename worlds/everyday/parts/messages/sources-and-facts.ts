/**
 * Values that other parts can look up in messages (what somebody paid, when something starts, what was written last),
 * and facts about all messages.
 */
import { allItemsExpression, type DrawContext, facts, jsLiteral, sources } from "bowline/goals";
import type { Reader } from "bowline/world";
import { polls, posts } from "../../apps/messages/tables.ts";
import { type Text, texts } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { drawPersonWithRows, sourceOfPerson } from "../contacts/contacts-and-messages.ts";
import { canMention } from "../mentionable.ts";
import { isOwnerInChat } from "./chat-rules.ts";
import { centsInText } from "./texts.ts";

export const PAID_THING_PATTERN = /the [a-z ]+ at the [A-Z]\w+ [A-Z]\w+/;
export const DAY_PATTERN = /\d{4}-\d\d-\d\d/;
/** Matches the title of an event in a text about its start: `Dinner at the Copper Fox`. */
export const EVENT_PATTERN =
  /(?:Dinner|Concert|Birthday|Match|Workshop) at the [A-Z]\w+ [A-Z]\w+|Picnic by the [A-Z]\w+ [A-Z]\w+/;

const receivedTexts = (draw: DrawContext) => draw.db.where(texts, { outgoing: false });

/**
 * Draws a text of a person in which the pattern finds a match. Of the texts `rivals`, no other text of this person has
 * the same match.
 */
function drawTextWithMatch(
  draw: DrawContext,
  pattern: RegExp,
  fits: (row: Text) => boolean,
  isRival = fits,
) {
  const fitting = receivedTexts(draw).filter((row) => fits(row) && pattern.test(row.text));
  const found = drawPersonWithRows(draw, fitting);
  if (!found) return undefined;
  const { person, own } = found;
  const { text } = draw.rng.pick(own);
  const match = pattern.exec(text)![0];
  const rivalTexts = receivedTexts(draw).filter(
    (row) => row.person === person.value.id && row.text.includes(match) && isRival(row),
  );
  return rivalTexts.length === 1 ? { person, text, what: match } : undefined;
}

const isAnyText = () => true;
const namesAmount = ({ text }: Text) => centsInText(text) > 0;
const namesFutureDay = ({ text }: Text) => (DAY_PATTERN.exec(text)?.[0] ?? "") > TODAY;

/** Writes an expression for the only text from the person that contains these words. */
const textWithWordsCode = (person: string, words: string) =>
  `${allItemsExpression("messages.list", `from:${person}`)}.find(x=>x.text.includes(${jsLiteral(words)})).text`;

/** Returns the latest text, or undefined when another text has the same time. */
const onlyLastText = (rows: readonly Text[]): Text | undefined => {
  const [last, other] = rows.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  return last && last.at !== other?.at ? last : undefined;
};

export const messageSources = sources("messages", ({ source }) => ({
  /** The person who paid wrote a text about it, with the amount somewhere in the sentence. */
  paid: sourceOfPerson(
    source.money,
    (draw) => drawTextWithMatch(draw, PAID_THING_PATTERN, namesAmount),
    ({ person, text, what }) => ({
      value: centsInText(text),
      words: `what ${person.words} paid for ${what} according to the message from ${person.words}`,
      code: `Number(/\\$(\\d+\\.\\d\\d)/.exec(${textWithWordsCode(person.code, what)})[1])`,
    }),
  ),
  starts: sourceOfPerson(
    source.day,
    (draw) => drawTextWithMatch(draw, EVENT_PATTERN, namesFutureDay, isAnyText),
    ({ person, text, what }) => ({
      value: DAY_PATTERN.exec(text)![0],
      words: `the day that the message from ${person.words} gives for "${what}"`,
      code: `/\\d{4}-\\d\\d-\\d\\d/.exec(${textWithWordsCode(person.code, what)})[0]`,
    }),
  ),
  "last-words": sourceOfPerson(
    source.text,
    (draw) => {
      const found = drawPersonWithRows(draw, receivedTexts(draw));
      const last = found && onlyLastText(found.own);
      return last && canMention(draw.split, last.text) ? { ...found, last } : undefined;
    },
    ({ person, last }) => ({
      value: last.text,
      words: `the text of the newest message I received from ${person.words}`,
      code: `apis.messages.list({from:${person.code},size:1}).items[0].text`,
    }),
  ),
}));

const countInOwnChats = (rows: readonly { readonly chat: number }[], db: Reader) =>
  rows.filter(({ chat }) => isOwnerInChat(db, chat)).length;

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
    (db) => countInOwnChats(db.where(posts, { unread: true }), db),
    "apis.messages.unread({}).posts",
  )`the number of unread posts in my chats | the count of unread chat posts | the number of posts in
    my chats that I have not read | the total number of unread posts in group chats
    | the number of chat posts that wait to be read`,
  "open-polls": fact(
    "number",
    (db) => countInOwnChats(db.where(polls, { closed: false }), db),
    `${allItemsExpression("messages.polls", "closed:false")}.length`,
  )`the number of open polls in my chats | the count of chat polls that are open
    | the number of polls in my chats that are not closed
    | the total number of open polls in group chats | the number of polls in my chats still open`,
}));
