/**
 * The default: a small decoder from random weights learns the everyday world on two cores in about ten minutes.
 *
 * Deviations from `paper`, all of them, each because the model is small and new instead of a 32B instruction-tuned one,
 * or the run short:
 *  1. A warm start by imitation stands in for the instruction-tuned model. It mixes careful and hasty demonstrations
 *     (`warm.hastyShare`), because such a model knows the language and has bad habits, and those are what LOOP unlearns.
 *  2. The learning rate is 1e-4 instead of 5e-5, the paper's for a LoRA adapter: all weights of a small model are trained.
 *     LOOP's clip is 0.2 there instead of 0.1 (`tuned.ts`).
 *  3. The straggler rule is off: it drops long episodes, and those mostly fail, so it would bias the baselines.
 *  4. Episodes are short: 8 turns, in evaluation too, of at most 96 tokens, observations of 300 characters and 12 lines,
 *     rows of 256 tokens.
 *  5. No weight decay: a short run from random weights has nothing to forget.
 *  6. Tasks come rather from signatures whose recent groups had both failures and successes, instead of uniformly.
 *  7. The learning rate is not constant: it falls linearly to a fifth (`optimizer.finalRate`) in the last iteration, because
 *     late iterations learn from few rollouts at the size of a full step. A method of one iteration (`rft`, `sft-gt`) has
 *     no later one for it to fall in, and learns at the full rate throughout.
 *  8. AdamW's second beta is 0.99 instead of 0.999, in the warm start too: LOOP takes fewer than two hundred steps here, and an
 *     average over a thousand would be one over all of them.
 *  9. 8 iterations instead of 200, and dev is scored every 4 instead of 10.
 * 10. 8,000 training scenarios instead of 400: 24,000 tasks, so that every demonstration of the warm start is of
 * another one.
 *     Reinforcement draws its tasks from the same.
 */
import type { Setting } from "./setting.ts";

export const starter: Setting = {
  summary:
    "a small model from random weights in the everyday world, about ten minutes on two cores",
  config: {
    world: { name: "everyday/starter", trainScenarios: 8000 },
    model: { contextLength: 256 },
    warm: { demonstrations: 24_000, hastyShare: 0.6, epochs: 2, rows: 32, learningRate: 2.5e-3 },
    algo: { iterations: 8, stragglers: null, taskSampling: "mixed-outcomes" },
    optimizer: { learningRate: 1e-4, finalRate: 0.2, betas: [0.9, 0.99], weightDecay: 0 },
    scaffold: {
      maxTurns: 8,
      evaluationTurns: 8,
      maxTurnTokens: 96,
      maxTokens: 256,
      maxObservationCharacters: 300,
      maxObservationLines: 12,
    },
    evaluation: { every: 4, scenarios: 60, everyScenarios: 20 },
  },
};
