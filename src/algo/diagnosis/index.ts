/** The diagnosis of a run: measurements in, findings out. Start with `diagnose.ts`. */
export { diagnose } from "./diagnose.ts";
export {
  FINDINGS,
  type Finding,
  type FindingId,
  type MeasuredEvaluation,
  type MeasuredIteration,
  type MetricsByName,
  type RunMeasurements,
} from "./measurements.ts";
export { type ObservedAnswer, type ObservedRollout, observeRollout } from "./observe-rollout.ts";
