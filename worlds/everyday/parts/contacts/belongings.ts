/** Collections of what the owner noted about people: gifts, meetings and remarks. */
import {
  alternatives,
  atLeast,
  atMost,
  byArgument,
  type Columns,
  dayInWords,
  declareColumns,
  defineCollection,
  drawnOnlyIfMixed,
  drawSelectiveValue,
  drawUpperBound,
  jsLiteral,
  nouns,
  superlatives,
} from "bowline/goals";
import type { TableRow } from "bowline/world";
import {
  type Gift,
  gifts,
  type Meeting,
  meetings,
  type Remark,
  remarks,
} from "../../apps/contacts/tables.ts";
import { HAPPENING_KINDS, placesOfPart } from "../../life/life.ts";
import { addDays } from "../days.ts";
import { containsWord, markColumn, mentionColumn } from "./contacts-and-messages.ts";

/**
 * Declares a column for the person whom the rows are about. `preposition` is a word of the phrase.
 */
const personColumns = <R extends TableRow & { readonly person: number }>(
  preposition: string,
): Columns<R> =>
  declareColumns<R>(({ person }) => ({
    person: drawnOnlyIfMixed(
      person((row) => row.person, byArgument("person"))`
        ${preposition} $ | noted ${preposition} $ | that are ${preposition} $
        | which are noted ${preposition} $ | that I have noted ${preposition} $`,
    ),
  }));

export const giftCollection = defineCollection<Gift>({
  kind: "gifts",
  app: "contacts",
  table: gifts,
  list: "gifts",
  nouns: nouns`gift idea(s) in Contacts | gift(s) in Contacts
    | gift idea of my contacts list / gift ideas in my contacts list
    | gift idea(s) listed in Contacts | idea for a gift in Contacts / ideas for gifts in Contacts`,
  columns: ({ choice, money }) => ({
    ...personColumns<Gift>("for"),
    open: markColumn<Gift>("given", ["given"], false)`not given yet | that are still open
      | that I have not given | which are not given so far | that remain to be given`,
    given: markColumn<Gift>("given", ["open"])`already given | that I have given
      | that are given already | which were given | that count as given`,
    amount: money(
      "cents",
      { item: "amount", noun: "price" },
      superlatives`most expensive / cheapest | costliest / cheapest
          | most expensive / least expensive | most expensive / cheapest
          | priciest / cheapest`,
      atLeast("dear", { excludes: ["cheap"] })`that cost $ or more | for at least $
        | with a price of $ or more | whose price is at least $ | that cost no less than $`,
      atMost("cheap", { excludes: ["dear"] })`that cost $ or less | for at most $
        | with a price of $ or less | whose price is at most $ | that cost no more than $`,
    ),
    idea: choice("idea", { noun: "idea" })`that are "$" | with the idea "$" | whose idea is "$"
      | noted as "$" | which say "$"`,
  }),
  fields: "idea amount",
});

export const meetingCollection = defineCollection<Meeting>({
  kind: "meetings",
  app: "contacts",
  table: meetings,
  list: "meetings",
  nouns: nouns`meeting(s) in Contacts | meeting(s) logged in Contacts | meeting(s) noted in Contacts
    | meeting(s) kept in Contacts | logged meeting(s) of Contacts`,
  columns: ({ day, matchingValue, text }) => ({
    ...personColumns<Meeting>("with"),
    /** The list API takes only one query, so a task asks for a place or for a word, but not for both. */
    place: drawnOnlyIfMixed(
      matchingValue(
        ({ rng, split }, rows) => {
          const places = placesOfPart(split);
          const placesInOccasions = rows.flatMap(({ occasion }) =>
            places.filter((p) => occasion.includes(p)),
          );
          return drawSelectiveValue(rng, placesInOccasions);
        },
        ({ occasion }, place) => containsWord(occasion, place.toLowerCase()),
        byArgument("query"),
        { excludes: ["occasion", "after", "until"] },
      )`at the place $ | whose occasion mentions $ | with $ in the occasion
        | that name $ in their occasion | for which $ stands in the occasion`,
    ),
    occasion: mentionColumn((row) => row.occasion, {
      words: HAPPENING_KINDS,
      code: byArgument("query"),
      phrase: (word) => alternatives`with the word "${word}" in the occasion
        | whose occasion contains the word "${word}"
        | that have the word "${word}" in their occasion | whose occasion has "${word}" in it
        | with an occasion that contains "${word}"`,
      excludes: ["place", "after", "until"],
    }),
    title: text("occasion", { noun: "occasion", field: "occasion" }),
    day: day(
      "day",
      { noun: "day" },
      atLeast("after", { excludes: ["until", "person"] })`on $ or later
        | that took place no earlier than $ | that were on $ or later | dated $ or later
        | whose day is $ or later`,
    ),
    until: matchingValue(
      ({ rng }, rows) => {
        const last = drawUpperBound(
          rng,
          rows.map((row) => row.day),
        );
        return last && addDays(last, 1);
      },
      (row, day) => row.day < day,
      byArgument("before"),
      { toWords: dayInWords, excludes: ["after", "person"] },
    )`before $ | that took place earlier than $ | that were before $ | dated before $
      | whose day is earlier than $`,
  }),
  clauses: "person after until place occasion",
});

const REMARK_WORDS = [
  "allergic",
  "likes",
  "drinks",
  "plays",
  "speaks",
  "keeps",
  "owe",
  "away",
  "lent",
];

export const remarkCollection = defineCollection<Remark>({
  kind: "remarks",
  app: "contacts",
  table: remarks,
  list: "remarks",
  nouns: nouns`remark(s) in Contacts | remark(s) noted in Contacts | remark(s) from Contacts
    | remark(s) kept in Contacts | remark(s) on people in Contacts`,
  columns: ({ choice }) => ({
    ...personColumns<Remark>("about"),
    word: mentionColumn((row) => row.text, { words: REMARK_WORDS, code: byArgument("query") }),
    text: choice("text", { noun: "text" }, { toWords: jsLiteral, excludes: ["word"] })`that read $
      | with the text $ | whose text is $ | which say $ | that consist of $`,
  }),
});
