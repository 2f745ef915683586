/**
 * An agent of one's own (`trainAgent`), with a small decoder from random weights on two cores: minutes.
 *
 * Deviations from `paper`: 1, 3, 5 and 7 of `starter` (a warm start, here on conversations; no straggler rule, no
 * weight decay, a falling rate), and
 *  1. Tasks are their owner's lists, whole: all are trained on, all held-out ones are scored.
 *  2. Episodes are short: 8 answers of at most 64 tokens, rows of 384. Published models want more (`overrides`).
 */
import type { Setting } from "./setting.ts";

export const agent: Setting = {
  summary: "an agent of your own, by trainAgent(): a small model from random weights, minutes",
  config: {
    world: { name: "tasks", trainScenarios: 100_000, episodes: 128 },
    model: {
      hiddenSize: 96,
      layers: 3,
      heads: 4,
      contextLength: 384,
    },
    tokenizer: { vocabularySize: 512, minimumCount: 50 },
    warm: { demonstrations: 5000, hastyShare: 0, epochs: 1, rows: 32, learningRate: 3e-3 },
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
