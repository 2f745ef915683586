/**
 * A published model of about a hundred million parameters (SmolLM2-135M, or any folder or file that `--engine.model`
 * names) learns the everyday world on two cores in an hour and a half:
 *
 *   bowline train laptop --engine.model SmolLM2-135M-Instruct.Q4_1.gguf
 *
 * Such a model knows English and JavaScript but nothing of this world: without a warm start it finishes no task. Its
 * warm start is one pass over 2,000 demonstrations, in small batches at a high rate; `starter`, from random weights,
 * takes two passes over 24,000.
 *
 * Deviations from `paper`: 1, 3, 5 and 6 of `starter` (a warm start on mostly hasty demonstrations, no straggler rule,
 * no weight decay, tasks of mixed outcomes first), and
 *  1. LoRA with an alpha of twice its rank, and a higher learning rate, because there are few optimizer steps.
 *  2. Episodes are short: 8 turns, in evaluation too, of at most 128 tokens, observations of 100, rows of 512. The
 *     model's own tokenizer needs twice the tokens of one that was trained for this world.
 *  3. 12 tasks an iteration. Each rollout is learned from once, in minibatches of 24; every minibatch but the first
 *     costs a second forward pass.
 *  4. Dev is evaluated only before and after training, on 60 scenarios.
 */
import type { Setting } from "./setting.ts";

export const laptop: Setting = {
  summary: "a published model of about 135M parameters, trained by LoRA on two cores",
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
