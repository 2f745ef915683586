/** Yardsticks of the runtime itself. */
export { matrixProductGflops } from "./matrix-product.ts";
export { writeRandomCheckpoint } from "./random-checkpoint.ts";
