/**
 * The paper's numbers: 40 tasks of K 6, 40 turns, 32K context, AdamW at a constant 5e-5 (arXiv 2502.01600, appendix D).
 * These are the defaults, so this setting changes nothing. Epochs, minibatch, clip and the number of iterations, which
 * the paper does not state, are those of its released code.
 *
 * This project chose the world (`everyday/starter`, all difficulties) and how often dev is evaluated. All weights are
 * trained unless `engine.lora` is set; the paper trains a LoRA adapter of rank 16.
 *
 * The setting starts from an instruction-tuned model, so it has no warm start. Random weights would never earn a
 * reward: without a model, `train` rejects this setting at once and names `starter`.
 */
import type { Setting } from "./setting.ts";

export const paper: Setting = {
  summary: "the numbers of the LOOP paper, for an instruction-tuned model",
  config: {},
};
