/**
 * What learners report: means under the names of metrics (the glossary is in `train`), and what became of each token, for
 * people to look at. The latter are numbers that were computed anyway, by reference, so that remembering them costs nothing
 * until somebody writes a sample of them down.
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

/** The arithmetic mean; 0 of nothing. */
export function meanOrZero(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}

/** Absent where the engine does not tell norms. */
export function gradientNormMetric(
  updates: readonly { readonly gradientNorm: number }[],
): Readonly<Record<string, number>> {
  const mean = meanOrZero(updates.map(({ gradientNorm }) => gradientNorm));
  return Number.isFinite(mean) ? { "gradient/norm": mean } : {};
}

/** What a rollout earns, from the fields that every method has. */
export function rewardOptions({ algo }: { readonly algo: RewardOptions }): RewardOptions {
  return { reward: algo.reward, unfinished: algo.unfinished };
}

/** One optimizer step of a clipped objective. */
export interface ClippedUpdate {
  readonly loss: number;
  readonly gradientNorm: number;
  readonly stats: ObjectiveStats;
}

/** Metrics of an iteration of a clipped objective: means over its updates; ratios as its last update left them. */
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

/** What a rollout's tokens looked like when it was last learned from. */
export interface TokenRatios {
  readonly id: string;
  readonly advantage: number;
  /** Positions of the action tokens in the row. */
  readonly at: readonly number[];
  /** exp(current - old log-prob) at each. */
  readonly ratios: readonly number[];
  /** A of each, where the objective was given one for every token; `advantage` is the rollout's, before it was spread. */
  readonly advantages?: ArrayLike<number>;
  /** Log-probs under the policy that learning began from, and in the last minibatch that the rollout was in. Nats. */
  readonly old?: ArrayLike<number>;
  readonly current?: ArrayLike<number>;
  /** 1 where the clip left nothing of the token's gradient there; absent: in no minibatch, or nothing is ever clipped. */
  readonly clipped?: ArrayLike<number>;
  /** Of the next-token distributions there, where the method asked the engine for them. Nats. */
  readonly entropies?: ArrayLike<number>;
}

/** What an objective was given for a row's tokens, and which of them it clipped. */
export type ObjectiveTrace = Pick<TokenRatios, "advantages" | "clipped">;

/** Of row `i` of a minibatch. */
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

/** A rollout after it was learned from. */
export interface LearnedRow {
  readonly graded: GradedRollout;
  readonly row: ActionRow;
  /** Under the policy that learning began from. */
  readonly start: Pick<TokenOutputs, "logprobs">;
  readonly current: TokenOutputs;
  readonly trace?: ObjectiveTrace;
}

/** What each token's probability became, and what the objective made of it. */
export function computeTokenRatios({
  graded,
  row,
  start,
  current,
  trace,
}: LearnedRow): TokenRatios {
  const old = start.logprobs;
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
