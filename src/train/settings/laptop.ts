/**
 * A published model of a hundred million parameters or so (SmolLM2-135M, or any folder or file that `--engine.model`
 * names) learns the everyday world on two cores in an hour and a half:
 *
 *   bowline train laptop --engine.model SmolLM2-135M-Instruct.Q4_1.gguf
 *
 * It knows English and JavaScript, and nothing of this world: talked to without a warm start it finishes no task. So
 * the warm start shows it a twelfth of what a model from random weights is shown twice in `starter`, in small batches
 * at a high rate.
 *
 * Deviations from `paper`: 1, 3, 5 and 6 of `starter` (a warm start on mostly hasty demonstrations, no straggler rule,
 * no weight decay, tasks of mixed outcomes first), and
 *  1. LoRA with alpha of twice its rank, and a higher rate: few steps are taken.
 *  2. Episodes are short: 8 turns, in evaluation too, of at most 128 tokens, observations of 100, rows of 512. The model's own
 *     tokenizer needs twice the tokens that one made for this world does.
 *  3. 12 tasks an iteration, each rollout learned from once, in minibatches of 24: what comes after the first is computed forward twice.
 *  4. Dev is scored at the end alone, on 60 scenarios as before.
 */
import type { Setting } from "./setting.ts";

export const laptop: Setting = {
  summary:
    "a published model of about 135M parameters (engine.model), by LoRA on two cores in an hour and a half",
  config: {
    world: { name: "everyday/starter", trainScenarios: 2000 },
    engine: { lora: { rank: 16, alpha: 32 } },
    model: { contextLength: 512 },
    warm: { demonstrations: 2000, hastyShare: 0.6, epochs: 1, rows: 8, learningRate: 3e-3 },
    algo: {
      iterations: 8,
      tasksPerIteration: 12,
      groupSize: 6,
      epochs: 1,
      minibatch: 24,
      stragglers: null,
      taskSampling: "mixed-outcomes",
    },
    optimizer: { learningRate: 3e-4, finalRate: 0.2, betas: [0.9, 0.99], weightDecay: 0 },
    scaffold: {
      name: "fenced",
      maxTurns: 8,
      evaluationTurns: 8,
      maxTurnTokens: 128,
      maxTokens: 512,
      maxObservationTokens: 100,
    },
    evaluation: { every: 0, scenarios: 60, everyScenarios: 20 },
  },
};
