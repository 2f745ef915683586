/**
 * A setting decides everything but the method: world, model, scaffold, warm start, optimizer, budget and evaluation. Of
 * the methods' fields, it sets only those that depend on the budget and the world: iterations, tasks and rollouts of
 * each iteration, how tasks are drawn, what a rollout earns, and whether the run waits for long rollouts. Fields that
 * the chosen method does not have are left out. The method's own numbers replace these.
 */
import type { Patch } from "../config/config.ts";

/** A named set of field values that differ from the defaults. */
export interface Setting {
  /** A description of one line, for lists and help. */
  readonly summary: string;
  readonly config: Patch;
}
