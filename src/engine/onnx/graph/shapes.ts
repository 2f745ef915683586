/** Shape arithmetic over numbers and symbols. The functions throw when shapes do not fit. */
import { assert } from "../../../core/index.ts";
import type { Dim } from "../proto/index.ts";
import type { Shape, Value } from "./graph.ts";

export function formatShape(shape: Shape): string {
  return `[${shape.join(", ")}]`;
}

export function isSameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((dim, i) => dim === b[i]);
}

/** Broadcasts two shapes as NumPy does: trailing axes are aligned, and a size of 1 stretches. */
export function broadcastShapes(a: Shape, b: Shape): Shape {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, i) => {
    const [x, y] = [a[i - rank + a.length] ?? 1, b[i - rank + b.length] ?? 1];
    assert(
      x === y || x === 1 || y === 1,
      `shapes ${formatShape(a)} and ${formatShape(b)} do not broadcast`,
    );
    return x === 1 ? y : x;
  });
}

/** Returns the axes of `wide` that were stretched or added when `narrow` was broadcast to it. */
export function stretchedAxes(narrow: Shape, wide: Shape): number[] {
  const offset = wide.length - narrow.length;
  return wide.flatMap((dim, i) =>
    i < offset || (narrow[i - offset] === 1 && dim !== 1) ? [i] : [],
  );
}

/** Returns a non-negative axis index. -1 means the last axis. */
export function normalizeAxis(value: Value, axis: number): number {
  const rank = value.shape.length;
  const positive = axis < 0 ? axis + rank : axis;
  assert(
    positive >= 0 && positive < rank,
    `axis ${axis} of a value of shape ${formatShape(value.shape)}`,
  );
  return positive;
}

export function dimensionAt(value: Value, axis: number): Dim {
  return value.shape[normalizeAxis(value, axis)]!;
}

/** Returns the size of an axis, which must be a known number. */
export function knownSizeAt(value: Value, axis: number): number {
  const dim = dimensionAt(value, axis);
  assert(
    typeof dim === "number",
    `axis ${axis} of ${formatShape(value.shape)} must be a known number`,
  );
  return dim;
}

export function replaceAxis(shape: Shape, axis: number, dim: Dim): Shape {
  return shape.map((old, i) => (i === axis ? dim : old));
}
