/**
 * Groups rollouts by task: what happened to a task before training, in each iteration and after training, with a column
 * for each run.
 */
import { groupBy } from "../../core/index.ts";
import type { Phase, RolloutFacts } from "../../spec/index.ts";
import type { TaskRow } from "../../spec/studio/index.ts";

/** What became of a task in all runs that have it. */
export type { TaskRow };

/** What became of a task in one run: its points in the order of time. */
export type TaskOfRun = TaskRow["runs"][number];

/** How many of a task's rollouts passed at one point of a run. */
export type TaskPoint = TaskOfRun["points"][number];

/** Returns a row for each task, in the order in which the tasks first occur. */
export function groupByTask(rollouts: readonly RolloutFacts[]): TaskRow[] {
  const tasks = groupBy(rollouts, ({ task }) => task.id);
  return [...tasks.values()].map((members) => {
    const runs = [...groupBy(members, ({ run }) => run)].map(([run, own]) => collectRun(run, own));
    return {
      task: members[0]!.task,
      runs,
      ...countPassed(members),
      regressed: runs.some(hasRegressed),
      failedChecks: countFailedChecks(members),
    };
  });
}

function collectRun(run: string, rollouts: readonly RolloutFacts[]): TaskOfRun {
  const points = groupBy(rollouts, ({ phase, iteration }) => `${phase} ${iteration ?? ""}`);
  const counted = [...points.values()].map((members): TaskPoint => {
    const { phase, iteration } = members[0]!;
    return { phase, ...(iteration !== undefined && { iteration }), ...countPassed(members) };
  });
  return { run, points: counted.sort((a, b) => timeOf(a) - timeOf(b)), ...countPassed(rollouts) };
}

/** Returns a number that orders points by time. The evaluation after an iteration follows its training. */
function timeOf({ phase, iteration = 0 }: TaskPoint): number {
  if (phase === "before") return -1;
  if (phase === "after") return Infinity;
  return iteration + (phase === "iteration" ? 0.5 : 0);
}

function countPassed(rollouts: readonly RolloutFacts[]) {
  return { passed: rollouts.filter(({ passed }) => passed).length, rollouts: rollouts.length };
}

function hasRegressed({ points }: TaskOfRun): boolean {
  const share = (wanted: Phase) => {
    const point = points.find(({ phase }) => phase === wanted);
    return point && point.passed / point.rollouts;
  };
  const [before, after] = [share("before"), share("after")];
  return before !== undefined && after !== undefined && before > after;
}

function countFailedChecks(rollouts: readonly RolloutFacts[]): [string, number][] {
  const checks = groupBy(
    rollouts.flatMap(({ failedChecks }) => failedChecks),
    (name) => name,
  );
  return [...checks]
    .map(([name, found]): [string, number] => [name, found.length])
    .sort((a, b) => b[1] - a[1]);
}
