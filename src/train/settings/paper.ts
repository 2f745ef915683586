/**
 * The paper's numbers: 40 tasks of K 6, 40 turns, 32K context, AdamW at a constant 5e-5 (arXiv 2502.01600, appendix D).
 * These are the defaults, so this setting changes nothing. Epochs, minibatch, clip and the number of iterations, which
 * the paper does not state, are those of its released code.
 *
 * Of this project are the world (`everyday/starter`, all difficulties) and how often dev is scored; and all weights
 * train unless `engine.lora` says otherwise, where the paper trains a LoRA adapter of rank 16.
 *
 * It starts from an instruction-tuned model, so it has no warm start. The embedded engine starts from random weights,
 * where no reward is ever seen: there `train` refuses it at once and names `starter`.
 */
import type { Setting } from "./setting.ts";

export const paper: Setting = {
  summary: "the paper's numbers, for an instruction-tuned model",
  config: {},
};
