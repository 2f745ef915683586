/** The embedded engine: graphs that we build, run by the kernels of ONNX Runtime. */
export {
  matrixProductGflops,
  memoryGbPerSecond,
  type PrefixSample,
  type PrefixStep,
  type PrefixWork,
  prefixSample,
  prefixStep,
  type StepProducts,
  stepProducts,
  writeRandomCheckpoint,
} from "./bench/index.ts";
export {
  type BaseName,
  baseNameOf,
  checkWeights,
  type GgufExport,
  isHubId,
  loadModelConfig,
  type WrittenType,
} from "./checkpoint/index.ts";
export {
  checkOnnxRuntime,
  INSTALL_ONNX_RUNTIME,
  knownProviders,
  type OnnxRuntimeStatus,
  PROVIDERS,
  type Provider,
  requireProvider,
} from "./graph/index.ts";
export {
  type ModelConfig,
  modelConfigSchema,
  parseModelConfig,
} from "./model/index.ts";
export { createOnnxEngine, type OnnxEngine, type OnnxEngineOptions } from "./worker/index.ts";
