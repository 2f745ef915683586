/** The arms of a comparison for reading: their order, who stands for LOOP, their mean curves, scores in words. */
import { type Arm, armScore, type Comparison, type Estimate, spreadOf } from "../train/index.ts";
import { percent, signedPoints } from "./words.ts";

/** The scores that a comparison shows: both decodings of both splits. */
export const HEADLINES = ["test-normal", "test-normal@T1", "dev", "dev@T1"] as const;

/** `test-normal@T1` -> "test-normal, T = 1" */
export function headlineName(on: string): string {
  const [split = on, mode] = on.split("@");
  return `${split}, ${mode === undefined ? "greedy" : "T = 1"}`;
}

/** Best first, by greedy TGC on test-normal. */
export function ranked(comparison: Comparison): Arm[] {
  const tgc = (arm: Arm) => armScore(comparison, arm, "test-normal")?.mean ?? 0;
  return comparison.arms.toSorted((a, b) => tgc(b) - tgc(a));
}

/** The arm that others are set against: LOOP, by the name of its setting; where it is missing the first. */
export function referenceArm({ arms, setting }: Comparison): Arm | undefined {
  return arms.find(({ name }) => name === setting) ?? arms[0];
}

export interface CurvePoint {
  /** Really spent, mean over runs. */
  readonly rollouts: number;
  /** Greedy TGC on dev. */
  readonly value: number;
}

/** Means over runs, evaluation by evaluation, as far as all runs have them. */
export function meanCurve({ runs }: Arm): CurvePoint[] {
  const points = runs.length === 0 ? 0 : Math.min(...runs.map(({ dev }) => dev.length));
  return Array.from({ length: points }, (_, i) => ({
    rollouts: spreadOf(runs.map(({ dev }) => dev[i]![0])).mean,
    value: spreadOf(runs.map(({ dev }) => dev[i]![1])).mean,
  }));
}

/** "75.9 ± 2.6": mean and sample standard deviation over runs, in percent. Empty where nothing was scored. */
export function meanText(estimate: Estimate | undefined): string {
  if (estimate === undefined) return "";
  const { mean, sd } = estimate;
  return sd === undefined ? percent(mean) : `${percent(mean)} ± ${percent(sd)}`;
}

/** "[70, 82]", in percent. */
export function intervalText({ interval: [low, high] }: Estimate): string {
  return `[${Math.round(low * 100)}, ${Math.round(high * 100)}]`;
}

/** "+3.9 [−1.2, +9.0]", in points; a star where the interval is over scenarios of single runs. */
export function differenceText(estimate: Estimate | undefined): string {
  if (estimate === undefined) return "";
  const [low, high] = estimate.interval.map(signedPoints);
  return `${signedPoints(estimate.mean)} [${low}, ${high}]${estimate.over === "runs" ? "" : "*"}`;
}

/** "1..8", "1, 2, 5": seeds in few characters. */
export function seedsText(seeds: readonly number[]): string {
  const [first = 0] = seeds;
  const isRow = seeds.length > 2 && seeds.every((seed, i) => seed === first + i);
  return isRow ? `${first}..${seeds.at(-1)}` : seeds.join(", ");
}
