/**
 * Attention of a step or of a block over cached keys and values: the part of decoding that grows with the context.
 *
 * Shapes: B rows, P positions a row, S cached positions, H key heads, G query heads a key head, D head size.
 */
import {
  add,
  concat,
  matmul,
  mul,
  reduceMax,
  reduceSum,
  reshape,
  softmax,
  type Value,
} from "../graph/index.ts";
import type { ModelConfig } from "../model/index.ts";

/** Cached keys and values of one layer: (B, 1, H, 1, S, D), shared by the positions and queries of a key head. */
export interface CachedKeysValues {
  readonly key: Value;
  readonly value: Value;
}

/** What one softmax gives, and what it takes to join it with others. */
export interface PartialAttention {
  readonly mixed: Value;
  /** The largest score; last axis 1. */
  readonly top: Value;
  /** Its probability, 1 / sum exp(score - top); last axis 1. */
  readonly share: Value;
}

/** Projections of the positions that attend: (B, P, heads * D), (B, P, H * D) twice. */
export interface AttentionProjections {
  readonly query: Value;
  readonly key: Value;
  readonly value: Value;
}

/** Queries by key head, times 1/sqrt(D): (B, P, H, G, 1, D). The one-row kernel wants no factor of its own. */
export function scaledQueries(
  { query }: AttentionProjections,
  { heads, kvHeads, headSize }: ModelConfig,
  positions: number,
): Value {
  const scale = query.graph.scalar(headSize ** -0.5);
  return reshape(mul(query, scale), ["B", positions, kvHeads, heads / kvHeads, 1, headSize]);
}

/**
 * Attention of P positions over what is cached and over themselves, to (B, P, H, G, 1, D). The part on themselves is
 * elementwise.
 *
 * Every query is a product of its own, with one row: those read the cache where it lies, while products of two rows or
 * more first copy it into panels, which for a step is most of the work (1.4 times as fast without). A block must do
 * likewise, though there panels would pay: equal bits go before speed.
 */
export function attendToCacheAndSelf(
  own: AttentionProjections,
  cached: CachedKeysValues,
  mask: Value,
  config: ModelConfig,
  positions: number,
): PartialAttention {
  const { graph } = own.query;
  const query = scaledQueries(own, config, positions);
  const outer = query.shape.slice(0, -1);
  const [key, value] = [own.key, own.value].map((x) =>
    reshape(x, ["B", positions, config.kvHeads, 1, 1, config.headSize]),
  );
  const toCached = add(matmul(query, cached.key, { transposeB: true }), mask);
  const toSelf = reduceSum(mul(query, key!), [-1], true);
  const scores = concat([toCached, toSelf], -1);
  const weights = softmax(scores);
  const [onCached, onSelf] = graph.emit(
    "Split",
    [weights, graph.shapeVector(["S", 1])],
    ["S", 1].map((length) => ({ dtype: "float32", shape: [...outer, length] })),
    { attributes: { axis: { int: outer.length } } },
  );
  return {
    mixed: add(matmul(onCached!, cached.value), mul(onSelf!, value!)),
    top: reduceMax(scores, true),
    share: reduceMax(weights, true),
  };
}
