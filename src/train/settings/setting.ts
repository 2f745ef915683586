/**
 * A setting is a value: world, model, scaffold, warm start, optimizer, budget, evaluation. It names no method, and says
 * of the fields of methods only what belongs to the budget and to the world: how many iterations, of how many tasks and
 * rollouts, which tasks are drawn, what a rollout earns, whether long ones are waited for. Fields that the chosen
 * method does not have are left out, and the method's own numbers go before these.
 */
import type { Patch } from "../config/config.ts";

/** What a setting sets differently from the defaults. */
export interface Setting {
  /** One line for lists and help. */
  readonly summary: string;
  readonly config: Patch;
}
