/** Decides whether a rollout is an answer to a query. */
import type { Rollout, RolloutFacts } from "../../spec/index.ts";
import type { NumberRange, Query, QueryTerm } from "./parse-query.ts";
import { type FieldKind, fieldNamed } from "./query-fields.ts";

/** Returns true if the terms about facts hold. Terms about the text are left to `matchesText`. */
export function matchesFacts({ terms }: Query, facts: RolloutFacts): boolean {
  return terms.every((term) => term.kind === "text" || holdsFor(term, facts) !== term.negated);
}

/** Returns true if the words of the query are, and the negated ones are not, in the text of the rollout. */
export function matchesText(query: Query, rollout: Pick<Rollout, "turns">): boolean {
  if (!asksForText(query)) return true;
  const text = collectText(rollout).toLowerCase();
  return query.terms.every(
    (term) => term.kind !== "text" || text.includes(term.text.toLowerCase()) !== term.negated,
  );
}

/** Returns true if the query needs the text of rollouts, so that their facts do not suffice. */
export function asksForText({ terms }: Query): boolean {
  return terms.some(({ kind }) => kind === "text");
}

/** Returns what free words are looked for in: messages (which hold code and thoughts), observations, and speech. */
function collectText({ turns }: Pick<Rollout, "turns">): string {
  const parts = turns.flatMap(({ message, code, observation, heard = [] }) => [
    message,
    // A message holds its code, except in formats where the code is made from a tool call.
    ...(message.includes(code) ? [] : [code]),
    observation,
    ...heard.map(({ text }) => text),
  ]);
  return parts.join("\n");
}

function holdsFor(term: Exclude<QueryTerm, { kind: "text" }>, facts: RolloutFacts): boolean {
  if (term.kind === "check") {
    const names = term.passed ? facts.passedChecks : facts.failedChecks;
    return term.names.some((wanted) => names.some((name) => isSame("text", name, wanted)));
  }
  const { kind, read } = fieldNamed(term.field);
  const values = read(facts);
  if (term.kind === "number")
    return values.some((value) => term.ranges.some((range) => isWithin(Number(value), range)));
  return values.some((value) => term.values.some((wanted) => isSame(kind, String(value), wanted)));
}

function isWithin(value: number, { from, to, excludes }: NumberRange): boolean {
  if (value < from || value > to) return false;
  return !(excludes === "from" && value === from) && !(excludes === "to" && value === to);
}

function isSame(kind: FieldKind, value: string, wanted: string): boolean {
  const [has, asked] = [value.toLowerCase(), wanted.toLowerCase()];
  if (kind === "text") return has.includes(asked);
  if (has === asked) return true;
  return kind === "path" && (has.startsWith(`${asked}/`) || has.startsWith(`${asked}.`));
}
