/**
 * The learning algorithm as pure functions over rollouts and per-token arrays. Read `loop.ts` first: it is the paper
 * on a page. A run of LOOP calls these files in this order: minibatch (draws tasks), stragglers, rewards, loop
 * (advantage and filter), action-row, minibatch (divides rollouts), loop (objective), and objective-stats (safety
 * stop). score, behaviour and group-statistics only measure. Every other file offers a value that another method uses
 * at one of these places.
 */
export { groupBy } from "../core/index.ts";
export * from "./action-row.ts";
export * from "./advantage.ts";
export * from "./advantage-shaping.ts";
export * from "./behaviour.ts";
export * from "./branch-credit.ts";
export * from "./credit.ts";
export * from "./diagnosis/index.ts";
export * from "./gae.ts";
export * from "./grade.ts";
export * from "./group-statistics.ts";
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
export {
  computeLoopStats,
  measureLogprobGap,
  type ObjectiveStats,
  safetyStopReason,
} from "./objective-stats.ts";
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
  selectedTurnWeights,
} from "./preference.ts";
export * from "./query/index.ts";
export * from "./ranking.ts";
export type { RatioSpan } from "./ratio.ts";
export { loopRatioSlopes } from "./ratio-slopes.ts";
export * from "./redistribution.ts";
export { entropyBandAroundMean } from "./regularisers.ts";
export * from "./returns.ts";
export * from "./reward-combinators.ts";
export * from "./reward-terms.ts";
export * from "./rewards.ts";
export * from "./rollout-buffer.ts";
export * from "./rollout-filters.ts";
export * from "./sampled-entropy.ts";
export * from "./schedule.ts";
export * from "./score.ts";
export type { RewardedRollout, ScoredChecks } from "./scored-checks.ts";
export * from "./stragglers.ts";
export * from "./student-t.ts";
export * from "./task-statistics.ts";
export * from "./token-weights.ts";
export * from "./turn-credit.ts";
export * from "./value-objective.ts";
