/** Limits that a scaffold is made with: how much may be said and seen. */
import { BowlineError } from "../core/index.ts";

/** Throws a config error for one that is not an integer >= 1. */
export function requireValidLimits(limits: object): void {
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isInteger(value) && value >= 1) continue;
    throw new BowlineError(
      "config",
      `scaffold limit ${name}: expected an integer >= 1, got ${value}`,
    );
  }
}
