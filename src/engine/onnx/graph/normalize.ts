/** Softmax and root-mean-square normalisation over the last axis; token log-probabilities. */
import { assert } from "../../../core/index.ts";
import { reduceSum, reshape, unbroadcast } from "./broadcast.ts";
import { exp, mul, neg, sub } from "./elementwise.ts";
import type { Value } from "./graph.ts";
import { matmul } from "./linear.ts";
import { sizeAt } from "./shapes.ts";

const LAST = { attributes: { axis: { int: -1 } } } as const;

export function softmax(x: Value): Value {
  const y = x.graph.emit("Softmax", [x], [x], LAST)[0]!;
  x.graph.differentiable([x], [y], ([dy]) => {
    const mean = reduceSum(mul(dy!, y), [-1], true);
    return [mul(y, sub(dy!, mean))];
  });
  return y;
}

export function logSoftmax(x: Value): Value {
  const y = x.graph.emit("LogSoftmax", [x], [x], LAST)[0]!;
  x.graph.differentiable([x], [y], ([dy]) => {
    const total = reduceSum(dy!, [-1], true);
    return [sub(dy!, mul(exp(y), total))];
  });
  return y;
}

/** The largest element of the last axis, which vanishes unless kept. No derivative. */
export function reduceMax(x: Value, keep = false): Value {
  const shape = keep ? [...x.shape.slice(0, -1), 1] : x.shape.slice(0, -1);
  const axes = x.graph.constant("int64", [1], [x.shape.length - 1]);
  const y = x.graph.emit("ReduceMax", [x, axes], [{ dtype: x.dtype, shape }], {
    attributes: { keepdims: { int: keep ? 1 : 0 } },
  })[0]!;
  x.graph.notDifferentiable([x], [y]);
  return y;
}

/** x / sqrt(mean(x^2) + epsilon) * gain, over the last axis; gain has that axis' size. */
export function rmsNorm(x: Value, gain: Value, epsilon: number): Value {
  const size = sizeAt(x, -1);
  const rootShape = [...x.shape.slice(0, -1), 1];
  const [y, inverseRoot] = x.graph.emit(
    "SimplifiedLayerNormalization",
    [x, gain],
    [x, { dtype: x.dtype, shape: rootShape }],
    { attributes: { axis: { int: -1 }, epsilon: { float: epsilon }, stash_type: { int: 1 } } },
  );
  x.graph.differentiable([x, gain], [y!], ([dy]) => {
    const unit = mul(x, inverseRoot!);
    const product = mul(dy!, unit);
    const dunit = mul(dy!, gain);
    // mean(dunit * unit), as a product with the gain
    const column = mul(reshape(gain, [size, 1]), x.graph.scalar(1 / size));
    const mean = matmul(product, column);
    const dx = mul(sub(dunit, mul(unit, mean)), inverseRoot!);
    return [dx, unbroadcast(product, gain.shape)];
  });
  return y!;
}

/** Log-probabilities (n, v) and token ids (n) to log p of each id (n). */
export function pickTokens(logprobs: Value, ids: Value): Value {
  assert(logprobs.shape.length === 2 && ids.shape.length === 1, "pickTokens takes (n, v) and (n)");
  const n = ids.shape[0]!;
  const column = reshape(ids, [n, 1]);
  const picked = logprobs.graph.emit(
    "GatherElements",
    [logprobs, column],
    [{ dtype: logprobs.dtype, shape: [n, 1] }],
    {
      attributes: { axis: { int: 1 } },
    },
  )[0]!;
  logprobs.graph.differentiable([logprobs], [picked], ([dy]) => [
    oneInEachRow(logprobs, column, dy!),
  ]);
  return reshape(picked, [n]);
}

/** A matrix like `like` that is zero but for `values` (n, 1) at `column` (n, 1); no index repeats. */
function oneInEachRow(like: Value, column: Value, values: Value): Value {
  const zero = { dtype: "float32", dims: [1], data: new Float32Array(1) } as const;
  const zeros = like.graph.emit("ConstantOfShape", [like.graph.sizes(like.shape)], [like], {
    attributes: { value: { tensor: zero } },
  })[0]!;
  return like.graph.emit("ScatterElements", [zeros, column, values], [like], {
    attributes: { axis: { int: 1 } },
  })[0]!;
}

/** Entropy in nats of each row of log-probabilities (n, v): -sum p log p. */
export function entropy(logprobs: Value): Value {
  return neg(reduceSum(mul(exp(logprobs), logprobs), [-1]));
}
