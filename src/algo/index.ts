/**
 * The algorithm: pure functions over rollouts and per-token arrays, read in this order.
 * rewards -> advantage -> filter -> row -> ratio -> objective; stragglers and minibatch decide what enters and in
 * which order; score, behaviour and statistics only look.
 */
export * from "./advantage.ts";
export * from "./behaviour.ts";
export * from "./filter.ts";
export * from "./imitation.ts";
export * from "./minibatch.ts";
export * from "./objective.ts";
export { type ObjectiveStats, safetyStop } from "./objective-stats.ts";
export * from "./ratio.ts";
export * from "./rewards.ts";
export * from "./row.ts";
export * from "./score.ts";
export * from "./statistics.ts";
export * from "./stragglers.ts";
export * from "./testing.ts";
