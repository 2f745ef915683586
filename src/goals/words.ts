/**
 * The sentences around the parts. Every template has at least five alternatives that mean exactly the same. The last
 * two are reserved for the test splits, so no training task has the same words as a test task.
 */
import type { Rng } from "../core/index.ts";
import type { ComposedSplit } from "../spec/index.ts";
import type { Alternatives } from "./parts.ts";

/** Chooses among alternatives. It has its own random stream, so that a paraphrase changes only words. */
export class WordingChooser {
  readonly #rng: Rng;
  readonly #test: boolean;

  constructor(rng: Rng, split: ComposedSplit) {
    this.#rng = rng;
    this.#test = split.startsWith("test");
  }

  pick<T>(alternatives: Alternatives<T>): T {
    const kept = alternatives.length - 2;
    return this.#test
      ? alternatives[this.#rng.integer(kept, kept + 1)]!
      : alternatives[this.#rng.integer(0, kept - 1)]!;
  }
}

/**
 * Determiners. What is done to a set is done to `every` thing in it, and what belongs to a set belongs to `any` of its
 * things. "At least one of" is not used, because it would leave open whether one is enough.
 */
export const DETERMINERS: Alternatives<{
  readonly [D in "every" | "any"]: (many: string) => string;
}> = [
  { every: (many) => `all ${many}`, any: (many) => `any one of the ${many}` },
  { every: (many) => `all the ${many}`, any: (many) => `any one or more of the ${many}` },
  { every: (many) => `each of the ${many}`, any: (many) => `any single one of the ${many}` },
  { every: (many) => `all of the ${many}`, any: (many) => `any of the ${many}` },
  { every: (many) => `every single one of the ${many}`, any: (many) => `even one of the ${many}` },
];

/** Returns phrases for people who do something to each of several things. `does` is a verb phrase: `is a guest of`. */
export function everyoneWhoDoesToEach(does: string): Alternatives<(noun: string) => string> {
  return [
    (noun) => `everyone who ${does} each and every one of ${noun}`,
    (noun) => `whoever ${does} each single one of ${noun}`,
    (noun) => `everybody who ${does}, without exception, each of ${noun}`,
    (noun) => `whoever ${does} every single one of ${noun}`,
    (noun) => `everyone who ${does} each one, without exception, of ${noun}`,
  ];
}

const ANY_PATTERN = /\b(any|ones?|more) of (these: )?$|\bamong $/;

/** Returns true when the words before the noun already say that one thing of the set is enough. */
export function saysOneIsEnough(form: (noun: string) => string): boolean {
  const mark = "\u0000";
  return ANY_PATTERN.test(form(mark).split(mark)[0]!);
}

const isRelativeClause = (clause: string) =>
  /^((in|to|from|with|on|by|of|for|at) )?(that|which|who|whose|where|whom)\b/.test(clause);

/** Joins clauses. Two relative clauses need a conjunction, but a phrase after a noun does not. */
export function joinClauses(clauses: readonly string[]): string {
  return clauses.reduce((text, clause, i) => {
    if (i === 0) return clause;
    return isRelativeClause(clauses[i - 1]!) && isRelativeClause(clause)
      ? `${text} and ${clause}`
      : `${text} ${clause}`;
  }, "");
}

/** Orders clauses so that they read well: phrases first, then relative clauses. */
export function orderClauses<T extends { readonly text: string }>(clauses: readonly T[]): T[] {
  const clauseRank = ({ text }: T) => (isRelativeClause(text) ? 1 : 0);
  return clauses.toSorted((a, b) => clauseRank(a) - clauseRank(b));
}

export const EXCEPT_NOUNS: Alternatives<(left: string, right: string) => string> = [
  (left, right) => `${left}, except ${right}`,
  (left, right) => `${left} but without ${right}`,
  (left, right) => `${left}, leaving out ${right}`,
  (left, right) => `${left}, apart from ${right}`,
  (left, right) => `${left}, with the exception of ${right}`,
];

export const ALSO_NOUNS: Alternatives<(left: string, right: string) => string> = [
  (left, right) => `those of ${left} who are also among ${right}`,
  (left, right) => `only those of ${left} who are among ${right} too`,
  (left, right) => `whoever is both among ${left} and among ${right}`,
  (left, right) => `the ones of ${left} who are at the same time among ${right}`,
  (left, right) => `anyone who counts among ${left} and also among ${right}`,
];

export const COUNT_QUESTIONS: Alternatives<(many: string) => string> = [
  (many) => `How many ${many} can you find`,
  (many) => `Count the ${many}`,
  (many) => `Tell me the number of ${many}`,
  (many) => `What is the number of ${many}`,
  (many) => `Work out how many ${many} there are`,
];

export const SUM_QUESTIONS: Alternatives<(field: string, many: string) => string> = [
  (field, many) => `What is the total ${field} of the ${many}`,
  (field, many) => `Add up the ${field} of all ${many} and tell me the sum`,
  (field, many) => `Sum the ${field} over all ${many}`,
  (field, many) => `Work out the ${field} of all ${many} taken together`,
  (field, many) => `Which total does the ${field} of the ${many} come to`,
];

export const AVERAGE_QUESTIONS: Alternatives<(field: string, many: string) => string> = [
  (field, many) => `What is the average ${field} of the ${many}, rounded to two decimals`,
  (field, many) => `Work out the mean ${field} of all ${many}, to two decimals`,
  (field, many) => `Tell me the average ${field} over all ${many}, to two decimals`,
  (field, many) => `On average, what is the ${field} of the ${many}? Round to two decimals`,
  (field, many) => `Compute the mean of the ${field} of all ${many} and round it to two decimals`,
];

export const LIST_QUESTIONS: Alternatives<(field: string, many: string) => string> = [
  (field, many) => `Give me a list with the ${field} of each of the ${many}`,
  (field, many) => `List the ${field} of all ${many}`,
  (field, many) => `For all ${many}, tell me the ${field}, as a list`,
  (field, many) => `I need the ${field} of each of the ${many}, as a list`,
  (field, many) => `Answer with a list that has the ${field} of every one of the ${many}`,
];

export const EXTREME_QUESTIONS: Alternatives<
  (label: string, rank: string, many: string) => string
> = [
  (label, rank, many) => `What is the ${label} of the ${rank} of the ${many}`,
  (label, rank, many) => `Tell me the ${label} of the ${rank} among the ${many}`,
  (label, rank, many) => `Find the ${rank} of the ${many} and answer with its ${label}`,
  (label, rank, many) => `I want to know the ${label} of the ${rank} of all ${many}`,
  (label, rank, many) => `Look for the ${rank} one among the ${many} and give me its ${label}`,
];

/** Lowers the first letter of a sentence that other words precede. */
type Lower = (sentence: string) => string;

export const MORE_THAN_CONDITIONS: Alternatives<(many: string, limit: number) => string> = [
  (many, limit) => `there are more than ${limit} ${many}`,
  (many, limit) => `the number of ${many} is above ${limit}`,
  (many, limit) => `you find more than ${limit} ${many}`,
  (many, limit) => `the count of ${many} is greater than ${limit}`,
  (many, limit) => `${many} number more than ${limit}`,
];

export const ABOVE_CONDITIONS: Alternatives<(what: string, limit: string) => string> = [
  (what, limit) => `${what} is above ${limit}`,
  (what, limit) => `${what} is more than ${limit}`,
  (what, limit) => `${what} is higher than ${limit}`,
  (what, limit) => `${what} exceeds ${limit}`,
  (what, limit) => `${what} is greater than ${limit}`,
];

export const BRANCH_SENTENCES: Alternatives<
  (lower: Lower, condition: string, then: string, otherwise: string) => string
> = [
  (lower, condition, then, otherwise) =>
    `If ${condition}, ${lower(then)}. Otherwise, ${lower(otherwise)}`,
  (lower, condition, then, otherwise) =>
    `If ${condition}, ${lower(then)}; if not, ${lower(otherwise)}`,
  (lower, condition, then, otherwise) =>
    `Should it be that ${condition}, ${lower(then)}; otherwise ${lower(otherwise)}`,
  (lower, condition, then, otherwise) =>
    `Check whether ${condition}. If so, ${lower(then)}. If not, ${lower(otherwise)}`,
  (lower, condition, then, otherwise) =>
    `In case ${condition}, ${lower(then)}, or else ${lower(otherwise)}`,
];

export const BOTH_SENTENCES: Alternatives<(lower: Lower, first: string, second: string) => string> =
  [
    (lower, first, second) => `${first}. Also, ${lower(second)}`,
    (lower, first, second) => `${first}. And please ${lower(second)}`,
    (lower, first, second) => `Two things: ${lower(first)}, and ${lower(second)}`,
    (lower, first, second) => `${first}. Besides that, ${lower(second)}`,
    (_, first, second) => `I need two things done. ${first}. ${second}`,
  ];

export const SECOND_ACTION_SENTENCES: Alternatives<
  (lower: Lower, first: string, second: string) => string
> = [
  (lower, first, second) => `${first}, and also ${lower(second)}`,
  (lower, first, second) => `${first}. Also, ${lower(second)}`,
  (lower, first, second) => `${first} and ${lower(second)}`,
  (lower, first, second) => `${first}, and in addition ${lower(second)}`,
  (lower, first, second) => `${first}. On top of that, ${lower(second)}`,
];

/** Ends a sentence: a question gets a question mark, everything else a full stop. */
export function addPunctuation(sentence: string): string {
  const last = sentence.slice(sentence.lastIndexOf(". ") + 1).trim();
  const asks =
    /^((And please|Also,|Besides that,|Two things: .*, and) )?(how many|what is|which total|on average)\b/i.test(
      last,
    ) && !last.includes("?");
  return asks ? `${sentence}?` : `${sentence}.`;
}

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** Formats a day in words: `2026-03-19` as `19 March 2026`. */
export function dayInWords(day: string): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return `${date} ${MONTHS[month - 1]} ${year}`;
}

/** Formats cents as dollars: `$24.50`, and whole dollars as `$24`. */
export function moneyInWords(cents: number): string {
  return `$${cents % 100 === 0 ? cents / 100 : (cents / 100).toFixed(2)}`;
}
