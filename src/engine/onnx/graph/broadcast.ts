/** Reshape, expand and sum: the three operations that undo each other when shapes stretch. */
import { assert } from "../../../core/index.ts";
import type { Shape, Value } from "./graph.ts";
import { axisOf, broadcastShape, sameShape, show, stretchedAxes } from "./shapes.ts";

/**
 * The same elements, row-major, under another shape. The caller vouches that the sizes agree; one symbol of the
 * target may be a name that no input has; every other symbol is read from the inputs.
 */
export function reshape(x: Value, shape: Shape): Value {
  if (sameShape(x.shape, shape)) return x;
  const sizes = x.graph.sizes(inferOne(x, shape));
  const y = x.graph.emit("Reshape", [x, sizes], [{ dtype: x.dtype, shape }])[0]!;
  x.graph.differentiable([x], [y], ([dy]) => [reshape(dy!, x.shape)]);
  return y;
}

/** Writes sizes that ONNX can infer: 0 copies the input's size at that axis, -1 (once) is whatever is left. */
function inferOne(x: Value, shape: Shape): Shape {
  const copied = shape.map((dim, i) => (typeof dim === "string" && x.shape[i] === dim ? 0 : dim));
  const symbols = copied.filter((dim) => typeof dim === "string");
  const left = symbols.find((symbol) => !x.graph.knows(symbol as string)) ?? symbols[0];
  const at = copied.indexOf(left ?? "");
  return copied.map((dim, i) => (i === at ? -1 : dim));
}

/** Stretches axes of size 1 (and adds leading axes) up to `shape`. */
export function expand(x: Value, shape: Shape): Value {
  if (sameShape(x.shape, shape)) return x;
  assert(
    sameShape(broadcastShape(x.shape, shape), shape),
    `cannot expand ${show(x.shape)} to ${show(shape)}`,
  );
  const y = x.graph.emit("Expand", [x, x.graph.sizes(shape)], [{ dtype: x.dtype, shape }])[0]!;
  x.graph.differentiable([x], [y], ([dy]) => [unbroadcast(dy!, x.shape)]);
  return y;
}

/** Sums over `axes`. With `keep` they stay as size 1; without, they vanish. */
export function reduceSum(x: Value, axes: readonly number[], keep = false): Value {
  if (axes.length === 0) return x;
  const over = axes.map((axis) => axisOf(x, axis));
  const kept = x.shape.map((dim, i) => (over.includes(i) ? 1 : dim));
  const shape = keep ? kept : x.shape.filter((_, i) => !over.includes(i));
  const y = x.graph.emit(
    "ReduceSum",
    [x, x.graph.constant("int64", [over.length], over)],
    [{ dtype: x.dtype, shape }],
    { attributes: { keepdims: { int: keep ? 1 : 0 } } },
  )[0]!;
  x.graph.differentiable([x], [y], ([dy]) => [expand(reshape(dy!, kept), x.shape)]);
  return y;
}

/** Undoes broadcasting: sums `dy` over the axes along which a value of shape `shape` was stretched. */
export function unbroadcast(dy: Value, shape: Shape): Value {
  return reshape(reduceSum(dy, stretchedAxes(shape, dy.shape)), shape);
}
