/** The embedded engine: graphs that we build, run by the kernels of ONNX Runtime. */
export {
  benchmarkMatrixProduct,
  benchmarkStepProducts,
  measureMemoryGbPerSecond,
  measurePrefixSampling,
  measurePrefixStep,
  type PrefixSamplingResult,
  type PrefixStepResult,
  type PrefixWork,
  type StepProductsBenchmark,
  writeRandomCheckpoint,
} from "./bench/index.ts";
export {
  type AdapterConfig,
  type BaseName,
  checkWeightFiles,
  findBaseName,
  type GgufExport,
  isHubId,
  loadModelConfig,
  loadModelDescription,
  type ModelDescription,
  readAdapterConfig,
  type WrittenType,
  writeDigests,
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
  BASE_TYPES,
  type BaseType,
  baseBytesPerWeight,
  type ModelConfig,
  modelConfigSchema,
  parseModelConfig,
} from "./model/index.ts";
export {
  describeUnusedAdapter,
  findGraphicsAdapters,
  findUnusedAdapter,
  type GraphicsAdapter,
  requireTrustedProvider,
} from "./provider-check/index.ts";
export { estimateWholeGraphBytes, MAX_WHOLE_GRAPH_BYTES } from "./train/index.ts";
export { createOnnxEngine, type OnnxEngine, type OnnxEngineOptions } from "./worker/index.ts";
