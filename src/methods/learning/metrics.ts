/**
 * What methods report on learning: means under the names of metrics (`train` has the glossary), and the final state of
 * each token for people to look at. The token states refer to arrays that were computed anyway, so they cost nothing
 * until a sample of them is written to a file.
 */
import type {
  ActionRow,
  GradedRollout,
  ObjectiveResult,
  ObjectiveRow,
  ObjectiveStats,
  RewardOptions,
} from "../../algo/index.ts";
import type { TokenOutputs } from "../../spec/index.ts";

/** Returns the arithmetic mean, or 0 for an empty list. */
export function meanOrZero(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}

/** Returns the mean gradient norm as a metric. The metric is absent when the engine does not report norms. */
export function gradientNormMetric(
  updates: readonly { readonly gradientNorm: number }[],
): Readonly<Record<string, number>> {
  const mean = meanOrZero(updates.map(({ gradientNorm }) => gradientNorm));
  return Number.isFinite(mean) ? { "gradient/norm": mean } : {};
}

/** Reads the options of a rollout's reward from configuration fields that every method has. */
export function rewardOptions({ algo }: { readonly algo: RewardOptions }): RewardOptions {
  return { reward: algo.reward, unfinished: algo.unfinished };
}

/** Results of one optimizer step of a clipped objective. */
export interface ClippedUpdate {
  readonly loss: number;
  readonly gradientNorm: number;
  readonly stats: ObjectiveStats;
}

/**
 * Returns the metrics of an iteration with a clipped objective. They are means over its updates, except that KL is
 * measured after the last update.
 */
export function clippedMetrics(updates: readonly ClippedUpdate[]): Record<string, number> {
  const last = updates.at(-1)?.stats;
  return {
    "train/updates": updates.length,
    "train/loss": meanOrZero(updates.map(({ loss }) => loss)),
    ...gradientNormMetric(updates),
    "ratio/clip_fraction": meanOrZero(updates.map(({ stats }) => stats.clipFraction)),
    "ratio/max": Math.max(0, ...updates.map(({ stats }) => stats.ratioMax)),
    "kl/trajectory": last?.trajectoryKl ?? 0,
    "kl/token": last?.klK3 ?? 0,
    ...(last?.referenceKl !== undefined && { "kl/reference": last.referenceKl }),
    ...(last?.entropy !== undefined && {
      "entropy/mean": meanOrZero(updates.map(({ stats }) => stats.entropy ?? 0)),
    }),
  };
}

/** Numbers on the action tokens of a rollout, from the last time that it was learned from. */
export interface TokenRatios {
  readonly id: string;
  readonly advantage: number;
  /** Positions of the action tokens in the row. */
  readonly at: readonly number[];
  /** The ratio exp(current - old log-prob) of each action token. */
  readonly ratios: readonly number[];
  /**
   * The advantage of each token; absent when the objective used one advantage for the whole rollout. `advantage` is
   * then the rollout's, before it was distributed over tokens.
   */
  readonly advantages?: ArrayLike<number>;
  /** Log-probs under the policy with which learning began, in nats. */
  readonly old?: ArrayLike<number>;
  /** Log-probs in the last minibatch that contained the rollout, in nats. */
  readonly current?: ArrayLike<number>;
  /**
   * 1 for each token whose gradient the clip removed, else 0. Absent when the rollout was in no minibatch or nothing is
   * clipped.
   */
  readonly clipped?: ArrayLike<number>;
  /** Entropies of the next-token distributions, in nats. Present when the method asked the engine for them. */
  readonly entropies?: ArrayLike<number>;
}

/** What an objective used for the tokens of a row, and which tokens it clipped. */
export type ObjectiveTrace = Pick<TokenRatios, "advantages" | "clipped">;

/** Returns what the objective used for row `i` of a minibatch, and which of the row's tokens it clipped. */
export function traceObjective(
  rows: readonly ObjectiveRow[],
  { clipped }: Pick<ObjectiveResult, "clipped">,
  i: number,
): ObjectiveTrace {
  const { advantage } = rows[i]!;
  return {
    ...(typeof advantage !== "number" && { advantages: advantage }),
    ...(clipped && { clipped: clipped[i]! }),
  };
}

/** A rollout after it was learned from, with the engine's outputs for its row. */
export interface LearnedRow {
  readonly graded: GradedRollout;
  readonly row: ActionRow;
  /** Log-probs under the policy with which learning began. */
  readonly old: Pick<TokenOutputs, "logprobs">;
  readonly current: TokenOutputs;
  readonly trace?: ObjectiveTrace;
}

/** Returns the ratio of each action token of a rollout after learning, with what the objective used for it. */
export function computeTokenRatios({
  graded,
  row,
  old: oldOutputs,
  current,
  trace,
}: LearnedRow): TokenRatios {
  const old = oldOutputs.logprobs;
  const { logprobs, entropies } = current;
  const ratios = Array.from(logprobs, (logprob, t) => Math.exp(logprob - old[t]!));
  return {
    id: graded.rollout.id,
    advantage: graded.advantage,
    at: row.at,
    ratios,
    old,
    current: logprobs,
    ...trace,
    ...(entropies && { entropies }),
  };
}
