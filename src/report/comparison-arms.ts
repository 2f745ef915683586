/**
 * Prepares the arms of a comparison for display: their order, the reference arm, their mean curves, and scores as text.
 */
import {
  type Arm,
  armScore,
  type Comparison,
  computeSpread,
  type Estimate,
} from "../train/index.ts";
import { formatPercent, formatPoints } from "./format.ts";

/** The scores that a comparison shows where they were taken: greedy and at T = 1, on all splits but train. */
const HEADLINE_SCORES = [
  ...["test-normal", "test-normal@T1"],
  ...["test-challenge", "test-challenge@T1"],
  ...["dev", "dev@T1"],
];

/** Lists the scores that a comparison shows: those that any of its runs has, test-normal first. */
export function takenScores({ arms }: Pick<Comparison, "arms">): string[] {
  return HEADLINE_SCORES.filter((on) =>
    arms.some(({ runs }) => runs.some(({ after }) => after[on] !== undefined)),
  );
}

/** Formats the name of a score: `test-normal@T1` becomes "test-normal, T = 1". */
export function formatScoreName(scoreName: string): string {
  const [split = scoreName, mode] = scoreName.split("@");
  return `${split}, ${mode === undefined ? "greedy" : "T = 1"}`;
}

/** Returns the arms ordered by the first score that was taken, usually greedy TGC on test-normal, best first. */
export function rankArms(comparison: Comparison): Arm[] {
  const [first = ""] = takenScores(comparison);
  const tgc = (arm: Arm) => armScore(comparison, arm, first)?.mean ?? 0;
  return comparison.arms.toSorted((a, b) => tgc(b) - tgc(a));
}

/**
 * Returns the arm with which the others are compared: LOOP, found by the name of its setting, or else the first arm.
 */
export function referenceArm({ arms, setting }: Comparison): Arm | undefined {
  return arms.find(({ name }) => name === setting) ?? arms[0];
}

export interface CurvePoint {
  /** The number of rollouts spent so far, as the mean over runs. */
  readonly rollouts: number;
  /** The greedy TGC on dev, as the mean over runs. TGC is the share of tasks that pass. */
  readonly value: number;
}

/** Returns the mean curve over runs. It ends at the last evaluation that all runs have. */
export function meanCurve({ runs }: Arm): CurvePoint[] {
  const points = runs.length === 0 ? 0 : Math.min(...runs.map(({ dev }) => dev.length));
  return Array.from({ length: points }, (_, i) => ({
    rollouts: computeSpread(runs.map(({ dev }) => dev[i]![0])).mean,
    value: computeSpread(runs.map(({ dev }) => dev[i]![1])).mean,
  }));
}

/**
 * Formats the mean and the sample standard deviation over runs in percent, such as "75.9 ± 2.6". Returns "" when there
 * is no score.
 */
export function formatMean(estimate: Estimate | undefined): string {
  if (estimate === undefined) return "";
  const { mean, sd } = estimate;
  return sd === undefined ? formatPercent(mean) : `${formatPercent(mean)} ± ${formatPercent(sd)}`;
}

/** What stands in place of an interval that cannot be estimated. `MISSING_INTERVAL_NOTE` explains it. */
export const NO_INTERVAL = "[no interval]";

/** The sentence that explains `NO_INTERVAL` below a table. */
export const MISSING_INTERVAL_NOTE =
  "There is no interval where all runs, or all scenarios of a single run, have equal values: their spread is unknown.";

/** Formats an interval in percent, such as "[70, 82]". */
export function formatInterval({ interval }: Estimate): string {
  if (interval === undefined) return NO_INTERVAL;
  const [low, high] = interval;
  return `[${Math.round(low * 100)}, ${Math.round(high * 100)}]`;
}

/** Formats an interval of a difference in points, such as "[−1.2, +9.0]". */
export function formatPointInterval(interval: readonly [number, number] | undefined): string {
  return interval === undefined ? NO_INTERVAL : `[${interval.map(formatPoints).join(", ")}]`;
}

/**
 * Formats a difference in points, such as "+3.9 [−1.2, +9.0]". A star marks an interval over the scenarios of single
 * runs.
 */
export function formatDifference(estimate: Estimate | undefined): string {
  if (estimate === undefined) return "";
  const interval = formatPointInterval(estimate.interval);
  return `${formatPoints(estimate.mean)} ${interval}${estimate.over === "runs" ? "" : "*"}`;
}

/** Formats seeds in few characters, such as "1..8" or "1, 2, 5". */
export function formatSeeds(seeds: readonly number[]): string {
  const [first = 0] = seeds;
  const isRow = seeds.length > 2 && seeds.every((seed, i) => seed === first + i);
  return isRow ? `${first}..${seeds.at(-1)}` : seeds.join(", ");
}
