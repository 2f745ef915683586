/** Files of rollouts in the order in which a person reads them, in words. */
import type { RolloutFile, RunDetail } from "../../../src/spec/studio/index.ts";
import { orderSplits } from "./run-table.ts";

/** `before` -> "before training", `iteration-0004` -> "after iteration 4". */
export function describeWhen(when: string): string {
  if (when === "before") return "before training";
  if (when === "after") return "after training";
  const iteration = /^iteration-(\d+)$/.exec(when)?.[1];
  return iteration === undefined ? when : `after iteration ${Number(iteration)}`;
}

/** In order of time; at one time greedy before sampled, held-out splits first. */
export function sortEvaluations(files: readonly RolloutFile[]): RolloutFile[] {
  const splits = orderSplits(files.map(splitKey));
  return files.toSorted(
    (a, b) =>
      timeOrder(a) - timeOrder(b) || splits.indexOf(splitKey(a)) - splits.indexOf(splitKey(b)),
  );
}

/** As scores are keyed: `dev`, `dev@T1`. */
function splitKey({ split = "", mode }: RolloutFile): string {
  return mode === "T1" ? `${split}@T1` : split;
}

/** Iterations, with what was before them and after them. */
function timeOrder({ when = "" }: RolloutFile): number {
  if (when === "before") return -1;
  return Number(/(\d+)$/.exec(when)?.[1] ?? Number.MAX_SAFE_INTEGER);
}

export interface SplitScores {
  readonly split: string;
  readonly before: { readonly tgc: number; readonly tgcInterval?: [number, number] } | undefined;
  readonly after: { readonly tgc: number; readonly tgcInterval?: [number, number] } | undefined;
  readonly tasks: number;
}

/** Scores by split: with intervals once the run has its summary, until then as its files of evaluations count them. */
export function collectScores({ before = {}, after = {}, files }: RunDetail): SplitScores[] {
  const evaluations = files.filter(({ kind, rollouts }) => kind === "eval" && rollouts > 0);
  const findEvaluation = (when: string, split: string) =>
    evaluations.find((file) => file.when === when && splitKey(file) === split);
  const passedShare = (file: RolloutFile | undefined) =>
    file && { tgc: file.passed / file.rollouts };
  const splits = orderSplits([
    ...Object.keys(before),
    ...Object.keys(after),
    ...evaluations.filter(({ when }) => when === "before" || when === "after").map(splitKey),
  ]);
  return splits.map((split) => {
    const files = [findEvaluation("before", split), findEvaluation("after", split)];
    return {
      split,
      before: before[split] ?? passedShare(files[0]),
      after: after[split] ?? passedShare(files[1]),
      tasks: (after[split] ?? before[split])?.tasks ?? (files[1] ?? files[0])!.rollouts,
    };
  });
}
