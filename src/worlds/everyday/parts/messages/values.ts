/** Facts that stand in what people wrote: what somebody paid, when something starts, what was said last. */
import type { Draw, Fact, Source } from "../../../../goals/index.ts";
import { chats, polls, posts } from "../../apps/messages/tables.ts";
import { type Text, texts } from "../../apps/tables.ts";
import { every, js, looked, TODAY } from "../contacts/common.ts";
import { mentionable } from "../mentionable.ts";
import { centsIn } from "./paid.ts";

const received = (draw: Draw) => draw.db.where(texts, { outgoing: false });

/** An expression for the only text from the person that has these words. */
const textWith = (person: string, words: string) =>
  `${every("messages.list", `from:${person}`)}.find(x=>x.text.includes(${js(words)})).text`;

export const BILL = /the [a-z ]+ at the [A-Z]\w+ [A-Z]\w+/;

/** Whoever paid wrote so; the amount stands somewhere in the sentence. */
const paid: Source<"money"> = {
  name: "paid",
  type: "money",
  app: "messages",
  draw: (draw) => {
    const telling = received(draw).filter(({ text }) => centsIn(text) > 0 && BILL.test(text));
    const person = draw.person(telling.map((row) => row.person));
    const own = telling.filter((row) => row.person === person?.value.id);
    if (!person || own.length === 0) return undefined;
    const { text } = draw.rng.pick(own);
    const thing = BILL.exec(text)![0];
    if (own.filter((row) => row.text.includes(thing)).length !== 1) return undefined;
    return looked(draw, person, "messages", {
      value: centsIn(text),
      words: `what ${person.words} paid for ${thing} according to the message from ${person.words}`,
      code: `Number(/\\$(\\d+\\.\\d\\d)/.exec(${textWith(person.code, thing)})[1])`,
    });
  },
};

export const DAY = /\d{4}-\d\d-\d\d/;

/** `Dinner at the Copper Fox`, from a text that says when it starts. */
export const AHEAD =
  /(?:Dinner|Concert|Birthday|Match|Workshop) at the [A-Z]\w+ [A-Z]\w+|Picnic by the [A-Z]\w+ [A-Z]\w+/;

function told(draw: Draw) {
  const telling = received(draw).filter(
    ({ text }) => AHEAD.test(text) && (DAY.exec(text)?.[0] ?? "") > TODAY,
  );
  const person = draw.person(telling.map((row) => row.person));
  const own = telling.filter((row) => row.person === person?.value.id);
  if (!person || own.length === 0) return undefined;
  const { text } = draw.rng.pick(own);
  const title = AHEAD.exec(text)![0];
  const alone = received(draw).filter(
    (row) => row.person === person.value.id && row.text.includes(title),
  );
  return alone.length === 1 ? { person, text, title } : undefined;
}

const starts: Source<"day"> = {
  name: "starts",
  type: "day",
  app: "messages",
  draw: (draw) => {
    const found = told(draw);
    if (!found) return undefined;
    const { person, text, title } = found;
    return looked(draw, person, "messages", {
      value: DAY.exec(text)![0],
      words: `the day that the message from ${person.words} gives for "${title}"`,
      code: `/\\d{4}-\\d\\d-\\d\\d/.exec(${textWith(person.code, title)})[0]`,
    });
  },
};

/** Nobody else wrote at that moment, so it is clear which text was the last. */
const lastOf = (rows: readonly Text[]): Text | undefined => {
  const [last, other] = rows.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  return last && last.at !== other?.at ? last : undefined;
};

const lastWords: Source<"text"> = {
  name: "last-words",
  type: "text",
  app: "messages",
  draw: (draw) => {
    const all = received(draw);
    const person = draw.person(all.map((row) => row.person));
    const last = person && lastOf(all.filter((row) => row.person === person.value.id));
    if (!last || !mentionable(draw.split, last.text)) return undefined;
    return looked(draw, person, "messages", {
      value: last.text,
      words: `the text of the newest message I received from ${person.words}`,
      code: `apis.messages.list({from:${person.code},size:1}).items[0].text`,
    });
  },
};

export const messageSources: readonly Source[] = [paid, starts, lastWords];

export const messageFacts: readonly Fact[] = [
  {
    name: "unread",
    app: "messages",
    unit: "number",
    words: [
      "the number of my unread messages",
      "the count of unread messages in Messages",
      "the number of messages I have not read",
      "the total number of unread messages",
      "the number of messages that wait to be read",
    ],
    value: (db) => db.where(texts, { outgoing: false, unread: true }).length,
    code: "apis.messages.unread({}).messages",
  },
  {
    name: "unread-posts",
    app: "messages",
    unit: "number",
    words: [
      "the number of unread posts in my chats",
      "the count of unread chat posts",
      "the number of posts in my chats that I have not read",
      "the total number of unread posts in group chats",
      "the number of chat posts that wait to be read",
    ],
    value: (db) =>
      db
        .where(posts, { unread: true })
        .filter(({ chat }) => db.get(chats, chat)!.role !== "removed").length,
    code: "apis.messages.unread({}).posts",
  },
  {
    name: "open-polls",
    app: "messages",
    unit: "number",
    words: [
      "the number of open polls in my chats",
      "the count of chat polls that are open",
      "the number of polls in my chats that are not closed",
      "the total number of open polls in group chats",
      "the number of polls in my chats still open",
    ],
    value: (db) =>
      db
        .where(polls, { closed: false })
        .filter(({ chat }) => db.get(chats, chat)!.role !== "removed").length,
    code: `${every("messages.polls", "closed:false")}.length`,
  },
];
