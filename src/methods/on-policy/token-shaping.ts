/**
 * Computes advantages and weights of single tokens in a minibatch. With no mechanism enabled, every token has its
 * rollout's advantage, and there are no weights.
 */
import {
  type ActionRow,
  covarianceClipMasks,
  formatProtectionMask,
  highEntropyTokenMasks,
  highEntropyTurnMask,
  multiplyWeights,
  type ObjectiveRow,
  repeatPerToken,
  rowAdvantage,
  scaleAdvantageByEntropy,
  surpriseBandMask,
  surpriseQuantileBand,
  turnSurprises,
} from "../../algo/index.ts";
import { assert, type Rng } from "../../core/index.ts";
import type { Renderer, TokenOutputs } from "../../spec/index.ts";
import type { BatchItem } from "../learning/clipped.ts";
import type { Surprise } from "../sections/credit.ts";
import type { OnPolicyConfig } from "./config.ts";

type ShapedItem = Pick<BatchItem, "graded" | "row" | "old">;

/** Returns whether some enabled mechanism uses the entropies of next-token distributions. */
export function usesEntropies({ algo, credit, filter }: OnPolicyConfig): boolean {
  return (
    algo.entropyCoefficient > 0 ||
    algo.entropyBand !== null ||
    (algo.ratio === "token" && algo.keptShare !== null) ||
    credit.entropyFactor > 0 ||
    filter.entropyTurnShare < 1 ||
    filter.entropyTokenShare < 1
  );
}

/** Returns the advantage of a row: one number, or one for each action token. */
export function computeShapedAdvantage(
  { graded, row, old }: ShapedItem,
  { credit }: OnPolicyConfig,
) {
  const plain = rowAdvantage(graded, row.turnLengths);
  if (credit.entropyFactor === 0) return plain;
  const factors = scaleAdvantageByEntropy(1, requireEntropies(old), credit.entropyFactor);
  return factors.map((factor, t) => factor * (typeof plain === "number" ? plain : plain[t]!));
}

/** Returns the weight of the KL term at each token of a row, or undefined when it applies to all tokens. */
export function computeKlWeights(
  { row }: ShapedItem,
  { algo }: OnPolicyConfig,
): Float64Array | undefined {
  const turns = algo.kl?.turns ?? null;
  return turns === null ? undefined : repeatPerToken(row.turnLengths, (j) => Number(j < turns));
}

/** What is needed, besides the rows, to compute token weights. */
export interface ShapingContext {
  readonly config: OnPolicyConfig;
  readonly rng: Rng;
  readonly renderer?: Renderer | undefined;
}

/** Returns the rows of a minibatch with the token weights that the enabled filters compute. */
export function addTokenWeights(
  rows: readonly ObjectiveRow[],
  items: readonly ShapedItem[],
  context: ShapingContext,
): readonly ObjectiveRow[] {
  const filters = computeTokenFilters(rows, items, context);
  if (filters.length === 0) return rows;
  return rows.map((row, i) => {
    const weights = multiplyWeights(...filters.map((weightsOfRows) => weightsOfRows[i]!));
    return {
      ...row,
      weights,
      ...(row.klWeights && { klWeights: multiplyWeights(row.klWeights, weights) }),
    };
  });
}

/** Returns the share of a minibatch's tokens that the filters keep, or undefined when no filter is enabled. */
export function shareOfKeptTokens(rows: readonly ObjectiveRow[]): number | undefined {
  const weights = rows.flatMap((row) => (row.weights ? Array.from(row.weights) : []));
  if (weights.length === 0) return undefined;
  return weights.reduce((sum, w) => sum + w, 0) / weights.length;
}

/** Computes the token weights of every row, for each enabled filter. */
function computeTokenFilters(
  rows: readonly ObjectiveRow[],
  items: readonly ShapedItem[],
  { config: { filter }, rng, renderer }: ShapingContext,
): (readonly Float64Array[])[] {
  const filters: (readonly Float64Array[])[] = [];
  const { entropyTurnShare, entropyTokenShare, surprise, covariance } = filter;
  if (entropyTurnShare < 1) {
    filters.push(
      items.map(({ row, old }) =>
        highEntropyTurnMask(requireEntropies(old), row.turnLengths, entropyTurnShare),
      ),
    );
  }
  if (entropyTokenShare < 1) filters.push(highEntropyTokenMasks(rows, entropyTokenShare));
  if (surprise !== null) {
    const scoredRows = items.map(({ row, old }) => ({ ...row, logprobs: old.logprobs }));
    const band = computeSurpriseBand(scoredRows, surprise);
    filters.push(
      scoredRows.map(({ logprobs, turnLengths }) => surpriseBandMask(logprobs, turnLengths, band)),
    );
  }
  if (filter.protectFormat) {
    filters.push(
      items.map(({ graded, row }) =>
        formatProtectionMask(graded.advantage, markFormatTokens(row, renderer)),
      ),
    );
  }
  if (covariance !== null) filters.push(covarianceClipMasks(rows, covariance, rng));
  return filters;
}

/** Returns the two ends of the configured surprise band, in nats. */
export function computeSurpriseBand(
  rows: Parameters<typeof turnSurprises>[0],
  { by, low, high }: Surprise,
): readonly [number, number] {
  if (by === "nats") return [low, high ?? Infinity];
  return surpriseQuantileBand(turnSurprises(rows), low, high);
}

/**
 * Returns 1 for action tokens that belong to the format and 0 for those of the content. Format tokens are markers
 * without text, such as the end of a turn, and the fences of a code block.
 */
export function markFormatTokens(
  { tokens, at }: ActionRow,
  renderer: Renderer | undefined,
): number[] {
  assert(renderer, "recognising format tokens needs a renderer");
  return at.map((position) => {
    const text = renderer.text([tokens[position]!]);
    return Number(text === "" || /^\s*```\w*\s*$/.test(text));
  });
}

function requireEntropies({ entropies }: TokenOutputs): Float32Array {
  assert(entropies, "the engine returned no entropies, although it says that it supports them");
  return entropies;
}
