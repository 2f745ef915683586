/**
 * The algorithm: pure functions over rollouts and per-token arrays. `loop.ts` is the paper on a page; read it first. What a
 * run of LOOP calls comes in this order: minibatch (which tasks) -> stragglers -> rewards -> loop (advantage, filter) -> row
 * -> minibatch (which rollouts) -> loop (objective), and the safety stop of objective-stats. Score, behaviour and statistics
 * only look; moments and testing serve. Everything else is a value that another method puts in one of these places.
 */
export { groupBy } from "../core/index.ts";
export * from "./advantage.ts";
export * from "./advantage-shaping.ts";
export * from "./behaviour.ts";
export * from "./branch-credit.ts";
export * from "./buffer.ts";
export * from "./credit.ts";
export * from "./filter.ts";
export * from "./gae.ts";
export * from "./grade.ts";
export * from "./imitation.ts";
export * from "./intervals.ts";
export * from "./kl.ts";
export {
  dropNearZero,
  LOOP,
  type LoopResult,
  type LoopRow,
  leaveOneOut,
  loopObjective,
} from "./loop.ts";
export * from "./minibatch.ts";
export * from "./objective.ts";
export { logprobGap, loopStats, type ObjectiveStats, safetyStop } from "./objective-stats.ts";
export type {
  Aggregate,
  EntropyBand,
  ObjectiveOptions,
  ObjectiveResult,
  ObjectiveRow,
} from "./objective-types.ts";
export * from "./pair-regression.ts";
export {
  discountedTurnWeights,
  type PairCotangents,
  type PreferenceOptions,
  type PreferencePair,
  type PreferenceResult,
  type PreferenceSide,
  preferenceObjective,
  turnWeights,
} from "./preference.ts";
export * from "./ranking.ts";
export type { RatioSpan } from "./ratio.ts";
export * from "./redistribution.ts";
export { entropyBand } from "./regularisers.ts";
export * from "./returns.ts";
export * from "./reward-combinators.ts";
export * from "./reward-terms.ts";
export * from "./rewards.ts";
export * from "./row.ts";
export * from "./schedule.ts";
export * from "./score.ts";
export * from "./statistics.ts";
export * from "./stragglers.ts";
export * from "./student-t.ts";
export * from "./task-statistics.ts";
export * from "./token-weights.ts";
export * from "./turn-credit.ts";
export * from "./value.ts";
