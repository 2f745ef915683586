/**
 * The default setting: a small decoder with random weights learns the everyday world on two cores in about ten minutes.
 *
 * All deviations from `paper` are listed here. They are needed because the model is small and new, not an
 * instruction-tuned model of 32B parameters, or because the run is short.
 *  1. A warm start by imitation stands in for the instruction-tuned model. It mixes careful and hasty demonstrations
 *     (`warm.hastyShare`), because such a model knows the language but has bad habits, which LOOP has to remove.
 *  2. All weights of a small model are trained, so the learning rate is 1e-4; the paper's 5e-5 is for a LoRA adapter.
 *     LOOP's clip is 0.2 instead of 0.1 (`tuned-values.ts`).
 *  3. The straggler rule is off: it drops long episodes, which mostly fail, so it would bias the baselines.
 *  4. Episodes are short: 8 turns, in evaluation too, of at most 96 tokens, observations of 300 characters and 12
 *     lines, rows of 256 tokens.
 *  5. There is no weight decay, because a short run from random weights has nothing to forget.
 *  6. Tasks are not drawn uniformly: signatures whose recent groups had both failures and successes are drawn more
 *     often.
 *  7. The learning rate falls linearly to a fifth (`optimizer.finalRate`) in the last iteration, because late
 *     iterations learn from few rollouts with steps of full size. A method of one iteration (`rft`, `sft-gt`) learns at
 *     the full rate.
 *  8. AdamW's second beta is 0.99 instead of 0.999, in the warm start too. LOOP takes fewer than two hundred steps
 *     here, so an average over a thousand steps would cover all of them.
 *  9. There are 8 iterations instead of 200, and dev is evaluated every 4 instead of every 10.
 * 10. There are 8,000 training scenarios instead of 400. Their 24,000 tasks give each demonstration of the warm start a
 *     task of its own; reinforcement draws from the same tasks.
 */
import type { Setting } from "./setting.ts";

export const starter: Setting = {
  summary: "a small model learns the everyday world from random weights in ten minutes",
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
