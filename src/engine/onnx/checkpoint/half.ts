/**
 * 16-bit floats to 32-bit floats and, for bfloat16, back, as bits: bfloat16 is the upper half of a float32; IEEE half has an
 * exponent of its own, and all its 65,536 values come from a table that is made at first need.
 */

/**
 * To the nearest bfloat16; of two that are equally near, the one whose last bit is 0, as PyTorch and the hardware round.
 * What is larger than the largest becomes infinite; NaN stays NaN.
 */
export function toBfloat16(source: Float32Array): Uint16Array {
  const bits = new Uint32Array(source.buffer, source.byteOffset, source.length);
  return Uint16Array.from(bits, (word) => {
    const notNumber = (word & 0x7fffffff) > 0x7f800000;
    // It keeps its upper half, and is made quiet: rounding could carry it into an infinity.
    if (notNumber) return (word >>> 16) | 0x40;
    return (word + 0x7fff + ((word >>> 16) & 1)) >>> 16;
  });
}

export function widen(dtype: "F16" | "BF16", source: Uint16Array, target: Float32Array): void {
  const bits = new Uint32Array(target.buffer, target.byteOffset, target.length);
  if (dtype === "BF16") {
    for (let i = 0; i < source.length; i++) bits[i] = source[i]! << 16;
    return;
  }
  halfTable ??= Float32Array.from({ length: 2 ** 16 }, (_, half) => fromHalf(half));
  for (let i = 0; i < source.length; i++) target[i] = halfTable[source[i]!]!;
}

let halfTable: Float32Array | undefined;

/** Sign, 5 bits of exponent (bias 15), 10 bits of fraction; exponent 0 is subnormal, 31 is infinity or NaN. */
function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
