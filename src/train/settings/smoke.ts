/**
 * Runs the whole pipeline in well under a minute: the toy world, a tiny decoder, a short warm start on mostly hasty
 * demonstrations, then LOOP. The mean training reward rises from below 0.5 to above 0.9.
 *
 * Deviations from `paper`: 1 to 5 and 7 of `starter`, with other numbers (the rate is 4e-4 and falls to a tenth), and
 *  1. The reward counts progress checks and is 0 if a guard fails, because most of the toy world's checks pass when
 *     nothing is done but to finish.
 *  2. Groups have eight rollouts: only one attempt in seven is careful, and a group without a careful attempt teaches
 *      nothing.
 *  3. 20 iterations of 24 tasks; a smaller world, model and tokenizer; 20 scenarios of each split are evaluated,
 *     greedily and only before and after training.
 */
import type { Setting } from "./setting.ts";

export const smoke: Setting = {
  summary: "the toy world in under a minute: shows that learning works on this machine",
  config: {
    world: { name: "toy", trainScenarios: 100 },
    model: {
      hiddenSize: 64,
      layers: 2,
      heads: 4,
      contextLength: 256,
    },
    tokenizer: { vocabularySize: 384, minimumCount: 20 },
    warm: { demonstrations: 4800, hastyShare: 0.85, rows: 16, learningRate: 4e-3 },
    algo: {
      iterations: 20,
      tasksPerIteration: 24,
      groupSize: 8,
      reward: "progress",
      stragglers: null,
    },
    optimizer: { learningRate: 4e-4, finalRate: 0.1, weightDecay: 0 },
    scaffold: {
      maxTurns: 4,
      evaluationTurns: 4,
      maxTurnTokens: 48,
      maxTokens: 160,
      maxObservationCharacters: 300,
      maxObservationLines: 12,
    },
    evaluation: { scenarios: 20, every: 0, everyScenarios: 10, scores: ["dev", "test-normal"] },
  },
};
