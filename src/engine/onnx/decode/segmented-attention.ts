/**
 * Attention for long rows: over segments of 128 positions, each with its own softmax, and over the rest as in
 * attention.ts.
 *
 * A segment that rows share is stored once, and one product gives the scores of all their queries. A segment of a
 * single row is a product of that row's queries. The result must not depend on which of the two it is. So both are
 * products of at least two rows whose inner size is at most one stride of the kernel (then a row's bits do not depend
 * on the number of rows), and segments are added one by one in their order, however many of them are shared.
 *
 * Softmaxes are merged by their largest scores t and the probabilities p of these: a segment has weight exp(t - max
 * t) / p. exp is computed as the ratio of a softmax over two numbers, because a lone Exp node rounds differently by
 * place in the batch. Shapes: R shared segments, N own segments, M = B * P * G queries per key head; otherwise as in
 * attention.ts.
 */
import {
  add,
  concat,
  div,
  matmul,
  mul,
  reduceMax,
  reduceSum,
  reshape,
  slice,
  softmax,
  split,
  sub,
  transpose,
  type Value,
} from "../graph/index.ts";
import type { ModelConfig } from "../model/index.ts";
import {
  type AttentionProjections,
  attendToCacheAndSelf,
  type CachedKeysValues,
  type PartialAttention,
  scaledQueries,
} from "./attention.ts";
import { type RowStableGraph, sumOrderDependsOnRows } from "./row-stable-graph.ts";

/** The number of positions in a segment: one stride of the kernel that sums over segments. */
export const SEGMENT_LENGTH = 128;

/** The length of past from which whole segments are attended to as segments. */
export const MIN_SEGMENTED_PAST = 512;

/** Returns whether the products of segments keep a row's bits. Wide heads may be summed in more than one stride. */
export function canUseSegments({ headSize }: ModelConfig, threads: number): boolean {
  return !sumOrderDependsOnRows(SEGMENT_LENGTH, headSize, threads);
}

/** The graph inputs for segments, in addition to the cached rest of each row. */
export interface SegmentInputs {
  /** The segments that all rows share: (R, H, 128, D). */
  readonly shared: CachedKeysValues;
  /** The mask of shared segments, (R, 1, 1, 1): 0 where there is a segment, MASKED where there is none. */
  readonly sharedMask: Value;
  /** Each row's own segments: (B, N, H, 128, D). */
  readonly own: CachedKeysValues;
  /** The mask of own segments, (B, N, 1, 1, 1). */
  readonly ownMask: Value;
}

/** Declares the masks once. The returned function declares keys and values of a layer. */
export function declareSegmentInputs(
  graph: RowStableGraph,
  { kvHeads, headSize }: ModelConfig,
): (layer: number) => SegmentInputs {
  const addFloatInput = (name: string, shape: readonly (string | number)[]) =>
    graph.addInput(name, "float32", shape);
  const sharedMask = addFloatInput("sharedMask", ["R", 1, 1, 1]);
  const ownMask = addFloatInput("ownMask", ["B", "N", 1, 1, 1]);
  const size = [kvHeads, SEGMENT_LENGTH, headSize];
  const declareCached = (name: string, layer: number, outer: readonly string[]) => ({
    key: addFloatInput(`${name}Key.${layer}`, [...outer, ...size]),
    value: addFloatInput(`${name}Value.${layer}`, [...outer, ...size]),
  });
  return (layer) => ({
    sharedMask,
    ownMask,
    shared: declareCached("shared", layer, ["R"]),
    own: declareCached("own", layer, ["B", "N"]),
  });
}

/** Computes attention of P positions over segments, the cached rest and themselves, to (B, P, H, G, 1, D). */
export function attendWithSegments(
  projections: AttentionProjections,
  rest: CachedKeysValues,
  mask: Value,
  segments: SegmentInputs,
  config: ModelConfig,
  positions: number,
): Value {
  const { heads, kvHeads, headSize } = config;
  const group = heads / kvHeads;
  const query = reshape(scaledQueries(projections, config, positions), [
    "B",
    positions,
    kvHeads,
    group,
    headSize,
  ]);
  const onRest = attendToCacheAndSelf(projections, rest, mask, config, positions);
  const all = [`B*${positions * group}`];
  const groupByHead = (x: Value) => {
    const width = x.shape.at(-1)!;
    const flat = reshape(x, ["B", positions, kvHeads, group, width]);
    return reshape(transpose(flat, [2, 0, 1, 3, 4]), [1, kvHeads, ...all, width]);
  };
  const mixed = mergeParts([
    attendToSharedSegments(groupByHead(query), segments),
    attendToOwnSegments(transpose(query, [0, 2, 1, 3, 4]), segments, positions * group, kvHeads),
    {
      mixed: groupByHead(onRest.mixed),
      maxScore: groupByHead(onRest.maxScore),
      maxProbability: groupByHead(onRest.maxProbability),
    },
  ]);
  const byPosition = reshape(mixed, [kvHeads, "B", positions, group, headSize]);
  return transpose(byPosition, [1, 2, 0, 3, 4]);
}

