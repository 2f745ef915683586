/** The diagnosis of a run directory, and the gates that stop a run which cannot learn. */
export { diagnoseRun } from "./diagnose-run.ts";
export { passGates } from "./gates.ts";
export { readMeasurements } from "./read-measurements.ts";
