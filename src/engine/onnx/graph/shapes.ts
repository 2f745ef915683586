/** Shape arithmetic over numbers and symbols. Every function throws on shapes that do not fit. */
import { assert } from "../../../core/index.ts";
import type { Dim } from "../proto/index.ts";
import type { Shape, Value } from "./graph.ts";

export function show(shape: Shape): string {
  return `[${shape.join(", ")}]`;
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((dim, i) => dim === b[i]);
}

/** NumPy broadcasting: trailing axes align, a 1 stretches. */
export function broadcastShape(a: Shape, b: Shape): Shape {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, i) => {
    const [x, y] = [a[i - rank + a.length] ?? 1, b[i - rank + b.length] ?? 1];
    assert(x === y || x === 1 || y === 1, `shapes ${show(a)} and ${show(b)} do not broadcast`);
    return x === 1 ? y : x;
  });
}

/** The axes of `wide` that were stretched or added to make it from `narrow`. */
export function stretchedAxes(narrow: Shape, wide: Shape): number[] {
  const offset = wide.length - narrow.length;
  return wide.flatMap((dim, i) =>
    i < offset || (narrow[i - offset] === 1 && dim !== 1) ? [i] : [],
  );
}

/** -1 is the last axis. */
export function axisOf(value: Value, axis: number): number {
  const rank = value.shape.length;
  const positive = axis < 0 ? axis + rank : axis;
  assert(positive >= 0 && positive < rank, `axis ${axis} of a value of shape ${show(value.shape)}`);
  return positive;
}

export function dimAt(value: Value, axis: number): Dim {
  return value.shape[axisOf(value, axis)]!;
}

/** The known size of an axis. */
export function sizeAt(value: Value, axis: number): number {
  const dim = dimAt(value, axis);
  assert(typeof dim === "number", `axis ${axis} of ${show(value.shape)} must be a known number`);
  return dim;
}

export function withAxis(shape: Shape, axis: number, dim: Dim): Shape {
  return shape.map((old, i) => (i === axis ? dim : old));
}
