/**
 * Decides which trial comes next. Every method gets six trials by the same rule. The first three try learning rates a
 * factor of three apart. The fourth tries a rate beyond these when the best is the lowest or highest of them, and
 * otherwise a rate between the best and its better neighbour. The last two try two other values of one more field, at
 * the best rate.
 */

/** A trial of a method and its scores on dev. */
export interface Trial {
  readonly method: string;
  readonly rate: number;
  /** The other tuned field of the method and its value, if the trial changes it. */
  readonly knob?: { readonly field: string; readonly value: number | string };
  /** Task goal completion (TGC) on dev with greedy decoding, from 0 to 1. */
  readonly greedy: number;
  /** Task goal completion (TGC) on dev at T = 1, from 0 to 1. */
  readonly sampled: number;
  readonly seconds: number;
}

export type PlannedTrial = Pick<Trial, "rate" | "knob">;

const RATES = [1e-4, 3e-4, 1e-3] as const;
const OUTER_RATES = { low: 3e-5, high: 3e-3 } as const;
export const TRIALS_PER_METHOD = 6;

/** For each method, the field besides the learning rate that is tuned, with its usual value and two other values. */
export const TUNED_FIELDS: {
  readonly [method: string]: {
    readonly field: string;
    readonly own: number;
    readonly values: readonly [number | string, number | string];
  };
} = {
  loop: { field: "algo.clip", own: 0.1, values: [0.05, 0.2] },
  "loop-turn": { field: "algo.clip", own: 0.1, values: [0.05, 0.2] },
  "loop-trajectory": { field: "algo.clip", own: 0.1, values: [0.05, 0.2] },
  "loop-trajectory-mean": { field: "algo.clip", own: 0.1, values: [0.05, 0.2] },
  "loop-rwnorm": { field: "algo.clip", own: 0.1, values: [0.05, 0.2] },
  rloo: { field: "optimizer.finalRate", own: 0.2, values: [0.05, 1] },
  grpo: { field: "algo.kl.coefficient", own: 0.04, values: [0.004, 0.4] },
  "grpo-no-kl": { field: "optimizer.finalRate", own: 0.2, values: [0.05, 1] },
  "many-strict": { field: "algo.groupSize", own: 24, values: [12, 48] },
  "ppo-critic": { field: "critic.warmIterations", own: 1, values: [0, 2] },
  ei: { field: "algo.epochs", own: 2, values: [1, 4] },
  rft: { field: "algo.epochs", own: 6, values: [3, 12] },
  "sft-gt": { field: "algo.epochs", own: 10, values: [5, 20] },
  dmpo: { field: "preference.beta", own: 0.1, values: [0.03, 0.3] },
  "dpo-mcts": { field: "preference.beta", own: 0.1, values: [0.03, 0.3] },
};

/** Returns the score by which trials are chosen: the mean of the greedy score and the score at T = 1. */
export const trialScore = ({ greedy, sampled }: Pick<Trial, "greedy" | "sampled">) =>
  (greedy + sampled) / 2;

/** Returns the trial with the best score, and the earliest of several such trials. */
export function bestTrial(trials: readonly Trial[]): Trial | undefined {
  return trials.reduce<Trial | undefined>(
    (top, trial) => (top === undefined || trialScore(trial) > trialScore(top) ? trial : top),
    undefined,
  );
}

/** Returns the next trial of a method, or undefined after its last one. */
export function nextTrial(method: string, done: readonly Trial[]): PlannedTrial | undefined {
  if (done.length >= TRIALS_PER_METHOD) return undefined;
  if (done.length < RATES.length) return { rate: RATES[done.length]! };
  if (done.length === RATES.length) return { rate: chooseFourthRate(done) };
  const knob = TUNED_FIELDS[method];
  const rate = bestTrial(done.slice(0, RATES.length + 1))!.rate;
  if (!knob) return undefined;
  return { rate, knob: { field: knob.field, value: knob.values[done.length - RATES.length - 1]! } };
}

function chooseFourthRate(done: readonly Trial[]): number {
  const scores = RATES.map((rate) => trialScore(done.find((trial) => trial.rate === rate)!));
  const top = scores.indexOf(Math.max(...scores));
  if (top === 0) return OUTER_RATES.low;
  if (top === RATES.length - 1) return OUTER_RATES.high;
  const neighbour = scores[0]! > scores[2]! ? RATES[0] : RATES[2];
  return Number(Math.sqrt(RATES[1] * neighbour).toPrecision(2));
}
