/**
 * The library's door: all that the command line does, as functions and types.
 *
 *   defineWorld, defineApp, defineApi, defineTable   write a world; openWorld and checkWorld open and prove it
 *   resolveConfig, train, evaluate, writeReport      run a recipe, score a policy, make the page
 *   algo                                             the algorithm's pure functions
 *   everything of `spec`                             World, Episode, Rollout, Engine, ... as types and schemas
 */
export { z } from "zod";
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

/** Recipes by name; `recipes` has all of them. */
export const loop = recipes["loop"]!;
export const starter = recipes["starter"]!;
export const smoke = recipes["smoke"]!;
