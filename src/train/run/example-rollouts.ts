/**
 * Chooses rollouts to show to a person: a failing attempt at the start, and the same task before and after training.
 */

import { demonstrateWithScaffold } from "../../agent/index.ts";
import { isPassed } from "../../algo/index.ts";
import { rolloutOfDemonstration } from "../../methods/index.ts";
import type { Rollout, Scaffold, World } from "../../spec/index.ts";
import { type RunStore, readRollouts } from "./run-store.ts";

const MAX_ATTEMPTS = 12;

/**
 * Tries the first few tasks with the hasty solver and returns its first attempt that fails; undefined if none fails.
 */
export async function findFailingAttempt(
  world: World,
  scaffold: Scaffold,
): Promise<Rollout | undefined> {
  const tasks = [...world.tasks("dev", MAX_ATTEMPTS), ...world.tasks("train", MAX_ATTEMPTS)];
  for (const task of tasks.slice(0, MAX_ATTEMPTS)) {
    const demonstration = await demonstrateWithScaffold(world, scaffold, task.id, "hasty", 1);
    if (demonstration.evaluation.passed) continue;
    return rolloutOfDemonstration(demonstration, { id: "start/0/0", scaffold });
  }
  return undefined;
}

/**
 * Returns greedy rollouts of one dev task before and after training. It prefers a task that was learned, then a task
 * that failed before training, then any task. With `onlyBefore`, both rollouts are from before training.
 */
export function chooseExamplePair(
  { directory }: RunStore,
  onlyBefore: boolean,
): { readonly when: "before" | "after"; readonly rollout: Rollout }[] {
  const before = readRollouts(directory, "eval-before-dev-greedy");
  const after = onlyBefore ? before : readRollouts(directory, "eval-after-dev-greedy");
  const pairs = before.flatMap((rollout, i) => (after[i] ? [[rollout, after[i]] as const] : []));
  const chosen =
    pairs.find(([a, b]) => !isPassed(a) && isPassed(b)) ??
    pairs.find(([a]) => !isPassed(a)) ??
    pairs[0];
  if (chosen === undefined) return [];
  return [
    { when: "before", rollout: chosen[0] },
    { when: "after", rollout: chosen[1] },
  ];
}
