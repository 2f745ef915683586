/**
 * Noun phrases of sets: a noun with its clauses, in one sentence, or in two when one would have too many relative
 * clauses.
 */
import type { Attempt } from "./draw.ts";
import { CONTEXT_SENTENCES, DETERMINERS, joinClauses } from "./words.ts";

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
  return [noun, joinClauses(clauses as string[])].filter(Boolean).join(" ");
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
