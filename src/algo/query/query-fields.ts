/**
 * The fields that a query can name. This table is what parsing, matching, completion and help know about them.
 */
import { OUTCOMES, PHASES, ROLLOUT_PARTS, type RolloutFacts } from "../../spec/index.ts";

/**
 * How a field's values compare with what a query asks for.
 *
 * - `number`: by size; `5..8` is a range with both ends
 * - `word`: equal, without regard to case
 * - `path`: equal, or the beginning of a path: `train/3` also means `train/3/1`, and `pay` also means `pay.request`
 * - `text`: contains it, without regard to case
 */
export type FieldKind = "number" | "word" | "path" | "text";

/** A field that a query can name: how its values compare, and how they are read. */
export interface QueryField {
  readonly kind: FieldKind;
  /** Returns the values of a rollout; a rollout matches if one of them does. */
  readonly read: (facts: RolloutFacts) => readonly (string | number)[];
  readonly meaning: string;
  /** All values that the field can have, if they are known. */
  readonly values?: readonly string[];
}

const optional = (value: number | string | undefined) => (value === undefined ? [] : [value]);
const YES_NO = ["yes", "no"] as const;
const CHECK_MEANING = "a check by its name; `failed` (or nothing) or `passed` may follow";

/** All fields that a query can name. */
export const QUERY_FIELDS = {
  run: { kind: "text", read: (facts) => [facts.run], meaning: "the run's directory" },
  phase: {
    kind: "word",
    read: (facts) => [facts.phase],
    meaning: "training, or an evaluation before, during or after it",
    values: PHASES,
  },
  iteration: {
    kind: "number",
    read: (facts) => optional(facts.iteration),
    meaning: "the iteration of training",
  },
  mode: {
    kind: "word",
    read: (facts) => optional(facts.mode),
    meaning: "how an evaluation sampled",
    values: ["greedy", "T1"],
  },
  id: { kind: "path", read: (facts) => [facts.id], meaning: "the id of a rollout" },
  task: { kind: "path", read: ({ task }) => [task.id], meaning: "a task, or all of a scenario" },
  split: { kind: "word", read: ({ task }) => [task.split], meaning: "the split of the task" },
  difficulty: { kind: "number", read: ({ task }) => [task.difficulty], meaning: "1, 2 or 3" },
  signature: {
    kind: "text",
    read: ({ task }) => [task.signature],
    meaning: "a part of the task's signature",
  },
  outcome: {
    kind: "word",
    read: (facts) => [facts.outcome],
    meaning: "how the rollout ended",
    values: OUTCOMES,
  },
  passed: {
    kind: "word",
    read: (facts) => [facts.passed ? "yes" : "no"],
    meaning: "whether the agent finished and all checks passed",
    values: YES_NO,
  },
  return: {
    kind: "number",
    read: (facts) => optional(facts.return),
    meaning: "what the rollout earned by the run's own rule",
  },
  advantage: {
    kind: "number",
    read: (facts) => optional(facts.advantage),
    meaning: "the advantage, where the trainer noted it",
  },
  turns: { kind: "number", read: (facts) => [facts.turns], meaning: "number of turns" },
  errors: {
    kind: "number",
    read: (facts) => [facts.errors],
    meaning: "number of turns with an error or at a limit",
  },
  tokens: { kind: "number", read: (facts) => [facts.tokens], meaning: "number of sampled tokens" },
  calls: { kind: "number", read: (facts) => [facts.calls], meaning: "number of API calls" },
  status: {
    kind: "number",
    read: (facts) => facts.statuses,
    meaning: "the status of an API call, such as 422",
  },
  api: {
    kind: "path",
    read: (facts) => facts.apis,
    meaning: "an API that was called, or an app",
  },
  differs: {
    kind: "path",
    read: ({ differs }) => (differs ? [differs.api ?? "nothing"] : []),
    meaning: "the first API call that differs from the best of the group",
  },
  check: { kind: "text", read: (facts) => facts.failedChecks, meaning: CHECK_MEANING },
  has: {
    kind: "word",
    read: (facts) => facts.has,
    meaning: "a part that only some rollouts have",
    values: ROLLOUT_PARTS,
  },
} as const satisfies { readonly [name: string]: QueryField };

/** The name of a field that a query can name. */
export type QueryFieldName = keyof typeof QUERY_FIELDS;

export const fieldNamed = (name: QueryFieldName): QueryField => QUERY_FIELDS[name];

/** Says in lines of the form `name  meaning` what can be asked for, for help texts. */
export function describeQueryFields(): string[] {
  return Object.entries<QueryField>(QUERY_FIELDS).map(([name, { meaning, values }]) => {
    const listed = values ? `: ${values.join(", ")}` : "";
    return `  ${name.padEnd(12)}${meaning}${listed}`;
  });
}
