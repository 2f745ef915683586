/**
 * Numbers that were chosen for one pair of setting and method: everything tuned stands in this table. On `starter` each
 * method gets six trials by one rule, on dev, under a seed that nothing reports (`bench/learning/tuning`); `errands`
 * has the model and the language of `starter`, and takes its numbers over. A pair without a row takes its setting's
 * rate, and the run says so.
 */
import type { Patch } from "../config/config.ts";

type Table = { readonly [setting: string]: { readonly [method: string]: Patch } };

const rate = (learningRate: number): Patch => ({ optimizer: { learningRate } });
/** The setting's own rate, which was chosen for LOOP. */
const OWN: Patch = {};

const ON_STARTER: Table[string] = {
  loop: { ...rate(1e-4), algo: { clip: 0.2 } },
  ei: { ...rate(1.7e-4), algo: { epochs: 4 } },
  rloo: rate(1e-3),
  grpo: { ...rate(1e-3), algo: { kl: { coefficient: 0.004 } } },
  "loop-turn": OWN,
  "loop-trajectory": OWN,
  "loop-trajectory-mean": { algo: { clip: 0.05 } },
  "loop-rwnorm": OWN,
  "grpo-no-kl": rate(1e-3),
  // Two iterations of eight warm the critic up, instead of ten of two hundred.
  "ppo-critic": { critic: { warmIterations: 2 } },
  "many-strict": rate(1e-3),
  rft: OWN,
  "sft-gt": OWN,
  dmpo: OWN,
  "dpo-mcts": { ...rate(3e-5), preference: { beta: 0.3 } },
};

export const TUNED: Table = {
  starter: ON_STARTER,
  errands: ON_STARTER,
  smoke: { loop: OWN, "on-policy": OWN },
  paper: { loop: OWN },
  "qwen2.5-32b": { loop: OWN },
  "qwen3-8b": { loop: OWN },
  "imitation-control": { loop: OWN },
  agent: { loop: OWN },
  laptop: { loop: OWN },
};

/**
 * What a pair needs to spend the setting's budget as LOOP does there: 1,920 rollouts in 8 iterations of 40 tasks of 6,
 * or as many at once in 240 tasks of 8 (`rft`), or the solutions of as many tasks as LOOP draws (`sft-gt`). These two
 * have one iteration, so their rate never falls (`optimizer.finalRate`).
 */
export const FITTED: Table = {
  starter: {
    "many-strict": { algo: { tasksPerIteration: 10 } },
    rft: { algo: { tasksPerIteration: 240 } },
    "sft-gt": { algo: { tasksPerIteration: 320 } },
  },
};

/** Whether somebody chose the rate of this pair. */
export function isTuned(setting: string, method: string): boolean {
  return TUNED[setting]?.[method] !== undefined;
}
