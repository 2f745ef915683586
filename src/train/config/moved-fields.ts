/** What became of fields that there are no more. For hints. */
import { whatBecameOf as ofVersion2 } from "./version-2.ts";

/** What to say of a field of an earlier version: "it is now algo.kl.coefficient"; undefined: there was no such field. */
export function whatBecameOf(path: string): string | undefined {
  if (Object.hasOwn(MOVED, path)) return `it is now ${MOVED[path]}`;
  return ofVersion2(path);
}

/** Names that fields had, and what says the same now. */
const MOVED: { readonly [old: string]: string } = {
  "algo.collect": "--method dpo-mcts (tree) or --method sft-gt (solutions)",
  "algo.learner": "--method ei (imitation) or --method dmpo (preference)",
  "algo.klCoefficient": "algo.kl.coefficient",
  "algo.klEstimator": "algo.kl.estimator",
  "algo.klTurns": "algo.kl.turns",
  "algo.entropyBandCoefficient": "algo.entropyBand.coefficient",
  "algo.entropyBandLow": "algo.entropyBand.low",
  "algo.entropyBandHigh": "algo.entropyBand.high",
  "algo.stragglerShare": "algo.stragglers.share",
  "algo.stragglerGroupShare": "algo.stragglers.groupShare",
  "credit.baselineDecay": "algo.baselineDecay",
  "rewards.headRate": 'rate of a term: {"term":"ranking","rate":0.5}',
  "filter.surpriseLow": "filter.surprise.low",
  "filter.surpriseHigh": "filter.surprise.high",
  "filter.covarianceShare": "filter.covariance.share",
  "filter.covarianceLow": "filter.covariance.low",
  "filter.covarianceHigh": "filter.covariance.high",
  "buffer.injectBelow": "buffer.inject.below",
  "buffer.injectSpread": "buffer.inject.spread",
  "buffer.injectReward": "buffer.inject.reward",
  "buffer.imitate": "buffer (true)",
  "buffer.replayWeight": "buffer.replay.weight",
  "buffer.replayQuantile": "buffer.replay.quantile",
  "buffer.replayGroups": "buffer.replay.groups",
  "tasks.minDifficulty": "world.difficulties",
  "tasks.maxDifficulty": "world.difficulties",
  "tasks.pruneAbove": "tasks.prune.above",
  "tasks.pruneAfter": "tasks.prune.after",
  "critic.adaptiveLambda": "critic.adaptiveLambda beside critic.lambdaBy length",
  "shapes.branches": "collect.count beside collect.kind branches",
  "shapes.branchAt": "collect.at",
  "shapes.branchEvery": "collect.every",
  "shapes.branchTokens": "collect.tokens",
  "shapes.sharedPrefix": "collect.sharedPrefix",
  "shapes.restartShare": "collect.share beside collect.kind restarts",
  "shapes.restartPool": "collect.pool",
  "shapes.context": "context.kind",
  "shapes.windowTurns": "context.turns",
  "shapes.windowDrops": "context.drops",
  "shapes.contextTokens": "context.tokens",
  "shapes.maxSummaries": "context.most",
  "shapes.chunkCharacters": "context.chunkCharacters",
  "shapes.chainLength": "collect.length beside collect.kind chains",
  "shapes.carry": "collect.carry",
  "shapes.attempts": "collect.attempts.most",
  "shapes.feedback": "collect.attempts.feedback",
  "participants.trainUser": "participants.trainedUser",
  "participants.opposed": "participants.trainedUser.opposed",
  "participants.planEvery": "participants.planner.every",
  "participants.trained": "participants.planner.trained",
  "preference.segmentTurns": "preference.segmentTurns beside preference.turns segment",
};
