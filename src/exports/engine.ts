/**
 * `bowline/engine`: what holds weights, samples, differentiates and updates: the embedded engine, the engine on a server of
 * the Tinker protocol, and that protocol's client. Importing it loads no kernels.
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
