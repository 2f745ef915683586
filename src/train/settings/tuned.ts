/**
 * Numbers that were chosen for one pair of setting and method, on dev, seed 1: everything tuned stands in this table. A
 * pair without a row takes its setting's rate, and the run says so.
 *
 * On `starter`, one update an iteration is about a twelfth of LOOP's steps, so the rate of a step of the strictly on-policy
 * methods is higher. The budget is 3,360 rollouts: 14 iterations of 40 tasks of 6, or as many at once in 420 tasks of 8
 * (`rft`), or the solutions of as many tasks as LOOP draws (`sft-gt`). These two have one iteration, so their rate never
 * falls (`optimizer.finalRate`).
 */
import type { Patch } from "../config/config.ts";

type Table = { readonly [setting: string]: { readonly [method: string]: Patch } };

const rate = (learningRate: number): Patch => ({ optimizer: { learningRate } });
/** The setting's own rate, which was chosen for LOOP and is kept. */
const SAME: Patch = {};

export const TUNED: Table = {
  starter: {
    loop: SAME,
    "loop-turn": SAME,
    "loop-trajectory": SAME,
    "loop-trajectory-mean": SAME,
    "loop-rwnorm": SAME,
    "on-policy": SAME,
    rloo: rate(3e-4),
    grpo: rate(6e-4),
    "grpo-no-kl": rate(6e-4),
    "many-strict": { ...rate(6e-4), algo: { tasksPerIteration: 10 } },
    // One iteration of fourteen warms the critic up, instead of ten of two hundred.
    "ppo-critic": { critic: { warmIterations: 1 } },
    ei: SAME,
    rft: { algo: { tasksPerIteration: 420 } },
    "sft-gt": { algo: { tasksPerIteration: 560 } },
    // Five times the rate over four epochs pushed both sides of a pair down until no task was solved.
    dmpo: rate(1e-4),
    "dpo-mcts": rate(1e-4),
  },
  smoke: { loop: SAME, "on-policy": SAME },
  paper: { loop: SAME },
  "qwen2.5-32b": { loop: SAME },
  "qwen3-8b": { loop: SAME },
  "imitation-control": { loop: SAME },
};

/** Whether somebody chose the rate of this pair. */
export function isTuned(setting: string, method: string): boolean {
  return TUNED[setting]?.[method] !== undefined;
}