/** Attends to shared segments with q (1, H, M, D): one product per segment and head for all rows. */
function attendToSharedSegments(q: Value, { shared, sharedMask }: SegmentInputs): PartialAttention {
  const scores = matmul(q, shared.key, { transposeB: true });
  const weights = softmax(scores);
  return {
    mixed: matmul(weights, shared.value),
    maxScore: add(reduceMax(scores, true), sharedMask),
    maxProbability: reduceMax(weights, true),
  };
}

/** Attends to each row's own segments with q (B, H, P, G, D): one product per row, segment and head. */
function attendToOwnSegments(
  q: Value,
  { own, ownMask }: SegmentInputs,
  queries: number,
  kvHeads: number,
): PartialAttention {
  const one = reshape(q, ["B", 1, kvHeads, queries, q.shape[4]!]);
  // A product of one row takes another path in the kernels, so a single query is doubled.
  const rows = queries === 1 ? concat([one, one], 3) : one;
  const scores = matmul(rows, own.key, { transposeB: true });
  const weights = softmax(scores);
  const groupBySegment = (x: Value) => {
    const real = queries === 1 ? slice(x, 3, 0, 1) : x;
    const shape = ["N", kvHeads, `B*${queries}`, x.shape[4]!];
    return reshape(transpose(real, [1, 2, 0, 3, 4]), shape);
  };
  return {
    mixed: groupBySegment(matmul(weights, own.value)),
    maxScore: groupBySegment(add(reduceMax(scores, true), ownMask)),
    maxProbability: groupBySegment(reduceMax(weights, true)),
  };
}

/** Merges parts (segments, H, M, ...), in the order of their positions, to the whole attention (H, M, D). */
function mergeParts(parts: readonly PartialAttention[]): Value {
  const maxScores = parts.map(({ maxScore }) => maxScore);
  const highest = maxOverFirstAxis(concatFirstAxis(maxScores));
  const weights = parts.map(({ maxScore, maxProbability }) =>
    div(expOfNonPositive(sub(maxScore, highest)), maxProbability),
  );
  const total = sumInOrder(weights);
  return div(sumInOrder(parts.map(({ mixed }, i) => mul(mixed, weights[i]!))), total);
}

/** Returns exp(x) for x <= 0, (..., 1). */
function expOfNonPositive(x: Value): Value {
  const { graph } = x;
  const ends = [
    ...x.shape.map(() => 0),
    ...x.shape.map((_, i) => (i === x.shape.length - 1 ? 1 : 0)),
  ];
  const pair = { dtype: x.dtype, shape: [...x.shape.slice(0, -1), 2] };
  const [padded] = graph.emit("Pad", [x, graph.constant("int64", [ends.length], ends)], [pair]);
  const [exponential, one] = split(softmax(padded!), -1, [1, 1]);
  return div(exponential!, one!);
}

/** Adds up the first axis one element after the other, so that the first part may be summed before the rest. */
function sumInOrder([first, ...rest]: readonly Value[]): Value {
  return reduceSum(concatFirstAxis([reduceSum(first!, [0], true), ...rest]), [0], false);
}

function concatFirstAxis(parts: readonly Value[]): Value {
  const shape = ["segments", ...parts[0]!.shape.slice(1)];
  const attributes = { axis: { int: 0 } };
  return parts[0]!.graph.emit("Concat", parts, [{ dtype: "float32", shape }], { attributes })[0]!;
}

function maxOverFirstAxis(x: Value): Value {
  const shape = [1, ...x.shape.slice(1)];
  const inputs = [x, x.graph.constant("int64", [1], [0])];
  const attributes = { keepdims: { int: 1 } };
  return x.graph.emit("ReduceMax", inputs, [{ dtype: x.dtype, shape }], { attributes })[0]!;
}
