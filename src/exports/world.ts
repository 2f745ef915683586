/**
 * `bowline/world`: all that defining, opening and proving a world needs, and nothing that trains. Importing it loads zod
 * and the kit; the sandbox and its workers are loaded when a world is opened.
 */
export { z } from "zod";
export { BowlineError, type ErrorCode, hash32, nearestWord, Rng } from "../core/index.ts";
export type {
  CheckResult,
  Demonstration,
  DemonstrationStyle,
  Dials,
  Difficulty,
  Episode,
  Evaluation,
  Split,
  StepResult,
  TaskInfo,
  World,
} from "../spec/index.ts";
export { SPLITS } from "../spec/index.ts";
export * from "../world/kit.ts";
