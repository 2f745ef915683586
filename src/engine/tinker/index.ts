/** The Tinker protocol: its wire formats, a client, and an engine that works with any server of the protocol. */

export * as tinkerClient from "./client/index.ts";
export {
  createTinkerClient,
  TinkerClient,
  type TinkerClientOptions,
  TinkerError,
} from "./client/index.ts";
export * as tinkerDoctor from "./doctor/index.ts";
export {
  createTinkerEngine,
  readServedWeights,
  type ServedWeights,
  type TinkerEngineOptions,
} from "./engine/index.ts";
export * as tinkerWire from "./wire/index.ts";
