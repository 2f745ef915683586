/** Rollouts worth showing to a person: a failing attempt at the start, and one task before and after. */

import { demonstrateWithScaffold } from "../../agent/index.ts";
import { isPassed } from "../../algo/index.ts";
import { rolloutOfDemonstration } from "../../methods/index.ts";
import type { Rollout, Scaffold, World } from "../../spec/index.ts";
import { type RunStore, readRollouts } from "./run-store.ts";

const ATTEMPTS = 12;

/** A hasty attempt at a dev task that fails; undefined when none of the first few does. */
export async function failingAttempt(
  world: World,
  scaffold: Scaffold,
): Promise<Rollout | undefined> {
  const tasks = [...world.tasks("dev", ATTEMPTS), ...world.tasks("train", ATTEMPTS)];
  for (const task of tasks.slice(0, ATTEMPTS)) {
    const demonstration = await demonstrateWithScaffold(world, scaffold, task.id, "hasty", 1);
    if (demonstration.evaluation.passed) continue;
    return rolloutOfDemonstration(demonstration, { id: "start/0/0", scaffold });
  }
  return undefined;
}

/** The same dev task before and after, greedy: one that was learned, else one that still fails, else any. */
export function examplePair(
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
