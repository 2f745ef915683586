/**
 * The whole pipeline in well under a minute: the toy world, a tiny decoder, a short warm start on mostly hasty
 * demonstrations, then LOOP. Mean training reward rises from below 0.5 to above 0.9. Deviations as in `starter`.
 */
import type { Recipe } from "./index.ts";

export const smoke: Recipe = {
  summary: "the toy world in under a minute: proves that learning works on this machine",
  config: {
    world: { name: "toy", trainScenarios: 100 },
    model: {
      hiddenSize: 64,
      layers: 2,
      heads: 4,
      kvHeads: 2,
      headSize: 16,
      intermediateSize: 176,
      contextLength: 256,
    },
    tokenizer: { vocabularySize: 384, minimumCount: 20 },
    warm: { demonstrations: 1600, hastyShare: 0.8, rows: 16, learningRate: 4e-3 },
    algo: { iterations: 12, tasksPerIteration: 16, minibatch: 24, stragglers: false },
    optimizer: { learningRate: 1e-3, weightDecay: 0 },
    scaffold: {
      maxTurns: 4,
      evaluationTurns: 4,
      maxTurnTokens: 48,
      maxTokens: 160,
      maxObservationCharacters: 300,
      maxObservationLines: 12,
    },
    evaluation: { scenarios: 20, every: 0, everyScenarios: 10, sampled: false },
  },
};
