/** The interface of an open file of weights, whatever its format. */
import type { QuantizedRows } from "../model/index.ts";

/** An open file of tensors under Hugging Face's names, in any format. Its `checkpoint` errors name the file. */
export interface WeightFile {
  readonly path: string;
  readonly tensors: ReadonlyMap<
    string,
    { readonly shape: readonly number[]; readonly dtype: string }
  >;
  /** Reads a tensor, widened to float32, into `target`, which must have exactly its elements. */
  read(name: string, target: Float32Array): void;
  /**
   * Reads some rows of a matrix, widened to float32, from row `start` on, as many as `target` has. `start` and their
   * number are multiples of 8 times the size of a head, or reach to the matrix' end, so that blocks and heads are whole.
   */
  readRows(name: string, start: number, target: Float32Array): void;
  /**
   * Reads such rows into blocks of a quantised matrix when the file has them in blocks of the same kind, bit by bit.
   * Returns false, and reads nothing, when it has not.
   */
  readBlocks(name: string, start: number, target: QuantizedRows): boolean;
  /** Reads the bytes of a tensor as the file stores them, a few mebibytes at a time. A view is valid until the next. */
  readBytes(name: string): Iterable<Uint8Array>;
  close(): void;
}
