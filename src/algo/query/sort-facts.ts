/** Orders rollouts and tasks, and counts the values of fields. */
import { groupBy } from "../../core/index.ts";
import type { RolloutFacts } from "../../spec/index.ts";
import { type Interval, meanInterval } from "../intervals.ts";
import { average } from "../mean-and-spread.ts";
import type { TaskRow } from "./group-by-task.ts";
import { fieldNamed, type QueryFieldName } from "./query-fields.ts";

/**
 * Sorts rollouts by a field, with the first of its values; `descending` puts the largest first. Rollouts without a value
 * come last. Equal ones stay in their order.
 */
export function sortFacts(
  rollouts: readonly RolloutFacts[],
  field: QueryFieldName,
  descending: boolean,
): RolloutFacts[] {
  const { read } = fieldNamed(field);
  const keyed = rollouts.map((facts) => ({ facts, key: read(facts)[0] }));
  const sign = descending ? -1 : 1;
  return keyed
    .sort((a, b) => {
      if (a.key === b.key) return 0;
      if (a.key === undefined) return 1;
      if (b.key === undefined) return -1;
      return a.key < b.key ? -sign : sign;
    })
    .map(({ facts }) => facts);
}

/** How often a value occurs: in how many rollouts. */
export interface FieldCount {
  readonly value: string;
  readonly rollouts: number;
}

/** Counts in how many rollouts each value of a field occurs, the most frequent first. */
export function countValues(
  rollouts: readonly RolloutFacts[],
  field: QueryFieldName,
): FieldCount[] {
  const { read } = fieldNamed(field);
  const counts = new Map<string | number, number>();
  for (const facts of rollouts)
    for (const value of new Set(read(facts))) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value: String(value), rollouts: count }))
    .sort((a, b) => b.rollouts - a.rollouts);
}

/** How much more one run passed than another, on the tasks that both have. */
export interface RunDifference {
  /** The mean over scenarios of the passed share of the first run minus that of the second. */
  readonly mean: number;
  /** 95%, by Student's t over scenarios; absent if all scenarios differ equally, so that their spread is unknown. */
  readonly interval?: Interval;
  readonly scenarios: number;
}

/**
 * Compares the first two runs on the tasks that both have, paired by scenario. Returns undefined if there are fewer than
 * two such scenarios.
 */
export function compareRuns(
  tasks: readonly TaskRow[],
  [first, second]: readonly string[],
): RunDifference | undefined {
  const differences = tasks.flatMap(({ task, runs }) => {
    const [a, b] = [first, second].map((wanted) => runs.find(({ run }) => run === wanted));
    if (!a || !b) return [];
    const difference = a.passed / a.rollouts - b.passed / b.rollouts;
    return [{ scenario: task.scenario, difference }];
  });
  const scenarios = [...groupBy(differences, ({ scenario }) => scenario).values()];
  const means = scenarios.map((own) => average(own.map(({ difference }) => difference)));
  if (means.length < 2) return undefined;
  const interval = meanInterval(means);
  return { mean: average(means), scenarios: means.length, ...(interval && { interval }) };
}
