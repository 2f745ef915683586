/**
 * Draws tokens inside the graph, so that logits, which ONNX Runtime would copy, never leave it.
 *
 * A token is drawn by inverting the cumulative distribution at the row's uniform number: the token is the number of
 * cumulative sums that are at or below it. A token of probability 0 is never drawn. Cumulative sums over a large
 * vocabulary would take a third of the time of its logits. There the draw has two stages, each of them an inversion:
 * first a block of 128 tokens by the sums of blocks, then a token inside the block by the rest of the number. Greedy
 * rows take the largest logit.
 *
 * There is no Log node, because its kernel rounds the last elements of a thread's share differently, so a row's
 * result would depend on its batch. Shapes: B rows, V tokens.
 */
import {
  add,
  cast,
  type Graph,
  less,
  lessOrEqual,
  mul,
  reduceSum,
  relu,
  reshape,
  slice,
  softmax,
  sub,
  type Value,
  where,
} from "../graph/index.ts";

const TOKENS_PER_BLOCK = 128;

/** The vocabulary size from which two stages are faster. */
const LARGE_VOCABULARY = 4096;

/** The largest float32 below 1. A threshold below this part of a sum is below the last cumulative sum. */
const LARGEST_BELOW_ONE = 1 - 2 ** -24;

/**
 * Adds the draw of a token to the graph. `logits` is (B, V). The inputs are inverseTemperature and uniform, float32
 * (B, 1), and greedy, bool (B, 1). The outputs are next, int64 (B, 1), and its probability, float32 (B, 1).
 */
export function drawToken(graph: Graph, logits: Value): void {
  const size = logits.shape[1] as number;
  const inverseTemperature = graph.addInput("inverseTemperature", "float32", ["B", 1]);
  const uniform = graph.addInput("uniform", "float32", ["B", 1]);
  const greedy = graph.addInput("greedy", "bool", ["B", 1]);
  const probabilities = softmax(mul(logits, inverseTemperature));
  const isLarge = size >= LARGE_VOCABULARY && size % TOKENS_PER_BLOCK === 0;
  const draw = isLarge ? drawInTwoStages : drawInOneStage;
  const [best] = graph.emit("ArgMax", [logits], [{ dtype: "int64", shape: ["B", 1] }], {
    attributes: { axis: { int: 1 }, keepdims: { int: 1 } },
  });
  const next = where(greedy, best!, cast(draw(probabilities, uniform), "int64"));
  graph.addOutput("next", next);
  graph.addOutput("probability", elementAt(probabilities, next));
}

/** Draws tokens, float32 (B, 1), by one inversion. */
function drawInOneStage(probabilities: Value, uniform: Value): Value {
  const sums = cumulativeSums(probabilities);
  return countAtOrBelow(sums, mul(uniform, lastColumn(sums)));
}

/** Draws tokens, float32 (B, 1), by two inversions: a block, then a token inside it. */
function drawInTwoStages(probabilities: Value, uniform: Value): Value {
  const { graph } = probabilities;
  const count = (probabilities.shape[1] as number) / TOKENS_PER_BLOCK;
  const blocks = reshape(probabilities, ["B", count, TOKENS_PER_BLOCK]);
  const blockSums = reduceSum(blocks, [-1]);
  const cumulativeBlockSums = cumulativeSums(blockSums);
  const threshold = mul(uniform, lastColumn(cumulativeBlockSums));
  const block = countAtOrBelow(cumulativeBlockSums, threshold);
  const index = cast(block, "int64");
  const sumBefore = sub(elementAt(cumulativeBlockSums, index), elementAt(blockSums, index));
  const [blockProbabilities] = graph.emit(
    "GatherND",
    [blocks, index],
    [{ dtype: "float32", shape: ["B", TOKENS_PER_BLOCK] }],
    { attributes: { batch_dims: { int: 1 } } },
  );
  const sumsInBlock = cumulativeSums(blockProbabilities!);
  // Rounding may make the rest negative, or larger than the cumulative sums of this block.
  const maxRest = mul(lastColumn(sumsInBlock), graph.scalar(LARGEST_BELOW_ONE));
  const rest = sub(threshold, sumBefore);
  const boundedRest = relu(where(less(rest, maxRest), rest, maxRest));
  return add(mul(block, graph.scalar(TOKENS_PER_BLOCK)), countAtOrBelow(sumsInBlock, boundedRest));
}

/** Returns the cumulative sums (B, n) of x (B, n). */
function cumulativeSums(x: Value): Value {
  const { graph } = x;
  return graph.emit("CumSum", [x, graph.constant("int64", [], [1])], [x])[0]!;
}

function lastColumn(x: Value): Value {
  const size = x.shape[1] as number;
  return slice(x, 1, size - 1, size);
}

/** Returns how many of `sums` (B, n) are at or below the threshold (B, 1), as float32, which is exact below 2^24. */
function countAtOrBelow(sums: Value, threshold: Value): Value {
  return reduceSum(cast(lessOrEqual(sums, threshold), "float32"), [1], true);
}

/** Returns the elements of `x` (B, n) at `index`, int64 (B, 1). */
function elementAt(x: Value, index: Value): Value {
  const output = { dtype: x.dtype, shape: index.shape };
  return x.graph.emit("GatherElements", [x, index], [output], {
    attributes: { axis: { int: 1 } },
  })[0]!;
}
