/**
 * Compares the habits of two evaluations on the same tasks, such as before and after training (arXiv 2502.01600,
 * sections 5.5 and 5.6). The unit is the scenario, because the tasks of a scenario share what they need: the interval is
 * that of the mean difference over scenarios.
 */
import { groupBy, meanInterval, measureBehaviour } from "../../src/algo/index.ts";
import type { Rollout } from "../../src/spec/index.ts";

/** The habits of the paper, each with its definition. */
export const HABITS: Readonly<Record<string, string>> = {
  docs_mentions:
    "lookups of documentation that the code names, for each rollout, as the paper counts",
  docs_calls: "calls of the documentation that ran, for each rollout",
  assume_mentions: "times that a message says assume, assumed or assuming, for each rollout",
  dummy_mentions: "times that a message says dummy, for each rollout",
  give_up_rate:
    "share of the APIs that failed and that no later turn of the rollout called without an error",
  multiple_cells: "share of turns with several cells of code",
};

/** A habit before and after, and the interval of its change. */
export interface HabitChange {
  readonly habit: string;
  readonly before: number;
  readonly after: number;
  /** The 95% interval of the mean change over scenarios; undefined when it cannot be estimated. */
  readonly interval: readonly [number, number] | undefined;
  /** The number of scenarios in which the habit can be measured before and after. */
  readonly scenarios: number;
}

const DOCS_IN_CODE = /\b(?:docs\s*\.\s*\w+|show_api_doc)\s*\(/g;

/** Returns the numbers on the habits of some rollouts. A habit that cannot be measured is absent. */
export function measureHabits(rollouts: readonly Rollout[]): Readonly<Record<string, number>> {
  const counted = rollouts.filter(({ outcome }) => outcome !== "cancelled" && outcome !== "failed");
  if (counted.length === 0) return {};
  const mentions = counted.flatMap(({ turns }) =>
    turns.flatMap(({ code }) => code.match(DOCS_IN_CODE) ?? []),
  );
  const { give_up_rate: rate, ...others } = measureBehaviour(counted);
  const failedSomewhere = counted.some(({ turns }) =>
    turns.some(({ status, calls }) => status !== "ok" && calls.length > 0),
  );
  return {
    ...others,
    docs_mentions: mentions.length / counted.length,
    ...(failedSomewhere && rate !== undefined && { give_up_rate: rate }),
  };
}

/** Compares habits. Only tasks that both evaluations have count. */
export function compareHabits(
  before: readonly Rollout[],
  after: readonly Rollout[],
): readonly HabitChange[] {
  const known = (list: readonly Rollout[]) => new Set(list.map(({ task }) => task.id));
  const [earlier, later] = [known(before), known(after)];
  const first = before.filter(({ task }) => later.has(task.id));
  const second = after.filter(({ task }) => earlier.has(task.id));
  const [all, allLater] = [measureHabits(first), measureHabits(second)];
  const groups = groupBy(first, ({ task }) => task.scenario);
  const laterGroups = groupBy(second, ({ task }) => task.scenario);
  const measured = [...groups].map(
    ([name, group]) => [measureHabits(group), measureHabits(laterGroups.get(name) ?? [])] as const,
  );
  return Object.keys(HABITS).flatMap((habit) => {
    if (all[habit] === undefined || allLater[habit] === undefined) return [];
    const changes = measured.flatMap(([one, other]) =>
      one[habit] === undefined || other[habit] === undefined ? [] : [other[habit] - one[habit]],
    );
    return [
      {
        habit,
        before: all[habit],
        after: allLater[habit],
        interval: meanInterval(changes),
        scenarios: changes.length,
      },
    ];
  });
}
