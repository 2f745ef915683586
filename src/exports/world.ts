/**
 * `bowline/world`: everything that defines, opens and checks a world, and nothing that trains. Importing it loads zod
 * and the kit. The sandbox and its workers are loaded when a world is opened.
 */
export { z } from "zod";
export {
  BowlineError,
  type Cure,
  type ErrorCode,
  hash32,
  nearestWord,
  Rng,
} from "../core/index.ts";
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
