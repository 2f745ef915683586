/**
 * A setting is a value: world, model, scaffold, warm start, optimizer, budget, evaluation. It names no method. Of the
 * methods' fields it sets only those that depend on the budget and the world: iterations, tasks and rollouts in each,
 * how tasks are drawn, what a rollout earns, whether long rollouts are waited for. Fields that the chosen method does
 * not have are left out, and the method's own numbers win over these.
 */
import type { Patch } from "../config/config.ts";

/** A named set of field values that differ from the defaults. */
export interface Setting {
  /** A description of one line, for lists and help. */
  readonly summary: string;
  readonly config: Patch;
}
