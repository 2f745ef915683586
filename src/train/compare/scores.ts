/**
 * Computes scores of runs and arms, with intervals.
 *
 * The units are runs. The interval of an arm is Student's t interval over its runs. The interval of a difference is
 * over pairs of runs from the same warm start. A single run says nothing about the next run, so its interval is over
 * scenarios and says so.
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

/**
 * A measure of success. `tgc` is task goal completion, the share of tasks that pass. `sgc` is scenario goal completion,
 * the share of scenarios in which every task passes.
 */
export type Measure = "tgc" | "sgc";

type Splits = Comparison["splits"];

/** The part of an arm from which its scores are computed. */
export interface ScoredArm {
  readonly runs: readonly { readonly seed: number; readonly after: Outcomes }[];
}

/**
 * Computes TGC or SGC in 0..1; undefined if the score was not taken. `on` names the score, such as `test-normal@T1`.
 */
export function computeShare(
  splits: Splits,
  outcomes: Outcomes,
  on: string,
  measure: Measure = "tgc",
): number | undefined {
  const units = listScoredUnits(splits, outcomes, on, measure);
  return units.length === 0 ? undefined : meanOrZero(units.map(({ passed, of }) => passed / of));
}

/**
 * Returns the number of passed units and of all units for each scenario. A unit is a task for TGC and the scenario
 * itself for SGC.
 */
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

/** A mean with its 95% interval, and the kind of units (runs or scenarios) over which the interval is computed. */
export interface Estimate extends Spread {
  /** Undefined if the units are too few or all equal, so that their spread is unknown. */
  readonly interval: Interval | undefined;
  readonly over: "runs" | "scenarios";
  /** The number of units over which the interval is computed. */
  readonly count: number;
}

/** Returns the score of each run that has this score, by seed. */
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

/** Returns, for each seed with a run of both arms, the score of arm a minus that of arm b. */
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

/** Estimates an arm's score over its runs; undefined if no run has this score. */
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
 * Estimates the score of arm a minus that of arm b, with its 95% interval. The interval is over pairs of runs of the
 * same seed, or over scenarios if there is only one pair. Returns undefined when there is no pair. This is not a test:
 * the comparison was not fixed beforehand, and one in twenty such intervals misses the true difference.
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
