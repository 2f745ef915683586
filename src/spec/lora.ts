/** Low-rank adaptation in PEFT's words: which projections of a frozen model get an update, and of which rank. */

/** The projections of a block that can be adapted, as PEFT's `target_modules` names them. */
export const TARGET_MODULES = [
  "q_proj",
  "k_proj",
  "v_proj",
  "o_proj",
  "gate_proj",
  "up_proj",
  "down_proj",
] as const;
/** A projection that an adapter can be attached to. */
export type TargetModule = (typeof TARGET_MODULES)[number];

/** An adapter: W + (alpha / rank) B A beside each projection, with W frozen. */
export interface LoraOptions {
  /** r: rows of A, columns of B. */
  readonly rank: number;
  /** The update is scaled by alpha / rank. */
  readonly alpha: number;
  /** "all-linear": all seven. */
  readonly targetModules: "all-linear" | readonly TargetModule[];
}
