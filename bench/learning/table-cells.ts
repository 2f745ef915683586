/** Selects the comparison and arms of a table, and formats its cells of scores and differences. */
import { meanInterval, meanShareInterval } from "../../src/algo/index.ts";
import { formatDifference, formatInterval, formatMean, rankArms } from "../../src/report/index.ts";
import {
  type Arm,
  armDifference,
  armScore,
  type Comparison,
  computeSpread,
  type Estimate,
  type Measure,
  type Results,
  type ScoredArm,
} from "../../src/train/index.ts";

/** The table that a marker comment in a page requests. */
export interface TableRequest {
  readonly kind: string;
  /** Names of arms, in the order of the table. By default, the table has all arms, the best first. */
  readonly arms?: readonly string[];
  /**
   * The budget of rollouts of the requested comparison, and its world. Needed when the file has several comparisons.
   */
  readonly rollouts?: number;
  readonly world?: string;
  readonly file: string;
}

/** Returns the comparisons with the requested budget and world, or all comparisons when the request names neither. */
export function selectComparisons(
  { comparisons }: Results,
  { rollouts, world }: TableRequest,
): Comparison[] {
  return comparisons.filter(
    (one) =>
      (rollouts === undefined || one.rollouts === rollouts) &&
      (world === undefined || one.world.name === world),
  );
}

/** Returns the only comparison, and throws when there is none or several. */
export function requireSingle(
  comparisons: readonly Comparison[],
  { kind, file }: TableRequest,
): Comparison {
  const [first, ...more] = comparisons;
  if (first === undefined)
    throw new Error(`${file} has no comparison of this budget and world for a table ${kind}`);
  if (more.length > 0) {
    const found = comparisons.map(({ world, rollouts }) => `on ${world.name} at ${rollouts}`);
    throw new Error(
      `${file} has ${comparisons.length} comparisons (${found.join("; ")}): name the budget or the world in the marker comment above the table`,
    );
  }
  return first;
}

/**
 * Returns the requested arms in their order, or `all` when the request names no arm. Throws when the comparison lacks
 * an arm.
 */
export function selectArms(
  comparison: Comparison,
  { arms, file }: TableRequest,
  all = rankArms(comparison),
): Arm[] {
  if (arms === undefined) return all;
  return arms.map((name) => {
    const arm = comparison.arms.find((one) => one.name === name);
    if (arm === undefined) throw new Error(`${file} has no arm ${name}`);
    return arm;
  });
}

/** Formats an estimate as "79.8 ± 1.8 [79, 81]". A star marks a single run, whose interval is over its scenarios. */
export function formatEstimate(estimate: Estimate | undefined): string {
  if (estimate === undefined) return "";
  return `${formatMean(estimate)} ${formatInterval(estimate)}${estimate.over === "runs" ? "" : "*"}`;
}

/** Estimates the mean of values of runs, such as differences of pairs, with its 95% interval. */
export const estimateMean = (values: readonly number[]): Estimate => ({
  ...computeSpread(values),
  interval: meanInterval(values),
  over: "runs",
  count: values.length,
});

/**
 * Formats shares of runs in percent, as mean, standard deviation and, from two runs on, a 95% interval that stays within
 * 0 and 100. Returns "" without values.
 */
export function formatShares(values: readonly number[]): string {
  if (values.length === 0) return "";
  const estimate = { ...estimateMean(values), interval: meanShareInterval(values) };
  return values.length === 1 ? formatMean(estimate) : formatEstimate(estimate);
}

/** Returns the differences of a value between runs and others, one for each seed for which both have the value. */
export function pairedDifferences<Run extends { readonly seed: number }>(
  runs: readonly Run[],
  others: readonly Run[],
  read: (run: Run) => number | undefined,
): number[] {
  const bySeed = new Map(others.map((run) => [run.seed, read(run)]));
  return runs.flatMap((run) => {
    const [own, other] = [read(run), bySeed.get(run.seed)];
    return own === undefined || other === undefined ? [] : [own - other];
  });
}

/** Formats differences of pairs of runs in points, as their mean and its 95% interval. Returns "" without values. */
export const formatMeanDifference = (differences: readonly number[]): string =>
  differences.length === 0 ? "" : formatDifference(estimateMean(differences));

export const formatMeanCount = (values: readonly number[]) =>
  String(Math.round(computeSpread(values).mean));

/** Returns the warm starts as if they were the runs of an arm. */
export function warmStartsAsArm({ starts }: Comparison): ScoredArm {
  return { runs: starts.map(({ seed, before }) => ({ seed, after: before })) };
}

const SCORES: readonly (readonly [on: string, measure: Measure])[] = [
  ["test-normal", "tgc"],
  ["test-normal@T1", "tgc"],
  ["test-normal", "sgc"],
  ["dev", "tgc"],
  ["dev@T1", "tgc"],
];
export const SCORE_HEADS = ["test-normal TGC", "T = 1", "SGC", "dev TGC", "T = 1"];

export function scoreCells(comparison: Comparison, arm: ScoredArm): string[] {
  return SCORES.map(([on, measure]) => formatEstimate(armScore(comparison, arm, on, measure)));
}

/**
 * Returns the name that the arm was given, or else the name of its method. For the method `loop`, this is "LOOP" with
 * the name of the arm.
 */
export function displayArmName({ name, recipe, method, setting }: Arm): string {
  if (name !== recipe) return name.replace(`${setting}/`, "");
  return method === "loop" ? `LOOP (\`${name}\`)` : `\`${method}\``;
}

/** Returns scores on test-normal, greedy and at T = 1, each with its difference to `other` over pairs of runs. */
export function differenceCells(
  comparison: Comparison,
  arm: Arm,
  other: Arm | undefined,
): string[] {
  return ["test-normal", "test-normal@T1"].flatMap((on) => [
    formatEstimate(armScore(comparison, arm, on)),
    other ? formatDifference(armDifference(comparison, arm, other, on)) : "",
  ]);
}

export const differenceHeads = (to: string) =>
  ["test-normal TGC", "T = 1"].flatMap((score) => [score, `to ${to} [95%]`]);
