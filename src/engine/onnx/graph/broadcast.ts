/** Reshape, expand and sum: the operations that broadcasting and its derivative need. */
import { assert } from "../../../core/index.ts";
import { getProvider } from "./current-provider.ts";
import type { Graph, Shape, Value } from "./graph.ts";
import {
  broadcastShapes,
  formatShape,
  isSameShape,
  normalizeAxis,
  stretchedAxes,
} from "./shapes.ts";

/**
 * Returns the same elements, row-major, in another shape. The caller makes sure that the sizes agree. One symbol of
 * the target shape may be unknown to the inputs; every other symbol is read from the inputs.
 */
export function reshape(x: Value, shape: Shape): Value {
  if (isSameShape(x.shape, shape)) return x;
  const sizes = x.graph.shapeVector(inferOneSize(x, shape));
  const y = x.graph.emit("Reshape", [x, sizes], [{ dtype: x.dtype, shape }])[0]!;
  x.graph.defineGradient([x], [y], ([dy]) => [reshape(dy!, x.shape)]);
  return y;
}

/** Replaces sizes by values that ONNX infers: 0 copies the input's size, and one -1 stands for the rest. */
function inferOneSize(x: Value, shape: Shape): Shape {
  const copied = shape.map((dim, i) => (typeof dim === "string" && x.shape[i] === dim ? 0 : dim));
  const symbols = copied.filter((dim) => typeof dim === "string");
  const left = symbols.find((symbol) => !x.graph.hasSymbol(symbol as string)) ?? symbols[0];
  const at = copied.indexOf(left ?? "");
  return copied.map((dim, i) => (i === at ? -1 : dim));
}

/** Stretches axes of size 1, and adds leading axes, to reach `shape`. */
export function expand(x: Value, shape: Shape): Value {
  if (isSameShape(x.shape, shape)) return x;
  assert(
    isSameShape(broadcastShapes(x.shape, shape), shape),
    `cannot expand ${formatShape(x.shape)} to ${formatShape(shape)}`,
  );
  const y = x.graph.emit(
    "Expand",
    [x, x.graph.shapeVector(shape)],
    [{ dtype: x.dtype, shape }],
  )[0]!;
  x.graph.defineGradient([x], [y], ([dy]) => [unbroadcast(dy!, x.shape)]);
  return y;
}

/** Sums over `axes`. With `keep` the axes stay with size 1; without it they are removed. */
export function reduceSum(x: Value, axes: readonly number[], keep = false): Value {
  if (axes.length === 0) return x;
  const over = axes.map((axis) => normalizeAxis(x, axis));
  const kept = x.shape.map((dim, i) => (over.includes(i) ? 1 : dim));
  const shape = keep ? kept : x.shape.filter((_, i) => !over.includes(i));
  const y = x.graph.emit(
    "ReduceSum",
    [x, x.graph.constant("int64", [over.length], over)],
    [{ dtype: x.dtype, shape }],
    { attributes: { keepdims: { int: keep ? 1 : 0 } } },
  )[0]!;
  x.graph.defineGradient([x], [y], ([dy]) => [expand(reshape(dy!, kept), x.shape)]);
  return y;
}

/** Undoes broadcasting: sums `dy` over the axes along which a value of this shape was stretched. */
export function unbroadcast(dy: Value, shape: Shape): Value {
  return reshape(reduceSum(dy, stretchedAxes(shape, dy.shape)), shape);
}

/** Returns a tensor of one float value. WebGPU has no kernel that makes one from a shape, so there a scalar is stretched. */
export function filled(graph: Graph, shape: Shape, value: number): Value {
  const output = { dtype: "float32", shape } as const;
  if (getProvider() !== "cpu") {
    return graph.emit("Expand", [graph.scalar(value), graph.shapeVector(shape)], [output])[0]!;
  }
  const tensor = { dtype: "float32", dims: [1], data: Float32Array.of(value) } as const;
  return graph.emit("ConstantOfShape", [graph.shapeVector(shape)], [output], {
    attributes: { value: { tensor } },
  })[0]!;
}
