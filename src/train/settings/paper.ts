/**
 * The paper's numbers: 40 tasks of K 6, 40 turns, 32K context, AdamW at a constant 5e-5 (arXiv 2502.01600, appendix D). These
 * are the defaults, so this setting changes nothing.
 *
 * It starts from an instruction-tuned model, so it has no warm start. The embedded engine starts from random weights, where
 * no reward is ever seen: there `train` refuses it at once and names `starter`.
 */
import type { Setting } from "./setting.ts";

export const paper: Setting = {
  summary: "the paper's numbers, for an instruction-tuned model",
  config: {},
};
