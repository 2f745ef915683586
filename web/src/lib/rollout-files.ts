/** Files of rollouts in the order in which a person reads them, in words. */
import type { RolloutFile } from "../../../src/spec/studio/index.ts";
import { orderSplits } from "./run-table.ts";

/** `before` -> "before training", `iteration-0004` -> "after iteration 4". */
export function whenWords(when: string): string {
  if (when === "before") return "before training";
  if (when === "after") return "after training";
  const iteration = /^iteration-(\d+)$/.exec(when)?.[1];
  return iteration === undefined ? when : `after iteration ${Number(iteration)}`;
}

/** In order of time; at one time greedy before sampled, held-out splits first. */
export function evaluationOrder(files: readonly RolloutFile[]): RolloutFile[] {
  const key = ({ split = "", mode }: RolloutFile) => (mode === "T1" ? `${split}@T1` : split);
  const splits = orderSplits(files.map(key));
  return files.toSorted(
    (a, b) => time(a) - time(b) || splits.indexOf(key(a)) - splits.indexOf(key(b)),
  );
}

/** Iterations, with what was before them and after them. */
function time({ when = "" }: RolloutFile): number {
  if (when === "before") return -1;
  return Number(/(\d+)$/.exec(when)?.[1] ?? Number.MAX_SAFE_INTEGER);
}
