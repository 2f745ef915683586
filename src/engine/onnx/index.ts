/** The embedded engine: ONNX Runtime's kernels under graphs of our own. */
export { matrixProductGflops } from "./bench/index.ts";
export { loadModelConfig } from "./checkpoint/index.ts";
export { type ModelConfig, modelConfigSchema, parseModelConfig } from "./model/index.ts";
export { createOnnxEngine, type OnnxEngineOptions } from "./worker/index.ts";
