/**
 * What single tokens of a minibatch bring to the objective: their advantages and weights. With nothing switched on, a row
 * keeps its rollout's advantage and has no weights.
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

type ShapedItem = Pick<BatchItem, "graded" | "row" | "start">;

/** Whether some mechanism looks at the entropies of next-token distributions. */
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

/** A of the row: one number, or one for each action token. */
export function computeShapedAdvantage(
  { graded, row, start }: ShapedItem,
  { credit }: OnPolicyConfig,
) {
  const plain = rowAdvantage(graded, row.turnLengths);
  if (credit.entropyFactor === 0) return plain;
  const factors = scaleAdvantageByEntropy(1, requireEntropies(start), credit.entropyFactor);
  return factors.map((factor, t) => factor * (typeof plain === "number" ? plain : plain[t]!));
}

/** What of a row the KL term holds; undefined: all of it. */
export function computeKlWeights(
  { row }: ShapedItem,
  { algo }: OnPolicyConfig,
): Float64Array | undefined {
  const turns = algo.kl?.turns ?? null;
  return turns === null ? undefined : repeatPerToken(row.turnLengths, (j) => Number(j < turns));
}

export interface ShapingContext {
  readonly config: OnPolicyConfig;
  readonly rng: Rng;
  readonly renderer?: Renderer | undefined;
}

/** The rows of a minibatch with the weights that filters leave of their tokens. */
export function addTokenWeights(
  rows: readonly ObjectiveRow[],
  items: readonly ShapedItem[],
  context: ShapingContext,
): readonly ObjectiveRow[] {
  const filters = computeTokenFilters(rows, items, context);
  if (filters.length === 0) return rows;
  return rows.map((row, i) => {
    const weights = multiplyWeights(...filters.map((of) => of[i]!));
    return {
      ...row,
      weights,
      ...(row.klWeights && { klWeights: multiplyWeights(row.klWeights, weights) }),
    };
  });
}

/** The share of a minibatch's tokens that filters leave; undefined where there are none. */
export function shareOfKeptTokens(rows: readonly ObjectiveRow[]): number | undefined {
  const weights = rows.flatMap((row) => (row.weights ? Array.from(row.weights) : []));
  if (weights.length === 0) return undefined;
  return weights.reduce((sum, w) => sum + w, 0) / weights.length;
}

/** Weights of every row by each filter that is on. */
function computeTokenFilters(
  rows: readonly ObjectiveRow[],
  items: readonly ShapedItem[],
  { config: { filter }, rng, renderer }: ShapingContext,
): (readonly Float64Array[])[] {
  const filters: (readonly Float64Array[])[] = [];
  const { entropyTurnShare, entropyTokenShare, surprise, covariance } = filter;
  if (entropyTurnShare < 1) {
    filters.push(
      items.map(({ row, start }) =>
        highEntropyTurnMask(requireEntropies(start), row.turnLengths, entropyTurnShare),
      ),
    );
  }
  if (entropyTokenShare < 1) filters.push(highEntropyTokenMasks(rows, entropyTokenShare));
  if (surprise !== null) {
    const said = items.map(({ row, start }) => ({ ...row, logprobs: start.logprobs }));
    const band = computeSurpriseBand(said, surprise);
    filters.push(
      said.map(({ logprobs, turnLengths }) => surpriseBandMask(logprobs, turnLengths, band)),
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

/** The ends of the configured band, in nats. */
export function computeSurpriseBand(
  rows: Parameters<typeof turnSurprises>[0],
  { by, low, high }: Surprise,
): readonly [number, number] {
  if (by === "nats") return [low, high ?? Infinity];
  return surpriseQuantileBand(turnSurprises(rows), low, high);
}

/**
 * 1 for action tokens that are form and not content: markers such as the end of a turn, which have no text, and the
 * fences of a code block.
 */
export function markFormatTokens(
  { tokens, at }: ActionRow,
  renderer: Renderer | undefined,
): number[] {
  assert(renderer, "format tokens are told apart by their text");
  return at.map((position) => {
    const text = renderer.text([tokens[position]!]);
    return Number(text === "" || /^\s*```\w*\s*$/.test(text));
  });
}

function requireEntropies({ entropies }: TokenOutputs): Float32Array {
  assert(entropies, "the engine left out the entropies that it offers");
  return entropies;
}
