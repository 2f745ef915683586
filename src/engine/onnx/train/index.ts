/** Training: rows to log-probs, cotangents to gradients, gradients to weights. */
export * from "./adamw.ts";
export { estimateWholeGraphBytes, MAX_WHOLE_GRAPH_BYTES } from "./layered/index.ts";
export * from "./microbatch.ts";
export * from "./trainer.ts";
export * from "./training-graph.ts";
export * from "./value-learner.ts";
