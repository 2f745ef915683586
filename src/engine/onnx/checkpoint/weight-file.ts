/** An open file of tensors under Hugging Face's names, in any format. Its `checkpoint` errors name the file. */
export interface WeightFile {
  readonly path: string;
  readonly tensors: ReadonlyMap<
    string,
    { readonly shape: readonly number[]; readonly dtype: string }
  >;
  /** Reads a tensor, widened to float32, into `target`, which must have exactly its elements. */
  read(name: string, target: Float32Array): void;
  /** Reads the bytes of a tensor as the file stores them, a few mebibytes at a time. A view is valid until the next. */
  readBytes(name: string): Iterable<Uint8Array>;
  close(): void;
}
