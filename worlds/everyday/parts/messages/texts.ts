/** Collections of texts: received texts, those about payments, sent texts and scheduled texts. */
import {
  type Columns,
  dayInWords,
  declareColumns,
  defineCollection,
  drawLowerBound,
  drawnOnlyIfMixed,
  jsLiteral,
  nouns,
  wordList,
} from "bowline/goals";
import { type ScheduledText, scheduledTexts } from "../../apps/messages/tables.ts";
import { type Text, texts } from "../../apps/tables.ts";
import {
  containsWord,
  markColumn,
  mentionColumn,
  mixedPropertyColumn,
} from "../contacts/contacts-and-messages.ts";
import { addDays } from "../days.ts";

type TextWithPerson = { readonly id: number; readonly person: number; readonly text: string };

const TEXT_WORDS =
  wordList(`paid | dinner | tickets | keys | receipt | split | late | invited | starts
  | wine | groceries | fuel | umbrella | dog | birthday | recipe`);

/** Declares the column for the sender or receiver of texts. The column has the name of the list API's argument. */
const otherSideColumn = <R extends TextWithPerson>(
  [param, noun, verb]: readonly string[],
  excludes: readonly string[] = [],
): Columns<R> =>
  declareColumns<R>(({ byArgument, person }) => ({
    [param!]: drawnOnlyIfMixed(
      person((row) => row.person, byArgument(param!), { excludes })`${param} $ | that ${verb} $
        | whose ${noun} is $ | with $ as the ${noun} | that have $ as their ${noun}`,
    ),
  }));

const SENDER_WORDS = ["from", "sender", "came from"];
const RECEIVER_WORDS = ["to", "receiver", "are to"];

/** Declares columns for the wording of sent and received texts. */
const wordingColumns = <R extends TextWithPerson>(): Columns<R> =>
  declareColumns<R>(({ text }) => ({
    mentions: mentionColumn((row) => row.text, {
      words: TEXT_WORDS,
      code: (literal) => ({ test: `x.text.toLowerCase().includes(${literal})` }),
    }),
    asks: mixedPropertyColumn((row: R) => row.text.endsWith("?"), {
      test: 'x.text.endsWith("?")',
    })`that end with a
      question mark | whose last character is a question mark | which end in a question mark
      | with a question mark at the end | that have a question mark as their last character`,
    money: mixedPropertyColumn((row: R) => row.text.includes("$"), {
      test: 'x.text.includes("$")',
    })`that contain
      an amount in dollars | with a dollar amount in them | in which a dollar amount is written
      | that have an amount in dollars in their text | which name a sum in dollars`,
    text: text((row) => row.text, { item: "text", noun: "text" }),
  }));

export const receivedCollection = defineCollection<Text>({
  kind: "texts",
  app: "messages",
  table: texts,
  includes: ({ outgoing }) => !outgoing,
  list: "list",
  nouns: nouns`message I received / messages I received | received message(s)
    | received message(s) in Messages | message I got in Messages / messages I got in Messages
    | message(s) that reached me in Messages`,
  columns: {
    ...otherSideColumn<Text>(SENDER_WORDS),
    unread: markColumn<Text>("unread", ["starred", "asks"])`that are unread | I have not read yet
      | that I have yet to read | which are still unread | that have not been read`,
    starred: markColumn<Text>("starred", ["unread", "asks"])`with a star | that are starred
      | which I have starred | that carry a star | marked with a star`,
    ...wordingColumns<Text>(),
  },
});

/** Returns the amount in the text in cents, or 0 when there is none. */
export function centsInText(text: string): number {
  return Math.round(Number(/\$(\d+\.\d\d)/.exec(text)?.[1] ?? 0) * 100);
}
const AMOUNT_CODE = "Number((/\\$(\\d+\\.\\d\\d)/.exec(x.text)||[0,0])[1])";

const PAID_THINGS =
  wordList(`dinner | wine | taxi | lodge | fuel | groceries | tickets | drinks | gift
  | cake | flowers | fee | materials`);

const dayOfText = ({ at }: Text) => at.slice(0, 10);

