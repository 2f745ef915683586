/** A Tinker server that trains and samples with the embedded engine. */
export { ApiError, type FieldError } from "./api-error.ts";
export type {
  AdamParams,
  Backend,
  BaseModel,
  BatchResult,
  FrozenWeights,
  ModelOptions,
  SampleResult,
  SamplingJob,
} from "./backend.ts";
export type { Behaviour } from "./behaviour.ts";
export { EmbeddedBackend, type EmbeddedBackendOptions, LORA_ALPHA } from "./embedded-backend.ts";
export type { Exchange, HttpCall, HttpReply } from "./exchange.ts";
export type { LossBatch, LossDatum, LossName } from "./losses.ts";
export { type BaseSource, type OpenedBase, openBase } from "./open-base.ts";
export { startTinkerServer, type TinkerServer, type TinkerServerOptions } from "./server.ts";
export { type ForkedTimedServer, forkTimedServer } from "./timed/fork-timed-server.ts";
export type { TimedServerCounts, TimedServerOptions } from "./timed/timed-server.ts";
