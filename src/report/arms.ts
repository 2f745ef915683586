/** The arms of a comparison: their order, their scores over seeds, their mean curves. */
import { type Arm, type Comparison, spreadOf } from "../train/index.ts";

/** Best first, by greedy TGC on test-normal. */
export function ranked({ arms }: Comparison): Arm[] {
  const tgc = (arm: Arm) => spreadOf(valuesOf(arm, "after", "test-normal", "tgc")).mean;
  return arms.toSorted((a, b) => tgc(b) - tgc(a));
}

/** Means over seeds at the points that all seeds have. */
export function meanCurve({ runs }: Arm): { readonly rollouts: number; readonly value: number }[] {
  const [first] = runs;
  return (first?.dev ?? []).flatMap(({ rollouts }) => {
    const values = runs.flatMap(({ dev }) =>
      dev.filter((point) => point.rollouts === rollouts).map(({ value }) => value),
    );
    return values.length === runs.length ? [{ rollouts, value: spreadOf(values).mean }] : [];
  });
}

/** A score of each run that has it. */
export function valuesOf(arm: Arm, when: "before" | "after", key: string, number: "tgc" | "sgc") {
  return arm.runs.flatMap((run) => {
    const score = run[when][key];
    return score ? [score[number]] : [];
  });
}
