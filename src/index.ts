/**
 * The public library `bowline`: everything that the command line does, as functions and types.
 *
 *   defineWorld, defineApp, defineApi, defineTable   define a world; openWorld opens it and checkWorld checks it
 *   resolveConfig, train, evaluate, writeReport      run a method on a setting, score a policy, write the report
 *   findRollouts                                     rollouts of runs, by a query
 *   diagnoseRun                                      why a run learns slowly, or cannot learn
 *   trainAgent                                       train an external agent over a model object or an address
 *   languageModel, openGateway                       sessions of external agents: as a model object, over HTTP
 *   loadPolicy                                       use a trained policy: generate answers, act in worlds
 *   defineMethod, loop, methods                      methods as values, and the parts that they consist of
 *   algo                                             the algorithm's pure functions
 *   everything of `spec`                             World, Episode, Rollout, Engine, ... as types and schemas
 */
export { z } from "zod";
export type { Finding, FindingId } from "./algo/index.ts";
/** The algorithm's pure functions: rewards, advantages, filters, ratios, objectives, statistics. */
export * as algo from "./algo/index.ts";
export {
  BowlineError,
  type ConcurrencyLimiter,
  type Cure,
  createConcurrencyLimiter,
  type ErrorCode,
  Rng,
  randomStreamId,
} from "./core/index.ts";
export * from "./exports/agent.ts";
export * from "./exports/methods.ts";
export * from "./exports/own-agent.ts";
export * from "./exports/world.ts";
export { findRollouts, type QueryResult } from "./report/index.ts";
export {
  type Gateway,
  type GatewayEpisode,
  type GatewayOptions,
  type OpenEnvServer,
  type OpenEnvServerOptions,
  openGateway,
  type ServedWorld,
  startOpenEnvServer,
  writeReport,
} from "./server/index.ts";
export * from "./spec/index.ts";
export {
  type Act,
  type ActOptions,
  type Config,
  type ConfigForModel,
  configFields,
  configJsonSchema,
  createEngine,
  diagnoseRun,
  type EngineRequest,
  type EvaluateOptions,
  type EvaluateResult,
  evaluate,
  type GenerateOptions,
  type Generation,
  type HostedOptions,
  type HostedPrices,
  type HostedTotals,
  type LanguageModelLike,
  type LoadedPolicy,
  type LoadPolicyOptions,
  loadMethod,
  loadPolicy,
  type MakeEngine,
  type MakeScaffold,
  type ModelDirectory,
  type OnEvent,
  type Overrides,
  type OwnParts,
  openModelDirectory,
  type PolicySessionOptions,
  type PolicyWithWeights,
  type Recipe,
  type RecognisedPolicy,
  type ResolveInput,
  type RunPhase,
  recipes,
  recognisePolicy,
  resolveConfig,
  resolveConfigForModel,
  resolveWorld,
  type Setting,
  settings,
  type TrainEvent,
  type TrainOptions,
  train,
} from "./train/index.ts";
export { apisWithoutExample, WorldInstance } from "./world/index.ts";
