/**
 * Noun phrases of sets: a noun with its clauses, in one sentence, or in two when one would have too many relative
 * clauses.
 */
import type { Attempt } from "./draw.ts";
import type { Alternatives, Field, Noun } from "./parts.ts";
import {
  CONTEXT_SENTENCES,
  DETERMINERS,
  isMisplacedAfter,
  joinNoun,
  toSingularClause,
  toSingularPronouns,
} from "./words.ts";

/**
 * Says the noun and its clauses in two sentences: the first one introduces the things, and `many` narrows them. A
 * ranking needs all clauses in the first sentence.
 */
export function contextSentence(
  attempt: Attempt,
  noun: string,
  phrases: readonly { readonly text: string }[],
  isRanked: boolean,
): { readonly sentence: string; readonly many: string; readonly clause?: string } {
  const the = `the ${joinNounAndClauses(noun, isRanked ? phrases : phrases.slice(0, -1))}`;
  const sentence = attempt.wording.pick(CONTEXT_SENTENCES)(the);
  if (isRanked) return { sentence, many: "of them" };
  const clause = phrases.at(-1)!.text;
  return { sentence, many: `ones ${clause}`, clause };
}

export const countedNouns = (many: string, clause: string | undefined) =>
  clause === undefined
    ? { counted: many, afterNumber: many }
    : { counted: `those ${clause}`, afterNumber: `of them ${clause}` };

/** Joins a noun and its clauses; undefined when `change` has no form for a clause. */
export function joinNounAndClauses(
  noun: string,
  phrases: readonly { readonly text: string }[],
  change: (clause: string) => string | undefined = (clause) => clause,
): string | undefined {
  const clauses = phrases.map(({ text }) => change(text));
  if (clauses.includes(undefined)) return undefined;
  return joinNoun(noun, clauses as string[]);
}

/** Returns the noun of a single thing with its clauses; undefined when a clause has no singular. */
export const singularNoun = (
  kind: string,
  one: string,
  phrases: readonly { readonly text: string }[],
): string | undefined =>
  joinNounAndClauses(one, phrases, (clause) =>
    toSingularClause(kind === "people" ? clause : toSingularPronouns(clause)),
  );

/** Chooses a noun that fits the clause after it: "notes that have a tag" is not followed by "with a pin". */
export function pickNoun(
  { wording }: Attempt,
  nouns: Alternatives<Noun>,
  clause: string | undefined,
): Noun {
  const noun = wording.pick(nouns);
  if (clause === undefined || !isMisplacedAfter(noun.many, clause)) return noun;
  return wording.allowed(nouns).find(({ many }) => !isMisplacedAfter(many, clause)) ?? noun;
}

/** Introduces the things to which others belong, so that the sentence after it may say "any of them". */
export function introduce(
  { wording }: Attempt,
  source: { readonly the: string; readonly context?: string },
): string {
  return source.context
    ? `${source.context}. Keep only ${source.the}`
    : wording.pick(CONTEXT_SENTENCES)(source.the);
}

/** Returns the pronouns for a set that the sentence before has introduced. */
export function pronounsOf({
  isSingle,
  kind,
}: {
  readonly isSingle: boolean;
  readonly kind: string;
}) {
  if (!isSingle) return { noun: "all of them", the: "them", any: "any of them" };
  const noun = kind === "people" ? "this person" : "it";
  return { noun, the: noun, any: noun };
}

/** Returns the noun phrases for every thing, the things, and any of the things. */
export function nounsOfAll(attempt: Attempt, many: string) {
  const { every, any } = attempt.wording.pick(DETERMINERS);
  return { noun: every(many), the: `the ${many}`, any: any(many) };
}

/** The noun phrases of a set; `any` means "any one of them". */
interface SetNouns {
  readonly noun: string;
  readonly the: string;
  readonly any: string;
}

/** Adjectives that stand before a number: the last two. */
const COMES_FIRST = /^(first|last|next)$/;

/** Returns the noun phrases of the first `count` things in a ranking. `one` is the noun of a single thing, if known. */
export function nounsOfTop(
  attempt: Attempt,
  { field, end }: { readonly field: Field<never>; readonly end: "most" | "least" },
  count: number,
  one: string | undefined,
  many: string,
): SetNouns {
  const adjective = attempt.wording.pick(field.superlatives![end]);
  if (count === 1) {
    const rest = one ?? (many === "of them" ? many : `of the ${many}`);
    return sameNounThroughout(`the ${adjective} ${rest}`);
  }
  const number = ["two", "three"][count - 2];
  const noun = COMES_FIRST.test(adjective)
    ? `the ${adjective} ${number} ${many}`
    : `the ${number} ${adjective} ${many}`;
  return { noun, the: noun, any: `any of ${noun}` };
}

/** Uses the same noun in all places, for one thing or for a noun that has its own determiner. */
export const sameNounThroughout = (noun: string): SetNouns => ({ noun, the: noun, any: noun });

/** Takes "any of" and the like away before a noun for one thing. */
export const withoutChoice = (text: string, the: string): string =>
  ["any", "at least one", "one or more", "one"].reduce(
    (changed, some) => changed.replace(` ${some} of ${the}`, () => ` ${the}`),
    text,
  );
