/** Compares recipes at an equal budget of rollouts. A training run is the unit of evidence. */
export * from "./aa-test.ts";
export * from "./compare.ts";
export * from "./compare-options.ts";
export * from "./comparison.ts";
export * from "./primary-comparisons.ts";
export { readAllResults, readResults } from "./results.ts";
export { formatResults } from "./results-text.ts";
export * from "./scores.ts";
export { adjustByHolm, type PairedTest, pairedTest } from "./significance.ts";
