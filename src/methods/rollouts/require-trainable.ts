/** Weights learn from `train` (and may from `dev`); what is only to be scored never gets into a gradient. */
import { BowlineError } from "../../core/index.ts";
import type { Split, TaskInfo } from "../../spec/index.ts";

const TUNABLE: readonly Split[] = ["train", "dev"];

/** Throws a `config` error that names the first task of a split that is for scoring only. */
export function requireTrainable(tasks: readonly TaskInfo[]): void {
  const wrong = tasks.find(({ split }) => !TUNABLE.includes(split));
  if (wrong === undefined) return;
  throw new BowlineError(
    "config",
    `task ${wrong.id} is of the split ${wrong.split}, which is for scoring only; training takes tasks of ${TUNABLE.join(" or ")}`,
  );
}
