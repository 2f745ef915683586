/** Types of low-rank adaptation (LoRA), in the terms of PEFT. */

/** The projections of a decoder block that can be adapted, named as in PEFT's `target_modules`. */
export const TARGET_MODULES = [
  "q_proj",
  "k_proj",
  "v_proj",
  "o_proj",
  "gate_proj",
  "up_proj",
  "down_proj",
] as const;
/** The name of a projection that can be adapted, one of `TARGET_MODULES`. */
export type TargetModule = (typeof TARGET_MODULES)[number];

/** The options of a LoRA adapter. The adapter adds (alpha / rank) B A to a frozen projection W. */
export interface LoraOptions {
  /** The rank r: the number of rows of A and of columns of B. */
  readonly rank: number;
  /** The scale of the adapter. The factor is alpha / rank. */
  readonly alpha: number;
  /** The projections to adapt; "all-linear" means all seven projections of a decoder block. */
  readonly targetModules: "all-linear" | readonly TargetModule[];
}
