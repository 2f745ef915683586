/** Diagnoses a run from its directory, whether it is finished, stopped or still training. */
import { diagnose, type Finding } from "../../algo/index.ts";
import { readRunRecord } from "../run/run-record.ts";
import { readMeasurements } from "./read-measurements.ts";

/**
 * Returns what the measurements of the run in `directory` say is wrong with it; empty for a run that learns or has
 * learned. Throws a `store` error when there is no run.
 */
export function diagnoseRun(directory: string): Finding[] {
  readRunRecord(directory);
  return diagnose(readMeasurements(directory));
}
