/** What tables of learning are made of: the comparison and arms that a marker asks for, and cells of scores and differences. */
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

/** What a marker asks for. */
export interface Asked {
  readonly kind: string;
  /** Names of arms, in the order of the table; default: all, best first. */
  readonly arms?: readonly string[];
  /** Budget and world of the comparison, where the file has several. */
  readonly rollouts?: number;
  readonly world?: string;
  readonly file: string;
}

/** The comparisons at the budget and on the world that were asked for. */
export function selected({ comparisons }: Results, { rollouts, world }: Asked): Comparison[] {
  return comparisons.filter(
    (one) =>
      (rollouts === undefined || one.rollouts === rollouts) &&
      (world === undefined || one.world.name === world),
  );
}

export function only(comparisons: readonly Comparison[], { kind, file }: Asked): Comparison {
  const [first, ...more] = comparisons;
  if (first === undefined) throw new Error(`${file} has no such comparison for a table ${kind}`);
  if (more.length > 0) {
    const there = comparisons.map(({ world, rollouts }) => `on ${world.name} at ${rollouts}`);
    throw new Error(
      `${file} has ${comparisons.length} comparisons (${there.join("; ")}): say which`,
    );
  }
  return first;
}

export function armsOf(
  comparison: Comparison,
  { arms, file }: Asked,
  all = rankArms(comparison),
): Arm[] {
  if (arms === undefined) return all;
  return arms.map((name) => {
    const arm = comparison.arms.find((one) => one.name === name);
    if (arm === undefined) throw new Error(`${file} has no arm ${name}`);
    return arm;
  });
}

/** "79.8 ± 1.8 [79, 81]"; a star where there is one run and the interval is over its scenarios. */
export function withInterval(estimate: Estimate | undefined): string {
  if (estimate === undefined) return "";
  return `${formatMean(estimate)} ${formatInterval(estimate)}${estimate.over === "runs" ? "" : "*"}`;
}

export const mean = (values: readonly number[]) => String(Math.round(computeSpread(values).mean));

/** The warm starts, as if they were an arm's runs. */
export function before({ starts }: Comparison): ScoredArm {
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
  return SCORES.map(([on, measure]) => withInterval(armScore(comparison, arm, on, measure)));
}

/** The method, where the arm is nothing but that; LOOP by the paper's name. */
export function nameOf({ name, recipe, method, setting }: Arm): string {
  if (name !== recipe) return name.replace(`${setting}/`, "");
  return method === "loop" ? `LOOP (\`${name}\`)` : `\`${method}\``;
}

/** Both decodings of test-normal, each beside its difference to another arm over pairs of runs; empty where there is none. */
export function apartCells(comparison: Comparison, arm: Arm, other: Arm | undefined): string[] {
  return ["test-normal", "test-normal@T1"].flatMap((on) => [
    withInterval(armScore(comparison, arm, on)),
    other ? formatDifference(armDifference(comparison, arm, other, on)) : "",
  ]);
}

export const apartHeads = (to: string) =>
  ["test-normal TGC", "T = 1"].flatMap((score) => [score, `to ${to} [95%]`]);
