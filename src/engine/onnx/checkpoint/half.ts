/**
 * 16-bit floats to 32-bit floats and back, as bits: bfloat16 is the upper half of a float32; IEEE half has an
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
  const values = halfValues();
  for (let i = 0; i < source.length; i++) target[i] = values[source[i]!]!;
}

/** What each of the 65,536 halves means. */
export function halfValues(): Float32Array {
  halfTable ??= Float32Array.from({ length: 2 ** 16 }, (_, half) => fromHalf(half));
  return halfTable;
}

let halfTable: Float32Array | undefined;

/** To the nearest half, ties to the even one. What is larger than the largest, 65,504, becomes infinite. */
export function toHalf(source: Float32Array): Uint16Array {
  const bits = new Uint32Array(source.buffer, source.byteOffset, source.length);
  return Uint16Array.from(bits, halfOf);
}

function halfOf(word: number): number {
  const sign = (word >>> 16) & 0x8000;
  const size = word & 0x7fffffff;
  if (size > 0x7f800000) return sign | 0x7e00;
  if (size >= 0x47800000) return sign | 0x7c00;
  // The exponent's bias goes from 127 to 15; a carry out of the fraction raises it, as rounding should.
  if (size >= 0x38800000) return sign | ((size - 0x38000000 + 0xfff + ((size >>> 13) & 1)) >>> 13);
  return sign | subnormalHalf(size);
}

/** Below 2^-14 halves are 2^-24 apart. */
function subnormalHalf(size: number): number {
  const exponent = size >>> 23;
  if (exponent < 102) return 0;
  const shift = 126 - exponent;
  const fraction = (size & 0x7fffff) | 0x800000;
  const kept = fraction >>> shift;
  const rest = fraction - kept * 2 ** shift;
  const half = 2 ** (shift - 1);
  return rest > half || (rest === half && kept % 2 === 1) ? kept + 1 : kept;
}

/** Sign, 5 bits of exponent (bias 15), 10 bits of fraction; exponent 0 is subnormal, 31 is infinity or NaN. */
function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
