/** Files of rollouts in the order in which a person reads them, in words. */
import type { RolloutFile } from "../../../src/spec/studio/index.ts";

/** `before` -> "before training", `iteration-0004` -> "after iteration 4". */
export function whenWords(when: string): string {
  if (when === "before") return "before training";
  if (when === "after") return "after training";
  const iteration = /^iteration-(\d+)$/.exec(when)?.[1];
  return iteration === undefined ? when : `after iteration ${Number(iteration)}`;
}

/** In order of time; in it by split, greedy before sampled. */
export function evaluationOrder(files: readonly RolloutFile[]): RolloutFile[] {
  const time = ({ when = "" }: RolloutFile) => {
    if (when === "before") return -1;
    if (when === "after") return Number.POSITIVE_INFINITY;
    return Number(/(\d+)$/.exec(when)?.[1] ?? 0);
  };
  return files.toSorted((a, b) => {
    const [x, y] = [time(a), time(b)];
    if (x !== y) return x < y ? -1 : 1;
    return (
      (b.split ?? "").localeCompare(a.split ?? "") ||
      (a.mode ?? "").localeCompare(b.mode ?? "") * -1
    );
  });
}
