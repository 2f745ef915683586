/**
 * Computes scores of runs and arms, with intervals.
 *
 * Runs are the units. The interval of an arm is Student's t over its runs; that of a difference is over pairs of runs
 * from one warm start. A single run says nothing about the next one, so its interval is over scenarios, and is marked
 * as such.
 */
import {
  type Cluster,
  clusteredInterval,
  type Interval,
  meanInterval,
  meanShareInterval,
  sampleStandardDeviation,
} from "../../algo/index.ts";
import { meanOrZero } from "../../methods/index.ts";
import type { Comparison, Outcomes } from "./comparison.ts";

/** TGC is the share of tasks that pass, SGC the share of scenarios in which every task passes. */
export type Measure = "tgc" | "sgc";

type Splits = Comparison["splits"];

/** The part of an arm from which its scores are computed. */
export interface ScoredArm {
  readonly runs: readonly { readonly seed: number; readonly after: Outcomes }[];
}

/** Computes TGC or SGC in 0..1; undefined if not scored. `on` is split and decoding, such as `test-normal@T1`. */
export function computeShare(
  splits: Splits,
  outcomes: Outcomes,
  on: string,
  measure: Measure = "tgc",
): number | undefined {
  const units = listScoredUnits(splits, outcomes, on, measure);
  return units.length === 0 ? undefined : meanOrZero(units.map(({ passed, of }) => passed / of));
}

/** Returns the passed and total units of each scenario: its tasks for TGC, itself for SGC. */
function listScoredUnits(
  splits: Splits,
  outcomes: Outcomes,
  on: string,
  measure: Measure,
): Cluster[] {
  const of = splits[on.replace("@T1", "")]?.tasks;
  if (of === undefined) return [];
  return (outcomes[on] ?? []).map((passed) =>
    measure === "tgc" ? { passed, of } : { passed: Number(passed === of), of: 1 },
  );
}

/** The mean and spread of scores over runs. */
export interface Spread {
  readonly mean: number;
  /** The sample standard deviation over runs; undefined for one run. */
  readonly sd: number | undefined;
}

export function computeSpread(values: readonly number[]): Spread {
  return { mean: meanOrZero(values), sd: sampleStandardDeviation(values) };
}

/** A mean with its 95% interval, and the units that the interval is over. */
export interface Estimate extends Spread {
  /** Undefined if the units are too few or all equal, so that their spread is unknown. */
  readonly interval: Interval | undefined;
  readonly over: "runs" | "scenarios";
  /** The number of units. */
  readonly count: number;
}

/** Returns the score of each run that has it, by seed. */
export function sharesBySeed(
  { splits }: Comparison,
  arm: ScoredArm,
  on: string,
  measure: Measure = "tgc",
): Map<number, number> {
  return new Map(
    arm.runs.flatMap(({ seed, after }) => {
      const share = computeShare(splits, after, on, measure);
      return share === undefined ? [] : [[seed, share] as const];
    }),
  );
}

/** Returns the score of a minus that of b for each pair of runs with the same seed, by seed. */
export function differencesBySeed(
  comparison: Comparison,
  a: ScoredArm,
  b: ScoredArm,
  on: string,
  measure: Measure = "tgc",
): Map<number, number> {
  const others = sharesBySeed(comparison, b, on, measure);
  return new Map(
    [...sharesBySeed(comparison, a, on, measure)].flatMap(([seed, share]) => {
      const other = others.get(seed);
      return other === undefined ? [] : [[seed, share - other] as const];
    }),
  );
}

/** Estimates the score of an arm over its runs; undefined if no run has it. */
export function armScore(
  comparison: Comparison,
  arm: ScoredArm,
  on: string,
  measure: Measure = "tgc",
): Estimate | undefined {
  const values = [...sharesBySeed(comparison, arm, on, measure).values()];
  if (values.length === 0) return undefined;
  if (values.length > 1) {
    const interval = meanShareInterval(values);
    return { ...computeSpread(values), interval, over: "runs", count: values.length };
  }
  const [first] = arm.runs.filter(({ after }) => on in after);
  const units = listScoredUnits(comparison.splits, first!.after, on, measure);
  return {
    ...computeSpread(values),
    interval: clusteredInterval(units),
    over: "scenarios",
    count: units.length,
  };
}

/**
 * Estimates the score of a minus that of b, with its 95% interval over pairs of runs of the same seed, or over
 * scenarios if there is one pair; undefined without a pair. This is not a test: the comparison was not fixed
 * beforehand, and one in twenty such intervals misses the true difference.
 */
export function armDifference(
  comparison: Comparison,
  a: ScoredArm,
  b: ScoredArm,
  on: string,
  measure: Measure = "tgc",
): Estimate | undefined {
  const differences = differencesBySeed(comparison, a, b, on, measure);
  const [seed] = differences.keys();
  if (seed === undefined) return undefined;
  const runs = [...differences.values()];
  if (runs.length > 1) {
    const interval = meanInterval(runs);
    return { ...computeSpread(runs), interval, over: "runs", count: runs.length };
  }
  const unitsOfArm = (arm: ScoredArm) => {
    const { after } = arm.runs.find((run) => run.seed === seed)!;
    return listScoredUnits(comparison.splits, after, on, measure);
  };
  const second = unitsOfArm(b);
  const scenarios = unitsOfArm(a).map(({ passed, of }, i) => (passed - second[i]!.passed) / of);
  return {
    ...computeSpread(runs),
    interval: meanInterval(scenarios),
    over: "scenarios",
    count: scenarios.length,
  };
}
