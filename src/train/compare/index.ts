/** Comparing recipes at an equal budget of rollouts. */
export * from "./compare.ts";
export * from "./comparison.ts";
