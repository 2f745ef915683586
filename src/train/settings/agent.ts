/**
 * The setting for an agent of the user's own (`trainAgent`). A small decoder with random weights trains on two cores in
 * minutes.
 *
 * Deviations from `paper`: 1, 3, 5 and 7 of `starter` (a warm start, here on conversations; no straggler rule; no
 * weight decay; a falling learning rate), and
 *  1. The user brings the tasks. All training tasks are trained on, and all held-out tasks are evaluated.
 *  2. The warm start sees its conversations three times. After one time, a model of this size may still be unable to
 *     copy what a request names, and then no reward can teach it (docs/log.md).
 *  3. Episodes are short: 8 answers of at most 64 tokens, rows of 384. Published models need more (`overrides`).
 */
import type { Setting } from "./setting.ts";

export const agent: Setting = {
  summary: "an agent of your own (trainAgent()), with a small model from random weights",
  config: {
    world: { name: "tasks", trainScenarios: 100_000, episodes: 128 },
    model: {
      hiddenSize: 96,
      layers: 3,
      heads: 4,
      contextLength: 384,
    },
    tokenizer: { vocabularySize: 512, minimumCount: 50 },
    warm: { demonstrations: 5000, hastyShare: 0, epochs: 3, rows: 32, learningRate: 3e-3 },
    algo: {
      iterations: 12,
      tasksPerIteration: 32,
      groupSize: 6,
      stragglers: null,
      taskSampling: "uniform",
    },
    optimizer: { learningRate: 2e-4, finalRate: 0.2, betas: [0.9, 0.99], weightDecay: 0 },
    scaffold: {
      name: "agent",
      maxTurns: 8,
      evaluationTurns: 8,
      maxTurnTokens: 64,
      maxTokens: 384,
    },
    evaluation: { every: 0, scenarios: 100_000, everyScenarios: 100_000 },
  },
};
