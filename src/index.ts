/**
 * The library's door: all that the command line does, as functions and types.
 *
 *   defineWorld, defineApp, defineApi, defineTable   write a world; openWorld and checkWorld open and prove it
 *   resolveConfig, train, evaluate, writeReport      run a recipe, score a policy, make the page
 *   algo                                             the algorithm's pure functions
 *   everything of `spec`                             World, Episode, Rollout, Engine, ... as types and schemas
 */
export { z } from "zod";
/** The algorithm's pure functions: rewards, advantages, filters, ratios, objectives, statistics. */
export * as algo from "./algo/index.ts";
export { BowlineError, type ErrorCode, Rng } from "./core/index.ts";
export { writeReport } from "./report/index.ts";
export * from "./spec/index.ts";
export {
  type Config,
  type ConfigField,
  type ConfigPatch,
  configFields,
  configSchema,
  evaluate,
  type ModelDirectory,
  type OnEvent,
  openModelDirectory,
  type Phase,
  type Recipe,
  recipes,
  resolveConfig,
  resolveWorld,
  type TrainEvent,
  type TrainOptions,
  train,
} from "./train/index.ts";
export * from "./world/index.ts";

import { recipes } from "./train/index.ts";

/** LOOP as the paper has it; `recipes` holds every recipe by name. */
export const loop = recipes["loop"]!;
/** The recipe of `npm start`: from a small warm-started policy to one that LOOP improved, in minutes on two cores. */
export const starter = recipes["starter"]!;
/** The toy world in under a minute: every phase of a run, and learning that shows. */
export const smoke = recipes["smoke"]!;
