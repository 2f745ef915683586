/**
 * Converts 16-bit floats to 32-bit floats and back, as bits. bfloat16 is the upper half of a float32. IEEE half has
 * its own exponent, and all its 65,536 values come from a table that is made when first needed.
 */

/**
 * Rounds to the nearest bfloat16. A tie goes to the one whose last bit is 0, as in PyTorch and hardware. A number
 * larger than the largest becomes infinite, and NaN stays NaN.
 */
export function toBfloat16(source: Float32Array): Uint16Array {
  const bits = new Uint32Array(source.buffer, source.byteOffset, source.length);
  return Uint16Array.from(bits, (word) => {
    const notNumber = (word & 0x7fffffff) > 0x7f800000;
    // NaN keeps its upper half and is made quiet, because rounding could carry it into an infinity.
    if (notNumber) return (word >>> 16) | 0x40;
    return (word + 0x7fff + ((word >>> 16) & 1)) >>> 16;
  });
}

/** Converts 16-bit floats to float32. */
export function widenToFloat32(
  dtype: "F16" | "BF16",
  source: Uint16Array,
  target: Float32Array,
): void {
  const bits = new Uint32Array(target.buffer, target.byteOffset, target.length);
  if (dtype === "BF16") {
    for (let i = 0; i < source.length; i++) bits[i] = source[i]! << 16;
    return;
  }
  const values = getHalfValues();
  for (let i = 0; i < source.length; i++) target[i] = values[source[i]!]!;
}

/** Returns the table of the values of all 65,536 IEEE halves. */
export function getHalfValues(): Float32Array {
  halfTable ??= Float32Array.from({ length: 2 ** 16 }, (_, half) => decodeHalf(half));
  return halfTable;
}

let halfTable: Float32Array | undefined;

/** Rounds to the nearest IEEE half, with ties to even. A number larger than the largest, 65,504, becomes infinite. */
export function toHalf(source: Float32Array): Uint16Array {
  const bits = new Uint32Array(source.buffer, source.byteOffset, source.length);
  return Uint16Array.from(bits, roundToHalf);
}

function roundToHalf(word: number): number {
  const sign = (word >>> 16) & 0x8000;
  const size = word & 0x7fffffff;
  if (size > 0x7f800000) return sign | 0x7e00;
  if (size >= 0x47800000) return sign | 0x7c00;
  // The exponent's bias changes from 127 to 15. A carry out of the fraction raises the exponent, as rounding should.
  if (size >= 0x38800000) return sign | ((size - 0x38000000 + 0xfff + ((size >>> 13) & 1)) >>> 13);
  return sign | roundToSubnormalHalf(size);
}

/** Rounds a number below 2^-14, where halves are 2^-24 apart. */
function roundToSubnormalHalf(size: number): number {
  const exponent = size >>> 23;
  if (exponent < 102) return 0;
  const shift = 126 - exponent;
  const fraction = (size & 0x7fffff) | 0x800000;
  const kept = fraction >>> shift;
  const rest = fraction - kept * 2 ** shift;
  const half = 2 ** (shift - 1);
  return rest > half || (rest === half && kept % 2 === 1) ? kept + 1 : kept;
}

/** Decodes a half: sign, 5 bits of exponent (bias 15), 10 of fraction. Exponent 0 is subnormal, 31 infinity or NaN. */
function decodeHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
