/** The decoder: its config, its weights, and its forward pass over the graph builder. */
export * from "./adapter.ts";
export { logSum, partBackward, type SharedTokens, sharesOf } from "./attention-core.ts";
export * from "./causal.ts";
export * from "./config.ts";
export * from "./decoder.ts";
export * from "./initialize.ts";
export * from "./lora.ts";
export * from "./parameters.ts";
export * from "./store.ts";
export * from "./value-head.ts";
export * from "./weights.ts";
