/**
 * Which trial comes next. Every method gets six, on dev, by one rule that knows nothing of the method: three rates a factor
 * of three apart; a fourth outside them where the best is at an end, else between the best and its better neighbour; then two
 * other values of one number of its own, at the best rate.
 */
export interface Trial {
  readonly method: string;
  readonly rate: number;
  /** The method's own number, where the trial changes it. */
  readonly knob?: { readonly field: string; readonly value: number | string };
  /** TGC on dev, shares. */
  readonly greedy: number;
  readonly sampled: number;
  readonly seconds: number;
}

export type Planned = Pick<Trial, "rate" | "knob">;

const RATES = [1e-4, 3e-4, 1e-3] as const;
const OUTSIDE = { low: 3e-5, high: 3e-3 } as const;
export const TRIALS = 6;

/** One number a method that its rate does not stand for: its own value there, and two beside it. */
export const KNOBS: {
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

/** What a trial is chosen by: both ways of decoding count alike. */
export const scoreOf = ({ greedy, sampled }: Pick<Trial, "greedy" | "sampled">) =>
  (greedy + sampled) / 2;

/** The best trial, the earlier one of equals. */
export function best(trials: readonly Trial[]): Trial | undefined {
  return trials.reduce<Trial | undefined>(
    (top, trial) => (top === undefined || scoreOf(trial) > scoreOf(top) ? trial : top),
    undefined,
  );
}

/** Undefined when the method has had its six. */
export function nextTrial(method: string, done: readonly Trial[]): Planned | undefined {
  if (done.length >= TRIALS) return undefined;
  if (done.length < RATES.length) return { rate: RATES[done.length]! };
  if (done.length === RATES.length) return { rate: fourthRate(done) };
  const knob = KNOBS[method];
  const rate = best(done.slice(0, RATES.length + 1))!.rate;
  if (!knob) return undefined;
  return { rate, knob: { field: knob.field, value: knob.values[done.length - RATES.length - 1]! } };
}

function fourthRate(done: readonly Trial[]): number {
  const scores = RATES.map((rate) => scoreOf(done.find((trial) => trial.rate === rate)!));
  const top = scores.indexOf(Math.max(...scores));
  if (top === 0) return OUTSIDE.low;
  if (top === RATES.length - 1) return OUTSIDE.high;
  const neighbour = scores[0]! > scores[2]! ? RATES[0] : RATES[2];
  return Number(Math.sqrt(RATES[1] * neighbour).toPrecision(2));
}
