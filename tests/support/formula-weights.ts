/** Weights that golden files do not store: both sides make them from the integer formula of make_decoder.py. */

/** Returns element 0, 1, ... of the parameter with this number in alphabetical order. */
export function formulaWeights(index: number, size: number, isNorm: boolean): Float32Array {
  return Float32Array.from({ length: size }, (_, i) => {
    const scrambled = Math.imul(i + index * 1_000_003, 2654435761) >>> 0;
    return (scrambled / 2 ** 32 - 0.5) * 0.8 + (isNorm ? 1 : 0);
  });
}

/** A tensor to write. */
export interface FormulaTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** Returns tensors with the formula's weights. `first` is the number of the first in alphabetical order. */
export function formulaTensors(
  shapes: readonly { readonly name: string; readonly shape: readonly number[] }[],
  first = 0,
): FormulaTensor[] {
  const inOrder = [...shapes].sort((a, b) => (a.name < b.name ? -1 : 1));
  return inOrder.map(({ name, shape }, i) => {
    const size = shape.reduce((a, b) => a * b, 1);
    return { name, shape, data: formulaWeights(first + i, size, name.includes("norm")) };
  });
}

/** Returns the largest difference between two lists of the same length. */
export function largestGap(left: ArrayLike<number>, right: ArrayLike<number>): number {
  return Math.max(...Array.from(left, (x, i) => Math.abs(x - right[i]!)));
}
