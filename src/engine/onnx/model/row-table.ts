/** A table of rows, such as the embedding, whose numbers are floats or have fewer bits. */
import { dequantizeRows, type QuantizedRows, sliceRows } from "./quantized-matrices.ts";

export interface RowTable {
  readonly rows: number;
  /**
   * Returns rows `start` to `end`, row-major. The array may be reused by the next call for as many rows or fewer.
   */
  read(start: number, end: number): Float32Array;
}

export function floatTable(data: Float32Array, width: number): RowTable {
  return {
    rows: data.length / width,
    read: (start, end) => data.subarray(start * width, end * width),
  };
}

export function quantizedTable(matrix: QuantizedRows): RowTable {
  let scratch = new Float32Array(0);
  return {
    rows: matrix.rows,
    read(start, end) {
      const size = (end - start) * matrix.columns;
      if (scratch.length < size) scratch = new Float32Array(size);
      return dequantizeRows(sliceRows(matrix, start, end), scratch.subarray(0, size));
    },
  };
}

/** Returns the rows of a table by index: (indices, width). */
export function gatherTableRows(
  table: RowTable,
  indices: ArrayLike<number>,
  width: number,
): Float32Array {
  const out = new Float32Array(indices.length * width);
  for (let i = 0; i < indices.length; i++) {
    out.set(table.read(indices[i]!, indices[i]! + 1), i * width);
  }
  return out;
}
