/** Checks the limits of a scaffold: how much an agent may say and see. */
import { BowlineError } from "../core/index.ts";

/** Throws a `config` error for a limit that is not an integer of at least 1. */
export function requireValidLimits(limits: object): void {
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isInteger(value) && value >= 1) continue;
    throw new BowlineError(
      "config",
      `scaffold limit ${name}: expected an integer >= 1, got ${value}`,
    );
  }
}
