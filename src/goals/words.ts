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
    const allowed = this.allowed(alternatives);
    return allowed[this.#rng.integer(0, allowed.length - 1)]!;
  }

  /** Returns the alternatives that the split may use. */
  allowed<T>(alternatives: Alternatives<T>): readonly T[] {
    return this.#test ? alternatives.slice(-2) : alternatives.slice(0, -2);
  }
}

/**
 * Determiners. What is done to a set is done to `every` thing in it, and what belongs to a set belongs to `any` of its
 * things. "At least one of" is not used, because it would leave open whether one is enough.
 */
export const DETERMINERS: Alternatives<{
  readonly [D in "every" | "any"]: (many: string) => string;
}> = [
  { every: (many) => `all the ${many}`, any: (many) => `any one of the ${many}` },
  { every: (many) => `each one of the ${many}`, any: (many) => `one or more of the ${many}` },
  { every: (many) => `each of the ${many}`, any: (many) => `one or more of the ${many}` },
  { every: (many) => `all of the ${many}`, any: (many) => `any of the ${many}` },
  { every: (many) => `every one of the ${many}`, any: (many) => `one or more of the ${many}` },
];

/** Returns phrases for people who do something to each of several things. `does` is a verb phrase: `is a guest of`. */
export function everyoneWhoDoesToEach(does: string): Alternatives<(noun: string) => string> {
  return [
    (noun) => `everyone who ${does} each and every one of ${noun}`,
    (noun) => `whoever ${does} each one of ${noun}`,
    (noun) => `everybody who ${does} each of ${noun} and not only some`,
    (noun) => `whoever ${does} every single one of ${noun}`,
    (noun) => `everyone who ${does} each of ${noun} without exception`,
  ];
}

const ANY_PATTERN = /\b(any|ones?|more) of (these: )?$|\bamong $/;

/** Returns true when the words before the noun already say that one thing of the set is enough. */
export function saysOneIsEnough(form: (noun: string) => string): boolean {
  const mark = "\u0000";
  return ANY_PATTERN.test(form(mark).split(mark)[0]!);
}

const isRelativeClause = (clause: string) =>
  /^((in|into|to|from|with|on|by|of|for|at) )?(that|which|who|whose|where|whom)\b/.test(clause);

const sharesFirstWord = (a: string, b: string) => a.split(" ")[0] === b.split(" ")[0];

/**
 * Joins clauses. Two relative clauses need a conjunction, as do two phrases with the same first word, but other phrases
 * after a noun do not.
 */
export function joinClauses(clauses: readonly string[]): string {
  return clauses.reduce((text, clause, i) => {
    if (i === 0) return clause;
    const before = clauses[i - 1]!;
    const needsAnd =
      (isRelativeClause(before) && isRelativeClause(clause)) || sharesFirstWord(before, clause);
    return needsAnd ? `${text} and ${clause}` : `${text} ${clause}`;
  }, "");
}

const NOUN_WITH_CLAUSE = /\b(that|which|who|whose|whom|where)\b/;

/** Joins a noun and its clauses. A noun that ends with a relative clause needs a conjunction before another one. */
export function joinNoun(noun: string, clauses: readonly string[]): string {
  const [first] = clauses;
  const needsAnd =
    first !== undefined &&
    (isRelativeClause(first)
      ? NOUN_WITH_CLAUSE.test(noun)
      : first.startsWith("with ") && noun.includes(" with "));
  return [noun, needsAnd ? "and" : "", joinClauses(clauses)].filter(Boolean).join(" ");
}

/** Returns true if a phrase after the noun would seem to belong to the relative clause at the end of the noun. */
export const isMisplacedAfter = (noun: string, clause: string): boolean =>
  NOUN_WITH_CLAUSE.test(noun) && !isRelativeClause(clause);

/** Orders clauses so that they read well: phrases first, then relative clauses. */
export function orderClauses<T extends { readonly text: string }>(clauses: readonly T[]): T[] {
  const clauseRank = ({ text }: T) => (isRelativeClause(text) ? 1 : 0);
  return clauses.toSorted((a, b) => clauseRank(a) - clauseRank(b));
}

