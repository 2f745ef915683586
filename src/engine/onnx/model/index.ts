/** The decoder model: its config, its weights, and its forward pass in the graph builder. */
export * from "./adapter.ts";
export {
  logSumExp,
  partialAttentionBackward,
  type SharedKeysValues,
  softmaxShares,
} from "./blockwise-attention.ts";
export * from "./causal-attention.ts";
export * from "./config.ts";
export * from "./decoder.ts";
export * from "./initialize.ts";
export * from "./lora.ts";
export * from "./parameters.ts";
export * from "./quantized-matrices.ts";
export * from "./row-table.ts";
export * from "./store.ts";
export * from "./value-head.ts";
export * from "./weights.ts";
