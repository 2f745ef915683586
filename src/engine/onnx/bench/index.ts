/** Yardsticks of the runtime itself. */
export { matrixProductGflops } from "./matrix-product.ts";
export { type PrefixSample, prefixSample } from "./prefix-sample.ts";
export { type PrefixStep, type PrefixWork, prefixStep } from "./prefix-step.ts";
export { writeRandomCheckpoint } from "./random-checkpoint.ts";
export { memoryGbPerSecond, type StepProducts, stepProducts } from "./step-products.ts";
