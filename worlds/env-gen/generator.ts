/**
 * The loop of EnvGen (arXiv 2403.12014) with a rule in the place of the language model. A configuration is a weight for
 * each part of the goal kit that training tasks are composed of (`plants`, `bed`, `water`). Half of an iteration's
 * tasks come from the original distribution, and half from the configuration. Success by signature is the feedback:
 * parts of tasks that neither always pass nor always fail get more weight.
 *
 *     bowline train smoke --world ./worlds/env-gen/pantry.ts --sampler ./worlds/env-gen/generator.ts
 */
import type { TaskInfo, TaskSampler } from "bowline";

/** The share of tasks that are drawn uniformly, as from the paper's original environments. */
const ORIGINAL_SHARE = 0.5;
/** The weight of a part whose tasks always pass or always fail, so that no part disappears. */
const LEAST_WEIGHT = 0.05;
/** The weight of a part that was not tried yet: that of an even chance. */
const UNTRIED_WEIGHT = 0.25;

/** Returns the parts of a signature: collections, clauses, rankings, actions. */
export const listParts = ({ signature }: Pick<TaskInfo, "signature">): string[] => [
  ...new Set(signature.match(/[\w.-]+/g)),
];

/** Returns the success by part: the mean pass rate of the tried tasks that have the part. */
export function successByPart(
  tasks: readonly TaskInfo[],
  passRate: Readonly<Record<string, number>>,
): ReadonlyMap<string, number> {
  const rates = new Map<string, number[]>();
  for (const task of tasks) {
    const rate = passRate[task.id];
    if (rate === undefined) continue;
    for (const part of listParts(task)) rates.set(part, [...(rates.get(part) ?? []), rate]);
  }
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  return new Map([...rates].map(([part, values]) => [part, mean(values)]));
}

/**
 * Returns the weight of a task in a configuration: the mean weight of its parts, where a part with the success p has
 * the weight p (1 - p), which is the variance of its reward.
 */
export function weightOfTask(task: TaskInfo, success: ReadonlyMap<string, number>): number {
  const weights = listParts(task).map((part) => {
    const p = success.get(part);
    return p === undefined ? UNTRIED_WEIGHT : Math.max(LEAST_WEIGHT, p * (1 - p));
  });
  return weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
}

/** Draws half of the tasks uniformly, and the others by their weights, without repeats. */
const generator: TaskSampler = ({ tasks, count, rng, passRate }) => {
  const originals = rng.sample(tasks, Math.ceil(ORIGINAL_SHARE * count));
  const success = successByPart(tasks, passRate);
  const drawn = new Set(originals.map(({ id }) => id));
  // Efraimidis and Spirakis: the largest keys u^(1/w) are a sample without replacement by the weights w.
  const keyed = tasks
    .filter(({ id }) => !drawn.has(id))
    .map((task) => ({ task, key: Math.log(1 - rng.uniform()) / weightOfTask(task, success) ** 2 }));
  const generated = keyed.toSorted((a, b) => b.key - a.key).slice(0, count - originals.length);
  return [...originals, ...generated.map(({ task }) => task)];
};

export default generator;