/** Introduces a set in a sentence of its own. The sentence after it says what is done with it. */
export const CONTEXT_SENTENCES: Alternatives<(the: string) => string> = [
  (the) => `Look at ${the}`,
  (the) => `Look up ${the}`,
  (the) => `Go through ${the}`,
  (the) => `Have a look at ${the}`,
  (the) => `Consider ${the}`,
];

/** Introduces two sets of people in sentences of their own. */
export const TWO_GROUPS_SENTENCES: Alternatives<(first: string, second: string) => string> = [
  (first, second) => `Here are two groups of people. The first: ${first}. The second: ${second}`,
  (first, second) => `Two groups matter here. The first group: ${first}. The second: ${second}`,
  (first, second) => `Think of two groups. The first is ${first}. The second is ${second}`,
  (first, second) => `I have two groups in mind. The first is ${first}. The second is ${second}`,
  (first, second) => `Compare two groups. The first one: ${first}. The second one: ${second}`,
];

/** What is in the first of two groups and not in the second. */
export const EXCEPT_NOUNS: Alternatives = [
  "everyone in the first group but not in the second",
  "those in the first group who are not in the second",
  "whoever is in the first group and not in the second",
  "all in the first group who are not in the second",
  "everybody in the first group, but nobody who is in the second",
];

/** What is in both of two groups. */
export const ALSO_NOUNS: Alternatives = [
  "everyone who is in both groups",
  "those in the first group who are also in the second",
  "whoever belongs to both groups",
  "only those who are in both groups",
  "everybody who is in both of these groups",
];

export const COUNT_QUESTIONS: Alternatives<(many: string) => string> = [
  (many) => `Find out the number of ${many}`,
  (many) => `Count all ${many}`,
  (many) => `Tell me the number of ${many}`,
  (many) => `What is the number of ${many}`,
  (many) => `Count all ${many} and give me the number`,
];

export const SUM_QUESTIONS: Alternatives<(field: string, many: string) => string> = [
  (field, many) => `What is the total ${field} of the ${many}`,
  (field, many) => `Add up the ${field} of all the ${many} and tell me the sum`,
  (field, many) => `What is the total ${field} over all the ${many}`,
  (field, many) => `Add up the ${field} of the ${many} and tell me the total`,
  (field, many) => `Work out the total ${field} of the ${many}`,
];

export const AVERAGE_QUESTIONS: Alternatives<(field: string, many: string) => string> = [
  (field, many) => `What is the average ${field} of the ${many}, rounded to two decimals`,
  (field, many) => `Work out the mean ${field} of the ${many}, to two decimals`,
  (field, many) => `Tell me the average ${field} of the ${many}, to two decimals`,
  (field, many) => `On average, what is the ${field} of the ${many}? Round to two decimals`,
  (field, many) => `Work out the average ${field} of the ${many}, rounded to two decimals`,
];

export const LIST_QUESTIONS: Alternatives<(field: string, many: string) => string> = [
  (field, many) => `Give me a list with the ${field} of each of the ${many}`,
  (field, many) => `List the ${field} for each of the ${many}`,
  (field, many) => `Tell me the ${field} of each of the ${many}, as a list`,
  (field, many) => `I need the ${field} of each of the ${many}, as a list`,
  (field, many) => `List the ${field} of every one of the ${many}`,
];

export const EXTREME_QUESTIONS: Alternatives<
  (label: string, rank: string, many: string, its: "its" | "their") => string
> = [
  (label, rank, many) => `What is the ${label} of the ${rank} of the ${many}`,
  (label, rank, many) => `Tell me the ${label} of the ${rank} one among the ${many}`,
  (label, rank, many, its) => `Find the ${rank} of the ${many} and tell me ${its} ${label}`,
  (label, rank, many) => `Tell me the ${label} of the ${rank} of all the ${many}`,
  (label, rank, many, its) =>
    `Look for the ${rank} one among the ${many} and give me ${its} ${label}`,
];

/** Lowers the first letter of a sentence that other words precede. */
type Lower = (sentence: string) => string;

/**
 * Says that there are `least` or more things. The limit is said as the smallest number that fulfils the condition, so
 * that the noun is always in the plural.
 */
