/**
 * Scores of runs and arms, with intervals.
 *
 * Runs are the units: an arm's interval is Student's t over its runs, and a difference's over pairs of runs from one
 * warm start. Where there is one run, nothing is known of the next one; the interval is then over scenarios, and says
 * so.
 */
import {
  type Cluster,
  clusteredInterval,
  type Interval,
  meanInterval,
  sampleStandardDeviation,
} from "../../algo/index.ts";
import { meanOrZero } from "../../methods/index.ts";
import type { Comparison, Outcomes } from "./comparison.ts";

/** TGC: share of tasks that pass. SGC: share of scenarios whose every task passes. */
export type Measure = "tgc" | "sgc";

type Splits = Comparison["splits"];

/** Of an arm, what its scores need. */
export interface ScoredArm {
  readonly runs: readonly { readonly seed: number; readonly after: Outcomes }[];
}

/** A share. Undefined where that was not scored. `on`: split and decoding, `test-normal@T1`. */
export function computeShare(
  splits: Splits,
  outcomes: Outcomes,
  on: string,
  measure: Measure = "tgc",
): number | undefined {
  const units = listUnits(splits, outcomes, on, measure);
  return units.length === 0 ? undefined : meanOrZero(units.map(({ passed, of }) => passed / of));
}

/** Scenarios: with their tasks for TGC, passed or not for SGC. */
function listUnits(splits: Splits, outcomes: Outcomes, on: string, measure: Measure): Cluster[] {
  const of = splits[on.replace("@T1", "")]?.tasks;
  if (of === undefined) return [];
  return (outcomes[on] ?? []).map((passed) =>
    measure === "tgc" ? { passed, of } : { passed: Number(passed === of), of: 1 },
  );
}

export interface Spread {
  readonly mean: number;
  /** Sample standard deviation over runs; undefined for one. */
  readonly sd: number | undefined;
}

export function computeSpread(values: readonly number[]): Spread {
  return { mean: meanOrZero(values), sd: sampleStandardDeviation(values) };
}

/** A mean with its 95% interval and what that is over. */
export interface Estimate extends Spread {
  readonly interval: Interval;
  readonly over: "runs" | "scenarios";
  /** Units. */
  readonly count: number;
}

/** The score of each run that has it, by seed. */
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

/** Score of a minus b, over pairs of runs of the same seed, by seed. */
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

/** Of the runs that have the score; undefined where none has. */
export function armScore(
  comparison: Comparison,
  arm: ScoredArm,
  on: string,
  measure: Measure = "tgc",
): Estimate | undefined {
  const values = [...sharesBySeed(comparison, arm, on, measure).values()];
  if (values.length === 0) return undefined;
  const over = meanInterval(values);
  if (over !== undefined) {
    const interval: Interval = [Math.max(0, over[0]), Math.min(1, over[1])];
    return { ...computeSpread(values), interval, over: "runs", count: values.length };
  }
  const [first] = arm.runs.filter(({ after }) => on in after);
  const units = listUnits(comparison.splits, first!.after, on, measure);
  return {
    ...computeSpread(values),
    interval: clusteredInterval(units),
    over: "scenarios",
    count: units.length,
  };
}

/**
 * Score of a minus b, with its 95% interval over pairs of runs of the same seed, or, for one pair, over scenarios. It
 * is no test: nothing here was fixed beforehand, and of many such intervals one in twenty misses. Undefined without a
 * pair.
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
  const over = meanInterval(runs);
  if (over !== undefined) {
    return { ...computeSpread(runs), interval: over, over: "runs", count: runs.length };
  }
  const of = (arm: ScoredArm) => {
    const { after } = arm.runs.find((run) => run.seed === seed)!;
    return listUnits(comparison.splits, after, on, measure);
  };
  const second = of(b);
  const scenarios = of(a).map(({ passed, of }, i) => (passed - second[i]!.passed) / of);
  return {
    ...computeSpread(runs),
    interval: meanInterval(scenarios) ?? [-1, 1],
    over: "scenarios",
    count: scenarios.length,
  };
}
