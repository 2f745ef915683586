/** Yardsticks of the runtime itself. */
export { matrixProductGflops } from "./matrix-product.ts";
