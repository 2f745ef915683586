/** Measurements of ONNX Runtime itself. */
export { benchmarkMatrixProduct } from "./matrix-product.ts";
export { measurePrefixSampling, type PrefixSamplingResult } from "./prefix-sampling.ts";
export { measurePrefixStep, type PrefixStepResult, type PrefixWork } from "./prefix-step.ts";
export { writeRandomCheckpoint } from "./random-checkpoint.ts";
export {
  benchmarkStepProducts,
  measureMemoryGbPerSecond,
  type StepProductsBenchmark,
} from "./step-products.ts";
