/**
 * LOOP with the paper's numbers: K 6, 40 tasks, token ratio, clip 0.1, AdamW at a constant 5e-5, 40 turns, 32K context
 * (arXiv 2502.01600, appendix D; epochs, minibatch and clip from the released code). These are the defaults of
 * `config.ts`, so this recipe changes nothing about the algorithm.
 *
 * It starts from an instruction-tuned model, so it has no warm start. The embedded engine starts from random weights,
 * where no reward is ever seen: there `train` refuses it at once and names `starter`.
 */
import type { Recipe } from "./recipe.ts";

export const loop: Recipe = {
  summary: "the paper's configuration, for an instruction-tuned model",
  config: {},
};
