/**
 * A setting is a value: world, model, scaffold, warm start, budget, evaluation. It names no method, and says of the fields
 * of methods only what belongs to the budget: how many iterations, of how many tasks, of how many rollouts. Fields that the
 * chosen method does not have are left out.
 */
import type { Patch } from "../config/config.ts";

/** What a setting sets differently from the defaults. */
export interface Setting {
  /** One line for lists and help. */
  readonly summary: string;
  readonly config: Patch;
}
