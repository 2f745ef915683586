/** An open file of tensors under Hugging Face's names, whatever its format; throws `checkpoint` errors that name it. */
export interface WeightFile {
  readonly path: string;
  readonly tensors: ReadonlyMap<string, { readonly shape: readonly number[] }>;
  /** Widens the tensor into `target`, which has exactly its elements. */
  read(name: string, target: Float32Array): void;
  close(): void;
}
