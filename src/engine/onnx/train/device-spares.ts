/**
 * Tensors on the device that are used again. Residual streams and their cotangents have the same size in every layer
 * of a microbatch, and a driver takes about as long for a new buffer as for twenty kernels.
 */
import { allocateOnDevice, freeOnDevice, type Tensor, viewOnDevice } from "../graph/index.ts";

export class DeviceSpares {
  /** Tensors that nobody uses, by their number of elements. */
  readonly #spares = new Map<number, Tensor[]>();

  /** Returns a tensor of these sizes with any contents. */
  async take(dims: readonly number[]): Promise<Tensor> {
    const spare = this.#spares.get(countElements(dims))?.pop();
    return spare ? viewOnDevice(spare, dims) : allocateOnDevice(dims);
  }

  /** Takes back a tensor that is not used any more. */
  give(tensor: Tensor): void {
    const count = countElements(tensor.dims);
    this.#spares.set(count, [...(this.#spares.get(count) ?? []), tensor]);
  }

  /** Frees spare tensors of all sizes, or of all but one. */
  free(butOf?: readonly number[]): void {
    const kept = butOf && countElements(butOf);
    for (const [count, tensors] of this.#spares) {
      if (count === kept) continue;
      for (const each of tensors) freeOnDevice(each);
      this.#spares.delete(count);
    }
  }
}

function countElements(dims: readonly number[]): number {
  return dims.reduce((a, b) => a * b, 1);
}
