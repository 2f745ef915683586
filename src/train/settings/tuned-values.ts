/**
 * The numbers that were tuned for single pairs of setting and method. On `starter`, each method had six trials by the
 * same rule, which were scored on dev with a seed that no report uses (`bench/learning/tuning`). `errands` has the
 * model and the language of `starter`, so it uses the same numbers. A pair without a row uses its setting's learning
 * rate, and the run says so.
 */
import type { Patch } from "../config/config.ts";

type TuningTable = { readonly [setting: string]: { readonly [method: string]: Patch } };

const withLearningRate = (learningRate: number): Patch => ({ optimizer: { learningRate } });
/** An empty change: the pair uses the numbers of the setting, which were chosen for LOOP. */
const NO_CHANGE: Patch = {};

const TUNED_ON_STARTER: TuningTable[string] = {
  loop: { ...withLearningRate(1e-4), algo: { clip: 0.2 } },
  ei: { ...withLearningRate(1.7e-4), algo: { epochs: 4 } },
  rloo: withLearningRate(1e-3),
  grpo: { ...withLearningRate(1e-3), algo: { kl: { coefficient: 0.004 } } },
  "loop-turn": NO_CHANGE,
  "loop-trajectory": NO_CHANGE,
  "loop-trajectory-mean": { algo: { clip: 0.05 } },
  "loop-rwnorm": NO_CHANGE,
  "grpo-no-kl": withLearningRate(1e-3),
  // Only the critic learns in two of the eight iterations. The default is ten, which suits two hundred iterations.
  "ppo-critic": { critic: { warmIterations: 2 } },
  "many-strict": withLearningRate(1e-3),
  rft: NO_CHANGE,
  "sft-gt": NO_CHANGE,
  dmpo: NO_CHANGE,
  "dpo-mcts": { ...withLearningRate(3e-5), preference: { beta: 0.3 } },
};

export const TUNED_VALUES: TuningTable = {
  starter: TUNED_ON_STARTER,
  errands: TUNED_ON_STARTER,
  smoke: { loop: NO_CHANGE, "on-policy": NO_CHANGE },
  paper: { loop: NO_CHANGE },
  "qwen2.5-32b": { loop: NO_CHANGE },
  "qwen3-32b": { loop: NO_CHANGE },
  "qwen3-8b": { loop: NO_CHANGE },
  "imitation-control": { loop: NO_CHANGE },
  agent: { loop: NO_CHANGE },
  laptop: { loop: NO_CHANGE },
};

/**
 * Numbers that let a method spend the same budget as LOOP on a setting. LOOP spends 1,920 rollouts on `starter`, in 8
 * iterations of 40 tasks of 6. `rft` collects all of them in one iteration, with 240 tasks of 8. `sft-gt` imitates the
 * solutions of as many tasks as LOOP draws. Both have one iteration, so their learning rate never falls
 * (`optimizer.finalRate`).
 */
export const BUDGET_VALUES: TuningTable = {
  starter: {
    "many-strict": { algo: { tasksPerIteration: 10 } },
    rft: { algo: { tasksPerIteration: 240 } },
    "sft-gt": { algo: { tasksPerIteration: 320 } },
  },
};

/** Returns true if the learning rate was chosen for this pair of setting and method. */
export function hasTunedRate(setting: string, method: string): boolean {
  return TUNED_VALUES[setting]?.[method] !== undefined;
}
