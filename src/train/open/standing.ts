/**
 * What stands in a run directory before anything is opened for it: nothing, a run to go on with, a finished one, or
 * something that refuses this run. A refusal is kept, not thrown: what a person wrote wrongly is told before where they
 * wanted it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Summary } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { refuseHeld } from "../run/run-lock.ts";
import { openRun, type RunParts, refuseStrangers } from "../run/run-store.ts";
import { lastState } from "../run/trainer-state.ts";

export type Standing =
  | { readonly is: "open" }
  | { readonly is: "finished"; readonly summary: Summary }
  | { readonly is: "refused"; readonly refusal: unknown };

export function standingOf(directory: string, config: Config, parts: RunParts): Standing {
  try {
    refuseStrangers(directory);
    if (!existsSync(join(directory, "run.json"))) return { is: "open" };
    const summary = openRun(directory, config, parts).readSummary();
    if (summary !== undefined && !mayGoOn(summary, config, directory)) {
      return { is: "finished", summary };
    }
    refuseHeld(directory);
    return { is: "open" };
  } catch (refusal) {
    return { is: "refused", refusal };
  }
}

/** A run that a ceiling ended goes on when that ceiling was raised. */
function mayGoOn({ stoppedEarly }: Summary, { run, budget }: Config, directory: string): boolean {
  if (stoppedEarly === undefined) return false;
  const { minutes, ceiling } = lastState(directory);
  const raised = (now: number | null, last: number | null) =>
    (now ?? Infinity) > (last ?? Infinity);
  return raised(run.minutes, minutes) || raised(budget?.ceiling ?? null, ceiling);
}
