/**
 * The library's door: all that the command line does, as functions and types.
 *
 *   defineWorld, defineApp, defineApi, defineTable   write a world; openWorld and checkWorld open and prove it
 *   resolveConfig, train, evaluate, writeReport      run a method on a setting, score a policy, make the page
 *   defineMethod, loop, methods                      methods as values, and what they are made of
 *   algo                                             the algorithm's pure functions
 *   everything of `spec`                             World, Episode, Rollout, Engine, ... as types and schemas
 */
export { z } from "zod";
export { compactScaffold, reactScaffold } from "./agent/index.ts";
/** The algorithm's pure functions: rewards, advantages, filters, ratios, objectives, statistics. */
export * as algo from "./algo/index.ts";
export {
  BowlineError,
  choice,
  described,
  type ErrorCode,
  type FieldInfo,
  off,
  on,
  Rng,
  type Section,
  section,
  streamOf,
} from "./core/index.ts";
export {
  AVERAGING,
  type BaseConfig,
  CLIP,
  type Collected,
  clippedMetrics,
  collectGroups,
  defineMethod,
  EVERY_METHOD,
  type Extensions,
  extraRewards,
  forwardedEngine,
  type Grading,
  groupAssignments,
  type Iteration,
  inEpochs,
  keptByFilters,
  type Learned,
  LIMIT,
  LOWER_CLIP,
  learnClipped,
  loop,
  type Method,
  meanOf,
  methods,
  minibatchSize,
  type Need,
  NOTHING_LEARNED,
  normMetric,
  onPolicy,
  type RewardFunction,
  type RolloutFilter,
  requireFinite,
  rewardOptions,
  SAMPLING,
  type SamplerInput,
  SCALE,
  STALENESS,
  STRAGGLERS,
  samplerGap,
  type TaskSampler,
  THRESHOLD,
  takeStep,
  tokenRatios,
  variant,
} from "./methods/index.ts";
export { writeReport } from "./report/index.ts";
export * from "./spec/index.ts";
export {
  type Config,
  configFields,
  configJsonSchema,
  createEngine,
  type EngineRequest,
  type EvaluateOptions,
  type EvaluateResult,
  evaluate,
  loadMethod,
  type MakeEngine,
  type MakeScaffold,
  type ModelDirectory,
  type OnEvent,
  type Overrides,
  type OwnParts,
  openModelDirectory,
  type Phase,
  type Recipe,
  type ResolveInput,
  recipes,
  resolveConfig,
  resolveWorld,
  type Setting,
  settings,
  type TrainEvent,
  type TrainOptions,
  train,
} from "./train/index.ts";
export * from "./world/index.ts";
