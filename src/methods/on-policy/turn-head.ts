/**
 * A linear head over plain features of turns: a reward that is learned, small enough to be fitted in a blink.
 *
 * It stands where the field has a language model with a scalar output. Two uses: contributions of turns that sum to the
 * return (`src/algo/redistribution.ts`), and a score of whole rollouts that ranks those of a task (`src/algo/ranking.ts`).
 * What it can tell apart is bounded by its features; the objectives and how they are paid are those of the larger ones.
 */
import {
  type ContributionRow,
  groupBy,
  type RankedPair,
  rankingObjective,
  redistributionObjective,
} from "../../algo/index.ts";
import type { Rollout } from "../../spec/index.ts";

/** One weight a feature. */
export type TurnHead = readonly number[];

export interface HeadFitOptions {
  /** Of gradient descent, as a share of the longest step that cannot overshoot. */
  readonly rate: number;
  readonly steps: number;
}

/** Features of every turn, each in 0..1: a constant, its code, its calls, its place. */
export function turnFeatures({ turns }: Pick<Rollout, "turns">): number[][] {
  const seen = new Set<string>();
  return turns.map(({ code, status, calls }, j) => {
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
    ];
  });
}

const FEATURE_COUNT = 9;

export const ZERO_HEAD: TurnHead = new Array<number>(FEATURE_COUNT).fill(0);

/** c of each turn. */
export function predictContributions(head: TurnHead, rollout: Pick<Rollout, "turns">): number[] {
  return turnFeatures(rollout).map((features) => dotProduct(head, features));
}

/** The head after it was fitted to returns: contributions of a rollout's turns are to sum to what it earned. */
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

/** A rollout's score: the mean over its turns. */
export function rolloutScore(head: TurnHead, rollout: Pick<Rollout, "turns">): number {
  return dotProduct(head, meanFeatures(rollout));
}

/** The head after it was fitted to pairs of a task's rollouts of which one earned more. */
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

function meanFeatures(rollout: Pick<Rollout, "turns">): number[] {
  const all = turnFeatures(rollout);
  return columnSums(all).map((sum) => sum / Math.max(all.length, 1));
}

/** Gradient descent; the gradient's slope in any direction is at most `curvature`. */
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

/** d loss / d weights from d loss / d each value of a linear head. */
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