export const AT_LEAST_CONDITIONS: Alternatives<(many: string, least: number) => string> = [
  (many, least) => `there are at least ${least} ${many}`,
  (many, least) => `there are ${least} or more ${many}`,
  (many, least) => `you find at least ${least} ${many}`,
  (many, least) => `there are no fewer than ${least} ${many}`,
  (many, least) => `you find ${least} or more ${many}`,
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
    `See whether ${condition}. If so, ${lower(then)}; otherwise, ${lower(otherwise)}`,
  (lower, condition, then, otherwise) =>
    `Check whether ${condition}. If so, ${lower(then)}. If not, ${lower(otherwise)}`,
  (lower, condition, then, otherwise) =>
    `Determine whether ${condition}. If that is so, ${lower(then)}. Otherwise, ${lower(otherwise)}`,
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

const PARTICLE = /^(\w+) (off|away|back|down|up|out) (them|it)\b/;
const OF_PRONOUN = /\bthe ((?:(?!of\b)[\w-]+ ){0,2}(?!end\b|top\b|of\b)[\w-]+) of (them|it)\b/g;

/** Says a sentence about `them` or `it` as people say it: `call them off`, `their due day`. */
export function sayPronoun(sentence: string): string {
  return sentence
    .replace(PARTICLE, "$1 $3 $2")
    .replace(OF_PRONOUN, (_, noun, pronoun) => `${pronoun === "it" ? "its" : "their"} ${noun}`);
}

/**
 * Puts a verb between a word such as "message" and a text that is looked up elsewhere: `the message consisting of the
 * place of the event`. A text in quotation marks needs none.
 */
export function introduceLookedUp(sentence: string, words: string): string {
  const introduced = ["text", "message", "comment", "post", "note", "draft", "question"].reduce(
    (text, noun) => text.replaceAll(` ${noun} ${words}`, ` ${noun} consisting of ${words}`),
    sentence,
  );
  return introduced.replaceAll(` deadline ${words}`, ` deadline given by ${words}`);
}

/** Ends a sentence: a question gets a question mark, everything else a full stop. */
export function addPunctuation(sentence: string): string {
  const last = sentence.slice(sentence.lastIndexOf(". ") + 1).trim();
  const asks =
    /^((And please|Also,|Besides that,|Two things: .*, and) )?(what is|on average)\b/i.test(last) &&
    !last.includes("?");
  return asks ? `${sentence}?` : `${sentence}.`;
}

/** Counts the relative clauses of a text. What stands in quotation marks is not counted. */
export function countRelativeClauses(text: string): number {
  return (
    text
      .replace(/"[^"]*"/g, '""')
      .match(/\b(that|which|who|whose|whom|where|whoever|whatever|whichever)\b/g)?.length ?? 0
  );
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

const SINGULAR_VERBS: { readonly [plural: string]: string } = {
  are: "is",
  were: "was",
  have: "has",
  do: "does",
  carry: "carries",
  go: "goes",
  ...Object.fromEntries(
    "belong bear block come concern contain cost count date end fit hold include lack last lead lie mention name need own reach remain remind run say show stand start take tell wait weigh"
      .split(" ")
      .map((verb) => [verb, `${verb}s`]),
  ),
};
const SUBJECT =
  /^(I|my|others?|somebody|someone|anybody|nobody|people|it|he|she|we|they|[A-Z]\w*|any|no|at)$/;

/** Changes the pronouns of a clause for a single thing. What stands in quotation marks stays. */
export const toSingularPronouns = (clause: string): string =>
  clause
    .replace(/("[^"]*")|\btheir\b/g, (_, quoted?: string) => quoted ?? "its")
    .replace(/("[^"]*")|\b(on|in|under) them\b/g, (_, quoted?: string, where?: string) =>
      quoted === undefined ? `${where} it` : quoted,
    );

/** Returns a clause for a noun in the singular; undefined for a clause whose verb is not known. */
export function toSingularClause(clause: string): string | undefined {
  const [, pronoun, verb = "", rest = ""] = /^(that|which|who) (\S+)(.*)$/.exec(clause) ?? [];
  if (pronoun === undefined || SUBJECT.test(verb)) return clause;
  const singular = SINGULAR_VERBS[verb];
  return singular === undefined || /\band (are|were|have|do)\b/.test(rest)
    ? undefined
    : `${pronoun} ${singular}${rest}`;
}
