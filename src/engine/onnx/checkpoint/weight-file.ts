/** An open file of tensors under Hugging Face's names, in any format. Its `checkpoint` errors name the file. */
export interface WeightFile {
  readonly path: string;
  readonly tensors: ReadonlyMap<string, { readonly shape: readonly number[] }>;
  /** Reads a tensor, widened to float32, into `target`, which must have exactly its elements. */
  read(name: string, target: Float32Array): void;
  close(): void;
}