export const paidCollection = defineCollection<Text>({
  name: "paid-texts",
  kind: "texts",
  app: "messages",
  table: texts,
  includes: ({ outgoing, text }) => !outgoing && containsWord(text, "paid"),
  list: { api: "list", args: 'query:"paid"' },
  nouns: nouns`message in which someone says they paid / messages in which someone says they paid
    | message that says what its sender paid / messages that say what their sender paid
    | received message about what its sender paid / received messages about what their sender paid
    | message I got about what its sender paid / messages I got about what their sender paid
    | received message that says "paid" / received messages that say "paid"`,
  columns: ({ atLeast, atMost, drawnClause, day, alternatives, money, superlatives, text }) => ({
    ...otherSideColumn<Text>(SENDER_WORDS, ["since", "at-least", "at-most"]),
    since: drawnClause(({ rng }, rows) => {
      const first = drawLowerBound(rng, rows.map(dayOfText));
      if (first === undefined) return undefined;
      const day = addDays(first, -1);
      const words = dayInWords(day);
      return {
        words: alternatives`that came after ${words} | received after ${words}
          | which I got later than ${words} | that reached me after ${words}
          | with a date after ${words}`,
        holds: (row) => dayOfText(row) > day,
        code: { args: `since:${jsLiteral(first)}` },
      };
    }),
    for: mentionColumn((row) => row.text, {
      words: PAID_THINGS.map((thing) => `the ${thing} at`),
      code: (literal) => ({ test: `x.text.includes(${literal})` }),
      phrase: (phraseWord) => {
        const thing = phraseWord.replace(/ at$/, "");
        return alternatives`that are about ${thing} | for ${thing} | which speak of ${thing}
          | where ${thing} was paid | concerning ${thing}`;
      },
    }),
    text: text((row) => row.text, { item: "text", noun: "text" }),
    amount: money(
      ({ text }) => centsInText(text),
      { code: AMOUNT_CODE, noun: "amount named" },
      superlatives`most expensive / cheapest | costliest / cheapest
          | most expensive / least expensive | most expensive / cheapest
          | priciest / cheapest`,
      atLeast("at-least", {
        excludes: ["at-most"],
      })`that speak of $ or more | with an amount of at least $
        | whose amount is at least $
        | that name an amount of at least $ | in which the amount is at least $`,
      atMost("at-most", {
        excludes: ["at-least"],
      })`that speak of $ or less | with an amount of at most $
        | whose amount is at most $
        | that name an amount of at most $ | in which the amount is at most $`,
    ),
    moment: day(({ at }) => `${at.slice(0, 10)} ${at.slice(11, 16)}`, {
      code: '(x.day+" "+x.time)',
      noun: "date",
      superlatives: superlatives`newest / oldest | latest / earliest | most recent / oldest |
        newest / oldest | most recent / earliest`,
    }),
  }),
});

export const sentCollection = defineCollection<Text>({
  name: "sent-texts",
  kind: "sent texts",
  app: "messages",
  table: texts,
  includes: ({ outgoing }) => outgoing,
  list: "sent",
  nouns: nouns`message I sent / messages I sent | sent message(s) | sent message(s) in Messages
    | message(s) of mine in Messages | message(s) that I sent in Messages`,
  columns: {
    ...otherSideColumn<Text>(RECEIVER_WORDS, ["asks", "money"]),
    ...wordingColumns<Text>(),
  },
});

export const scheduledCollection = defineCollection<ScheduledText>({
  name: "scheduled",
  kind: "scheduled texts",
  app: "messages",
  table: scheduledTexts,
  includes: ({ cancelled }) => !cancelled,
  list: "scheduled",
  nouns: nouns`scheduled message(s) | message(s) waiting to leave later
    | scheduled text(s) in Messages | scheduled message(s) of mine | waiting scheduled message(s)`,
  columns: ({ atLeast, day, superlatives }) => ({
    ...otherSideColumn<ScheduledText>(RECEIVER_WORDS, ["leaving", "mentions", "asks"]),
    day: day(
      (row) => row.day,
      { item: "day" },
      atLeast("leaving")`that leave on $ or later | due to leave on $ or later
        | whose day is $ or later | planned for $ or later | that go out no earlier than $`,
    ),
    ...wordingColumns<ScheduledText>(),
    moment: day(({ day, time }) => `${day} ${time}`, {
      code: '(x.day+" "+x.time)',
      noun: "date",
      superlatives: superlatives`latest / earliest | last / first | latest / next | last / first
          | latest / earliest`,
    }),
  }),
  clauses: "to leaving mentions",
});
