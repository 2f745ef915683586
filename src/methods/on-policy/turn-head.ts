/**
 * A linear function of features of turns, used as a learned reward. It is fitted in less than a second.
 *
 * It replaces the language model with a scalar output that papers use. It has two uses: contributions of turns that sum
 * to the return (`src/algo/redistribution.ts`), and a score that ranks the rollouts of a task (`src/algo/ranking.ts`).
 * It reads the task and the calls: besides a few facts about a turn, each pair of a word of the instruction and a call
 * of the turn is a feature, so the head learns which calls bring which tasks forward. Pairs are hashed into a fixed
 * number of buckets. Objectives, and how the head is paid, are the same as for the larger models.
 */
import {
  type ContributionRow,
  groupBy,
  type RankedPair,
  rankingObjective,
  redistributionObjective,
} from "../../algo/index.ts";
import { randomStreamId } from "../../core/index.ts";
import type { Rollout, Turn } from "../../spec/index.ts";
import { splitWords } from "../rollouts/memory/index.ts";

/** Weights of the linear head, one for each feature of a turn. */
export type TurnHead = readonly number[];

/** How a head is fitted by gradient descent. */
export interface HeadFitOptions {
  /** Step length of gradient descent, as a share of the largest step that cannot overshoot. */
  readonly rate: number;
  /** Number of steps of gradient descent. */
  readonly steps: number;
}

/** The parts of a rollout that the head reads. */
type ReadByHead = Pick<Rollout, "task" | "turns">;

/**
 * Returns the features of every turn, each at least 0: a constant, facts about its code, its calls and its position,
 * each at most 1, and its pairs of words and calls, whose sum of squares is about 1.
 */
export function turnFeatures({ task, turns }: ReadByHead): number[][] {
  const seen = new Set<string>();
  const words = ["", ...new Set(splitWords(task.instruction))];
  return turns.map((turn, j) => {
    const { code, status, calls } = turn;
    const cell = code.replace(/\s+/g, " ").trim();
    const repeats = seen.has(cell);
    seen.add(cell);
    const accepted = calls.filter((call) => call.status < 400).length;
    return [
      1,
      Number(cell !== ""),
      Number(status === "ok"),
      Number(calls.length > 0),
      accepted / Math.max(calls.length, 1),
      Number(calls.some(({ wrote }) => wrote)),
      Number(repeats),
      Number(j === turns.length - 1),
      1 / (1 + j),
      ...hashPairs(words, turn),
    ];
  });
}

const FACTS = 9;
const BUCKETS = 256;
const FEATURE_COUNT = FACTS + BUCKETS;

/**
 * Counts pairs of a word of the instruction and a call of the turn, in the bucket of each pair. A call is its API and
 * whether it was accepted. The counts are divided by the square root of the number of pairs.
 */
function hashPairs(words: readonly string[], { calls }: Turn): number[] {
  const buckets = new Array<number>(BUCKETS).fill(0);
  const share = 1 / Math.sqrt(Math.max(words.length * calls.length, 1));
  for (const { app, api, status } of calls) {
    const call = `${app}.${api} ${status < 400}`;
    for (const word of words) buckets[randomStreamId(0, word, call) % BUCKETS]! += share;
  }
  return buckets;
}

export const ZERO_HEAD: TurnHead = new Array<number>(FEATURE_COUNT).fill(0);

/** Returns the contribution that the head predicts for each turn. */
export function predictContributions(head: TurnHead, rollout: ReadByHead): number[] {
  return turnFeatures(rollout).map((features) => dotProduct(head, features));
}

/**
 * Fits the head to returns, so that the contributions of a rollout's turns sum to what it earned. Returns the new head.
 */
export function fitContributions(
  head: TurnHead,
  samples: readonly { readonly rollout: Rollout; readonly outcome: number }[],
  fit: HeadFitOptions,
): TurnHead {
  if (samples.length === 0) return head;
  const features = samples.map(({ rollout }) => turnFeatures(rollout));
  const curvature = 2 * Math.max(...features.map((turns) => squaredNorm(columnSums(turns))));
  return descendGradient(head, fit, curvature, (now) => {
    const rows = samples.map(
      ({ outcome }, i): ContributionRow => ({
        contributions: features[i]!.map((f) => dotProduct(now, f)),
        outcome,
      }),
    );
    const { cotangents } = redistributionObjective(rows);
    return weightGradient(
      features.flat(),
      cotangents.flatMap(({ values }) => [...values]),
    );
  });
}

/** Returns the head's score of a rollout: the mean over its turns. */
export function rolloutScore(head: TurnHead, rollout: ReadByHead): number {
  return dotProduct(head, meanFeatures(rollout));
}

/** Fits the head to all pairs of a task's rollouts in which one earned more than the other. Returns the new head. */
export function fitRanking(
  head: TurnHead,
  samples: readonly { readonly rollout: Rollout; readonly outcome: number }[],
  fit: HeadFitOptions,
): TurnHead {
  const groups = groupBy(samples, ({ rollout }) => rollout.task.id);
  const pairs = [...groups.values()].flatMap((group) =>
    group.flatMap((better) =>
      group.flatMap((worse) => (better.outcome > worse.outcome ? [{ better, worse }] : [])),
    ),
  );
  if (pairs.length === 0) return head;
  const sides = pairs.flatMap(({ better, worse }) => [better, worse]);
  const features = sides.map(({ rollout }) => meanFeatures(rollout));
  const gaps = pairs.map((_, i) => features[2 * i]!.map((f, k) => f - features[2 * i + 1]![k]!));
  const curvature = Math.max(...gaps.map(squaredNorm)) / 4;
  return descendGradient(head, fit, curvature, (now) => {
    const scores = features.map((f) => dotProduct(now, f));
    const ranked = pairs.map(
      (_, i): RankedPair => ({ better: scores[2 * i]!, worse: scores[2 * i + 1]! }),
    );
    const { cotangents } = rankingObjective(ranked);
    return weightGradient(
      features,
      cotangents.flatMap(({ better, worse }) => [better, worse]),
    );
  });
}

function meanFeatures(rollout: ReadByHead): number[] {
  const all = turnFeatures(rollout);
  return columnSums(all).map((sum) => sum / Math.max(all.length, 1));
}

/**
 * Runs gradient descent on the head's weights. `curvature` bounds the second derivative of the loss in every direction.
 */
function descendGradient(
  head: TurnHead,
  { rate, steps }: HeadFitOptions,
  curvature: number,
  gradientAt: (head: TurnHead) => number[],
): TurnHead {
  let now = head;
  for (let step = 0; step < steps; step++) {
    const gradient = gradientAt(now);
    now = now.map((w, k) => w - (rate / Math.max(curvature, 1e-9)) * gradient[k]!);
  }
  return now;
}

/**
 * Computes the derivative of the loss with respect to the head's weights from its derivatives with respect to the
 * head's values.
 */
function weightGradient(
  features: readonly (readonly number[])[],
  slopes: readonly number[],
): number[] {
  return ZERO_HEAD.map((_, k) => features.reduce((sum, f, i) => sum + slopes[i]! * f[k]!, 0));
}

function columnSums(rows: readonly (readonly number[])[]): number[] {
  return ZERO_HEAD.map((_, k) => rows.reduce((sum, row) => sum + row[k]!, 0));
}

function squaredNorm(values: readonly number[]): number {
  return dotProduct(values, values);
}

function dotProduct(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, k) => sum + x * b[k]!, 0);
}
