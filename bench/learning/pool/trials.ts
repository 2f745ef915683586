/**
 * Decides which trial of an arm comes next. Every arm gets five trials by one rule, each with two seeds: three learning
 * rates a factor of three apart, then the two other values of its knob at the best rate. A choice at the edge of its
 * values gets one more trial beyond the edge, for the rate and for the knob alike.
 */
import { ARMS, type PoolArm } from "./arms.ts";

export const TUNING_SEEDS = [101, 102] as const;
export const TUNING_ITERATIONS = 12;
const RATES = [3e-5, 1e-4, 3e-4] as const;
const OUTER_RATES = [1e-5, 1e-3] as const;

/** The numbers that a trial tries. */
export interface TrialValues {
  readonly rate: number;
  readonly knob: number;
}

/** A finished trial: its values and its scores on dev, one for each tuning seed. */
export interface FinishedTrial extends TrialValues {
  readonly scores: readonly { readonly greedy: number; readonly sampled: number }[];
}

/** Returns the score of a trial: greedy TGC and TGC at T = 1 on dev, averaged, and averaged over seeds. */
export function scoreTrial({ scores }: FinishedTrial): number {
  return (
    scores.reduce((sum, { greedy, sampled }) => sum + (greedy + sampled) / 2, 0) / scores.length
  );
}

/** Returns the best trial; the earliest of several. */
export function bestTrial<T extends FinishedTrial>(trials: readonly T[]): T | undefined {
  return trials.reduce<T | undefined>(
    (top, trial) => (top === undefined || scoreTrial(trial) > scoreTrial(top) ? trial : top),
    undefined,
  );
}

/** Returns the next values to try; undefined when the arm's trials are complete. */
export function nextTrial(
  { knob }: Pick<PoolArm, "knob">,
  done: readonly FinishedTrial[],
): TrialValues | undefined {
  const usual = knob.values[1];
  const rates = done.filter((trial) => trial.knob === usual);
  const untriedRate = RATES.find((rate) => !rates.some((trial) => trial.rate === rate));
  if (untriedRate !== undefined) return { rate: untriedRate, knob: usual };
  const beyondRate = valueBeyond(bestTrial(rates)!.rate, RATES, OUTER_RATES);
  const hasOuterRate = rates.length > RATES.length;
  if (beyondRate !== undefined && !hasOuterRate) return { rate: beyondRate, knob: usual };
  const { rate } = bestTrial(rates)!;
  const atRate = done.filter((trial) => trial.rate === rate);
  const untried = knob.values.find((value) => !atRate.some((trial) => trial.knob === value));
  if (untried !== undefined) return { rate, knob: untried };
  const beyond = valueBeyond(bestTrial(atRate)!.knob, knob.values, knob.beyond);
  const hasOuter = atRate.length > knob.values.length;
  return beyond !== undefined && !hasOuter ? { rate, knob: beyond } : undefined;
}

/** Returns the value beyond the edge at which `best` lies; undefined if it lies within. */
function valueBeyond(
  best: number,
  values: readonly number[],
  [low, high]: readonly [number, number?],
): number | undefined {
  if (best === values[0]) return low;
  return best === values.at(-1) ? high : undefined;
}

/** Returns the configuration fields of a trial of an arm. */
export function fieldsOfValues(arm: string, { rate, knob }: TrialValues): Record<string, number> {
  return { "optimizer.learningRate": rate, [ARMS[arm]!.knob.field]: knob };
}
