/** Operations that move elements without changing them: transpose, split, concat, slice, gather. */
import { assert } from "../../../core/index.ts";
import { filled, reshape } from "./broadcast.ts";
import { getProvider } from "./current-provider.ts";
import { cast, equal } from "./elementwise.ts";
import type { Value } from "./graph.ts";
import { matmul } from "./linear.ts";
import { knownSizeAt, normalizeAxis, replaceAxis } from "./shapes.ts";

export function transpose(x: Value, permutation: readonly number[]): Value {
  assert(permutation.length === x.shape.length, "transpose permutes every axis");
  if (permutation.every((axis, i) => axis === i)) return x;
  const shape = permutation.map((axis) => x.shape[axis]!);
  const y = x.graph.emit("Transpose", [x], [{ dtype: x.dtype, shape }], {
    attributes: { perm: { ints: permutation } },
  })[0]!;
  const inverse = permutation.map((_, axis) => permutation.indexOf(axis));
  x.graph.defineGradient([x], [y], ([dy]) => [transpose(dy!, inverse)]);
  return y;
}

/** Splits an axis of known size into parts of the given sizes. */
export function split(x: Value, axis: number, sizes: readonly number[]): Value[] {
  const at = normalizeAxis(x, axis);
  assert(
    knownSizeAt(x, at) === sizes.reduce((a, b) => a + b, 0),
    `split of ${x.shape[at]} into ${sizes}`,
  );
  if (sizes.length === 1) return [x];
  const parts = x.graph.emit(
    "Split",
    [x, x.graph.constant("int64", [sizes.length], sizes)],
    sizes.map((size) => ({ dtype: x.dtype, shape: replaceAxis(x.shape, at, size) })),
    { attributes: { axis: { int: at } } },
  );
  x.graph.defineGradient([x], parts, (dparts) => [
    concat(
      dparts.map((dpart, i) => dpart ?? zerosLike(parts[i]!)),
      at,
    ),
  ]);
  return parts;
}

/** Concatenates values along an axis. The other axes must agree. */
export function concat(parts: readonly Value[], axis: number): Value {
  const first = parts[0]!;
  const at = normalizeAxis(first, axis);
  const sizes = parts.map((part) => part.shape[at]!);
  const known = sizes.every((size) => typeof size === "number");
  const total = known ? (sizes as number[]).reduce((a, b) => a + b, 0) : sizes.join("+");
  const y = first.graph.emit(
    "Concat",
    parts,
    [{ dtype: first.dtype, shape: replaceAxis(first.shape, at, total) }],
    { attributes: { axis: { int: at } } },
  )[0]!;
  first.graph.defineGradient(parts, [y], ([dy]) => {
    assert(known, "the derivative of concat needs known sizes on the joined axis");
    return split(dy!, at, sizes as number[]);
  });
  return y;
}

function zerosLike(x: Value): Value {
  return filled(x.graph, x.shape, 0);
}

/**
 * Returns elements `start` (included) to `end` (excluded) of an axis of known or unknown size. It has no derivative.
 */
export function slice(x: Value, axis: number, start: number, end: number): Value {
  const at = normalizeAxis(x, axis);
  const int64Vector = (value: number) => x.graph.constant("int64", [1], [value]);
  const y = x.graph.emit(
    "Slice",
    [x, int64Vector(start), int64Vector(end), int64Vector(at)],
    [{ dtype: x.dtype, shape: replaceAxis(x.shape, at, end - start) }],
  )[0]!;
  x.graph.rejectGradient([x], [y]);
  return y;
}

/**
 * Gathers rows of a table (rows, ...) by integer indices of any shape, to (...indices, ...). Its derivative adds each
 * row's cotangents with ScatterElements, which runs on one thread in the order of the indices. ScatterND with
 * addition must not be used: it races on the CPU and loses updates when an index repeats.
 */
export function gather(table: Value, indices: Value): Value {
  const shape = [...indices.shape, ...table.shape.slice(1)];
  const y = table.graph.emit("Gather", [table, indices], [{ dtype: table.dtype, shape }], {
    attributes: { axis: { int: 0 } },
  })[0]!;
  table.graph.defineGradient([table], [y], ([dy]) => [scatterAddToTable(table, indices, dy!)]);
  return y;
}

/**
 * Gathers rows of a table (rows, width) by indices (n) whose inverse is known. `places` (rows) says where in
 * `indices` a row stands. For a row that is not in `indices` it points at an entry whose cotangent is zero. The
 * derivative is a gather too, which unlike a scatter uses all threads.
 */
export function gatherWithInverse(table: Value, indices: Value, places: Value): Value {
  const gatherRows = (x: Value, at: Value) =>
    x.graph.emit("Gather", [x, at], [{ dtype: x.dtype, shape: [at.shape[0]!, x.shape[1]!] }], {
      attributes: { axis: { int: 0 } },
    })[0]!;
  const y = gatherRows(table, indices);
  table.graph.defineGradient([table], [y], ([dy]) => [gatherRows(dy!, places)]);
  return y;
}

function scatterAddToTable(table: Value, indices: Value, dy: Value): Value {
  assert(table.shape.length === 2, "the derivative of gather needs a table of rank 2");
  const [count, width] = [indices.shape.join("*"), table.shape[1]!];
  const rows = reshape(dy, [flattenedDim(indices) ?? count, width]);
  if (getProvider() !== "cpu") return sumRowsByProduct(table, indices, rows);
  const column = reshape(indices, [rows.shape[0]!, 1]);
  const spread = table.graph.emit(
    "Expand",
    [column, table.graph.shapeVector([1, width])],
    [{ dtype: indices.dtype, shape: rows.shape }],
  )[0]!;
  return table.graph.emit("ScatterElements", [zerosLike(table), spread, rows], [table], {
    attributes: { axis: { int: 0 }, reduction: { string: "add" } },
  })[0]!;
}

/**
 * Adds rows to a table by a product with a matrix of zeros and ones, (table rows, n). Kernels that scatter by atomic
 * additions add in another order each time, so their sums would not repeat their bits.
 */
function sumRowsByProduct(table: Value, indices: Value, rows: Value): Value {
  const { graph } = table;
  const height = knownSizeAt(table, 0);
  const ids = graph.constant(indices.dtype, [height, 1], [...new Array(height).keys()]);
  const row = reshape(indices, [1, rows.shape[0]!]);
  return matmul(cast(equal(ids, row), "float32"), rows);
}

function flattenedDim(indices: Value): number | string | undefined {
  if (indices.shape.every((dim) => typeof dim === "number")) {
    return (indices.shape as number[]).reduce((a, b) => a * b, 1);
  }
  return indices.shape.length === 1 ? indices.shape[0] : undefined;
}
