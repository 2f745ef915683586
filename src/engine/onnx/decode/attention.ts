/**
 * Attention of a step or of a block over cached keys and values: the part of decoding whose cost grows with the
 * context.
 *
 * Shapes: B rows, P positions per row, S cached positions, H key heads, G query heads per key head, D head size.
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
import type { Dim } from "../proto/index.ts";

/** Cached keys and values of one layer: (B, 1, H, 1, S, D). The positions and queries of a key head share them. */
export interface CachedKeysValues {
  readonly key: Value;
  readonly value: Value;
}

/** Attention over a part of the keys, with what is needed to merge it with other parts. */
export interface PartialAttention {
  readonly mixed: Value;
  /** The largest score. Its last axis is 1. */
  readonly maxScore: Value;
  /** The probability of the largest score, 1 / sum exp(score - max). Its last axis is 1. */
  readonly maxProbability: Value;
}

/** Projections of the positions that attend: query (B, P, heads * D), key and value (B, P, H * D). */
export interface AttentionProjections {
  readonly query: Value;
  readonly key: Value;
  readonly value: Value;
}

/** Returns queries by key head, multiplied by 1/sqrt(D): (B, P, H, G, 1, D). The one-row kernel takes no scale. */
export function scaledQueries(
  { query }: AttentionProjections,
  { heads, kvHeads, headSize }: ModelConfig,
  positions: number,
): Value {
  const scale = query.graph.scalar(headSize ** -0.5);
  return reshape(mul(query, scale), ["B", positions, kvHeads, heads / kvHeads, 1, headSize]);
}

/**
 * Computes attention of P positions over the cache and over themselves, to (B, P, H, G, 1, D). The part on themselves
 * is elementwise.
 *
 * Every query is a product of its own with one row. Such products read the cache in place, while products of two rows
 * or more first copy it into panels, which is most of the work of a step (1.4 times as fast without). A block must do
 * the same, although panels would pay there, so that both give equal bits.
 */
export function attendToCacheAndSelf(
  projections: AttentionProjections,
  cached: CachedKeysValues,
  mask: Value,
  config: ModelConfig,
  positions: number,
): PartialAttention {
  const query = scaledQueries(projections, config, positions);
  const [key, value] = [projections.key, projections.value].map((x) =>
    reshape(x, ["B", positions, config.kvHeads, 1, 1, config.headSize]),
  );
  const cacheScores = add(matmul(query, cached.key, { transposeB: true }), mask);
  const selfScores = reduceSum(mul(query, key!), [-1], true);
  const scores = concat([cacheScores, selfScores], -1);
  const weights = softmax(scores);
  const [cacheWeights, selfWeights] = splitOffLast(weights, cached.key.shape[4]!);
  return {
    mixed: add(matmul(cacheWeights, cached.value), mul(selfWeights, value!)),
    maxScore: reduceMax(scores, true),
    maxProbability: reduceMax(weights, true),
  };
}

/** Splits the last axis into its first `length` elements and the last one. */
function splitOffLast(x: Value, length: Dim): [Value, Value] {
  const { graph } = x;
  const outer = x.shape.slice(0, -1);
  const axis = outer.length;
  const outputs = [length, 1].map((size) => ({ dtype: x.dtype, shape: [...outer, size] }));
  if (typeof length === "string" && !graph.hasSymbol(length)) {
    const slice = (start: number, end: number, output: (typeof outputs)[0]) => {
      const bounds = [start, end, axis].map((value) => graph.constant("int64", [1], [value]));
      return graph.emit("Slice", [x, ...bounds], [output])[0]!;
    };
    return [slice(0, -1, outputs[0]!), slice(-1, 2 ** 31, outputs[1]!)];
  }
  const [first, last] = graph.emit("Split", [x, graph.shapeVector([length, 1])], outputs, {
    attributes: { axis: { int: axis } },
  });
  return [first!, last!];
}
