/**
 * The paper's model and numbers (arXiv 2502.01600, section 5 and appendix D), on a server of the Tinker protocol:
 *
 *   bowline train loop-qwen2.5-32b --engine.url http://127.0.0.1:8000 --engine.model models/Qwen2.5-32B-Instruct
 *
 * `engine.model` is the folder of the tokenizer and chat template; the server has the weights. A self-hosted server
 * needs what the paper used for training: one node of eight 80 GB GPUs was enough for the released code (the paper used
 * two), and its best run took 42 hours.
 *
 * These defaults are the paper's: 40 tasks of 6 rollouts at T = 1; 40 turns in training and 50 in evaluation; 1,500
 * tokens a turn, 3,000 an observation, 32K in all; leave-one-out, no KL; AdamW at a constant 5e-5, gradient norm
 * clipped to 1; the straggler rule. These are from its released code: clip 0.1; 2 epochs of minibatches of 32; weight
 * decay 0.01; 200 iterations.
 *
 * Deviations:
 *  1. The world is `everyday`, with more training tasks than AppWorld's 72. Difficulty 3 is left out, as in the paper.
 *  2. LoRA has rank 16; the server decides alpha (the paper's is 32, as in SkyRL).
 *  3. Dev is evaluated greedily with one rollout a task instead of two, and there is no sampled evaluation.
 *  4. A server that cannot clip gradients is rejected. For one, give --optimizer.max-gradient-norm 1e9 and a lower
 *     rate.
 */
import type { Setting } from "./setting.ts";

export const qwen2532b: Setting = {
  summary: "the 32B model and numbers of the LOOP paper, on a server of the Tinker protocol",
  config: {
    world: {
      name: "everyday",
      trainScenarios: 180,
      difficulties: [1, 2],
      workers: 4,
      episodes: 240,
    },
    engine: {
      name: "tinker",
      baseModel: "Qwen/Qwen2.5-32B-Instruct",
      lora: { rank: 16 },
    },
    scaffold: { name: "react" },
    evaluation: { every: 5, everyScenarios: 19, scenarios: 56, scores: ["dev", "test-normal"] },
  },
};
