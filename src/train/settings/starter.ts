/**
 * The default: a small decoder from random weights learns the everyday world on two cores in four to ten minutes.
 *
 * Deviations from `paper`, each because the model is small and new instead of a 32B instruction-tuned one:
 *  1. A warm start by imitation stands in for the instruction-tuned model. It mixes careful and hasty demonstrations
 *     (`warm.hastyShare`), because such a model knows the language and has bad habits, and those are what LOOP unlearns.
 *  2. The learning rate is higher: all weights are trained, not a LoRA adapter.
 *  3. The straggler rule is off: it drops long episodes, and those mostly fail, so it would bias the baselines.
 *  4. Turns, tokens and observations are short: the world's episodes fit in 400 tokens.
 *  5. No weight decay: a short run from random weights has nothing to forget.
 *  6. Tasks come rather from signatures whose recent groups had both failures and successes.
 */
import type { Setting } from "./setting.ts";

export const starter: Setting = {
  summary:
    "a small model from random weights in the everyday world, four to ten minutes on two cores",
  config: {
    world: { name: "everyday/starter", trainScenarios: 5334 },
    model: { contextLength: 256 },
    warm: { demonstrations: 16_000, hastyShare: 0.6, epochs: 2, rows: 32, learningRate: 2.5e-3 },
    algo: { iterations: 14, stragglers: null, taskSampling: "mixed-outcomes" },
    optimizer: { learningRate: 2e-4, finalRate: 0.2, beta2: 0.99, weightDecay: 0 },
    scaffold: {
      maxTurns: 8,
      evaluationTurns: 8,
      maxTurnTokens: 96,
      maxTokens: 256,
      maxObservationCharacters: 300,
      maxObservationLines: 12,
    },
    evaluation: { every: 7, scenarios: 60, everyScenarios: 20 },
  },
};
