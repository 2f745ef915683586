/** Computes scores from a run's files of rollouts. */
import type { RolloutFile, RunDetail } from "../../../src/spec/studio/index.ts";
import { orderSplits } from "./run-table.ts";

/** Describes a file, such as "iteration 3" or "dev at T = 1, before training". */
export function describeFile({ kind, iteration, name, split, mode, when }: RolloutFile): string {
  if (kind === "train") return iteration === undefined ? name : `iteration ${iteration}`;
  if (split === undefined || when === undefined) return name;
  const moment = /^iteration-0*(\d+)$/.exec(when)?.[1];
  const time = moment === undefined ? `${when} training` : `after iteration ${moment}`;
  return `${split}${mode === "T1" ? " at T = 1" : ""}, ${time}`;
}

/** Returns the key of a file's score, such as `dev` or `dev@T1`. */
function splitKey({ split = "", mode }: RolloutFile): string {
  return mode === "T1" ? `${split}@T1` : split;
}

export interface SplitScores {
  readonly split: string;
  readonly before: { readonly tgc: number; readonly tgcInterval?: [number, number] } | undefined;
  readonly after: { readonly tgc: number; readonly tgcInterval?: [number, number] } | undefined;
  readonly tasks: number;
}

/** Collects the scores by split. They come from the summary, with intervals, or otherwise from the evaluation files. */
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
