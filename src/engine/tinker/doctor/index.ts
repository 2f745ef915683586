/** Examining a Tinker server: what it can do and where it differs, each with the numbers that say so. */
export { type DoctorOptions, diagnose } from "./diagnose.ts";
export {
  type Cost,
  type Finding,
  type Report,
  TOPICS,
  type Topic,
  type Verdict,
} from "./finding.ts";
