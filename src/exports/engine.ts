/**
 * `bowline/engine`: engines hold weights, sample, differentiate and update. There is the embedded engine, an engine on
 * a server of the Tinker protocol, and a client of that protocol. Importing this module loads no kernels.
 */
export {
  checkOnnxRuntime,
  createOnnxEngine,
  createTinkerClient,
  createTinkerEngine,
  type ModelConfig,
  type OnnxEngine,
  type OnnxEngineOptions,
  type OnnxRuntimeStatus,
  PROVIDERS,
  type Provider,
  requireProvider,
  TinkerClient,
  type TinkerClientOptions,
  type TinkerEngineOptions,
  TinkerError,
} from "../engine/index.ts";
export * from "../spec/index.ts";
