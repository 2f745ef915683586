/** Softmax and root-mean-square normalisation over the last axis, and log-probabilities of tokens. */
import { assert } from "../../../core/index.ts";
import { reduceSum, reshape } from "./broadcast.ts";
import { getProvider } from "./current-provider.ts";
import { add, div, exp, log, mul, neg, sqrt, sub } from "./elementwise.ts";
import type { Shape, Value } from "./graph.ts";
import { matmul } from "./linear.ts";
import { knownSizeAt } from "./shapes.ts";

const LAST = { attributes: { axis: { int: -1 } } } as const;

export function softmax(x: Value): Value {
  const y = x.graph.emit("Softmax", [x], [x], LAST)[0]!;
  x.graph.defineGradient([x], [y], ([dy]) => {
    const mean = reduceSum(mul(dy!, y), [-1], true);
    return [mul(y, sub(dy!, mean))];
  });
  return y;
}

/**
 * Returns the largest element along the last axis. The axis is removed unless `keep` is set. There is no derivative.
 */
export function reduceMax(x: Value, keep = false): Value {
  const shape = keep ? [...x.shape.slice(0, -1), 1] : x.shape.slice(0, -1);
  const axes = x.graph.constant("int64", [1], [x.shape.length - 1]);
  const y = x.graph.emit("ReduceMax", [x, axes], [{ dtype: x.dtype, shape }], {
    attributes: { keepdims: { int: keep ? 1 : 0 } },
  })[0]!;
  x.graph.rejectGradient([x], [y]);
  return y;
}

/** Computes x / sqrt(mean(x^2) + epsilon) * gain over the last axis. The gain has that axis' size. */
export function rmsNorm(x: Value, gain: Value, epsilon: number): Value {
  const size = knownSizeAt(x, -1);
  const root = { dtype: x.dtype, shape: [...x.shape.slice(0, -1), 1] };
  const outputs = normReturnsInverseRoot() ? [x, root] : [x];
  const [y, stored] = x.graph.emit("SimplifiedLayerNormalization", [x, gain], outputs, {
    attributes: { axis: { int: -1 }, epsilon: { float: epsilon }, stash_type: { int: 1 } },
  });
  x.graph.defineGradient([x, gain], [y!], ([dy]) => {
    const inverseRoot = stored ?? computeInverseRoot(x, size, epsilon);
    if (getProvider() !== "cpu") {
      const dx = normCotangent(dy!, x, gain, epsilon);
      return [dx, weightedSum(mul(dy!, x), inverseRoot, gain.shape)];
    }
    // With r the inverse root, dx = r dy gain - x r^3 mean(dy gain x). The mean is a matrix product with the gain,
    // and d(gain), the sum over rows of r dy x, is a matrix product with r.
    const product = mul(dy!, x);
    const column = mul(reshape(gain, [size, 1]), x.graph.scalar(1 / size));
    const cube = mul(inverseRoot, mul(inverseRoot, inverseRoot));
    const dx = sub(mul(mul(dy!, gain), inverseRoot), mul(x, mul(matmul(product, column), cube)));
    return [dx, weightedSum(product, inverseRoot, gain.shape)];
  });
  return y!;
}

/**
 * Returns d(x) of the norm by few kernels. With g = dy gain and w = sum(x^2) + size epsilon, it is (g - x sum(g x) / w)
 * sqrt(size / w). The root of the size is multiplied into the gain, which is smallest.
 */
function normCotangent(dy: Value, x: Value, gain: Value, epsilon: number): Value {
  const { graph } = x;
  const size = knownSizeAt(x, -1);
  const g = mul(dy, mul(gain, graph.scalar(Math.sqrt(size))));
  const w = add(reduceSum(mul(x, x), [-1], true), graph.scalar(size * epsilon));
  const share = div(reduceSum(mul(g, x), [-1], true), w);
  return div(sub(g, mul(x, share)), sqrt(w));
}

/**
 * Whether the norm's second output is the inverse root mean square, as its definition says. The CPU kernel writes it.
 * The WebGPU kernel of ONNX Runtime 1.30 writes the mean of x instead, so other kernels are not asked for it.
 */
const normReturnsInverseRoot = () => getProvider() === "cpu";

/** Computes 1 / sqrt(mean(x^2) + epsilon) over the last axis: (..., 1). */
function computeInverseRoot(x: Value, size: number, epsilon: number): Value {
  const { graph } = x;
  const mean = mul(reduceSum(mul(x, x), [-1], true), graph.scalar(1 / size));
  return div(graph.scalar(1), sqrt(add(mean, graph.scalar(epsilon))));
}

/** Computes the sum of x (..., size) times weights (..., 1) over all axes but the last. */
function weightedSum(x: Value, weights: Value, shape: Shape): Value {
  const rows = x.shape.slice(0, -1);
  const n = rows.every((dim) => typeof dim === "number")
    ? (rows as number[]).reduce((a, b) => a * b, 1)
    : rows.join("*");
  return reshape(matmul(reshape(weights, [1, n]), reshape(x, [n, knownSizeAt(x, -1)])), shape);
}

/** Returns logits minus the log of the sum of their exponentials. WebGPU has no kernel for all of it. */
function logSoftmax(logits: Value): Value {
  if (getProvider() === "cpu") return logits.graph.emit("LogSoftmax", [logits], [logits], LAST)[0]!;
  const { steps } = logits.graph;
  const mark = steps.length;
  const shifted = sub(logits, reduceMax(logits, true));
  const logprobs = sub(shifted, log(reduceSum(exp(shifted), [-1], true)));
  // The caller defines the derivative of the whole, so the parts have none.
  steps.length = mark;
  return logprobs;
}

/**
 * Takes logits (n, v) and returns the log-prob of each token of `ids` (n) and, on request, the entropy of each row,
 * -sum p log p, in nats.
 *
 * There is one derivative for both: with cotangents c of the log-probs and e of the entropies H, d(logits) = c
 * (onehot - p) - e p (log p + H). Here c and e scale rows, and the one-hot part touches one element per row.
 */
export function tokenLogprobs(logits: Value, ids: Value, entropies = false): Value[] {
  const n = ids.shape[0]!;
  assert(logits.shape.length === 2 && ids.shape.length === 1, "tokenLogprobs takes (n, v) and (n)");
  const { graph } = logits;
  const column = reshape(ids, [n, 1]);
  const logprobs = logSoftmax(logits);
  const like = { dtype: logits.dtype, shape: [n, 1] };
  const onFirst = { attributes: { axis: { int: 1 } } };
  const picked = graph.emit("GatherElements", [logprobs, column], [like], onFirst)[0]!;
  const entropy = entropies && neg(reduceSum(mul(exp(logprobs), logprobs), [-1], true));
  const outputs = [picked, ...(entropy ? [entropy] : [])].map((x) => reshape(x, [n]));
  graph.defineGradient([logits], outputs, ([c, e]) => {
    const [ofPicked, ofEntropy] = [c, e].map((x) => x && reshape(x, [n, 1]));
    const slopes = [
      ...(ofPicked ? [ofPicked] : []),
      ...(ofEntropy && entropy ? [mul(ofEntropy, add(logprobs, entropy))] : []),
    ];
    const dense = mul(exp(logprobs), neg(slopes.reduce((a, b) => add(b, a))));
    if (!ofPicked) return [dense];
    const attributes = { axis: { int: 1 }, reduction: { string: "add" } };
    return graph.emit("ScatterElements", [dense, column, ofPicked], [dense], { attributes });
  });
  return outputs;
}
