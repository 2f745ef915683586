/** Diagnoses a Tinker server: measures what it can do and where it differs from the hosted service. */
export { type DoctorOptions, diagnose } from "./diagnose.ts";
export {
  type Cost,
  type Finding,
  type Report,
  TOPICS,
  type Topic,
  type Verdict,
} from "./finding.ts";
