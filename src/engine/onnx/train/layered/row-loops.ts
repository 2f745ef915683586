/** Loops over rows of flat buffers, where a graph would copy them. */

/** Adds `values` to `sum`, beginning at `offset`: sum[offset + i] += values[i]. */
export function addInto(sum: Float32Array, offset: number, values: Float32Array): void {
  for (let i = 0; i < values.length; i++) sum[offset + i] = sum[offset + i]! + values[i]!;
}

/** Returns the rows of a table (any, width) by index: (indices, width). */
export function gatherRows(
  table: Float32Array,
  indices: ArrayLike<number>,
  width: number,
): Float32Array {
  const out = new Float32Array(indices.length * width);
  for (let i = 0; i < indices.length; i++) {
    out.set(table.subarray(indices[i]! * width, (indices[i]! + 1) * width), i * width);
  }
  return out;
}

/** Adds rows to rows of a table in order: table[indices[i]] += factors[i] * rows[i]. */
export function scatterAddRows(
  table: Float32Array,
  indices: ArrayLike<number>,
  rows: Float32Array,
  width: number,
  factors?: ArrayLike<number>,
): void {
  for (let i = 0; i < indices.length; i++) {
    const factor = factors?.[i] ?? 1;
    const [to, from] = [indices[i]! * width, i * width];
    for (let j = 0; j < width; j++) table[to + j] = table[to + j]! + factor * rows[from + j]!;
  }
}

/** Returns start and end of pieces of at most `step`, as equal as possible in multiples of 8. */
export function splitEvenly(total: number, step: number): (readonly [number, number])[] {
  const count = Math.ceil(total / step);
  const size = Math.ceil(Math.ceil(total / count) / 8) * 8;
  const starts = Array.from({ length: Math.ceil(total / size) }, (_, i) => i * size);
  return starts.map((start) => [start, Math.min(total, start + size)] as const);
}
