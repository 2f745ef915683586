/** Diagnoses a run from its directory, whether it is finished, stopped or still training. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { diagnose, type Finding } from "../../algo/index.ts";
import { BowlineError } from "../../core/index.ts";
import { readRunRecord } from "../run/run-record.ts";
import { readMeasurements } from "./read-measurements.ts";

/**
 * Returns what the measurements of the run in `directory` say is wrong with it; empty for a run that learns or has
 * learned. Throws a `store` error when there is no run, or when it has measured nothing yet.
 */
export function diagnoseRun(directory: string): Finding[] {
  readRunRecord(directory);
  if (!existsSync(join(directory, "metrics.jsonl"))) {
    throw new BowlineError(
      "store",
      `${directory} has measured nothing yet: expected metrics.jsonl, which training writes; train it first`,
    );
  }
  return diagnose(readMeasurements(directory));
}
