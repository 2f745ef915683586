/** 16-bit floats to 32-bit floats: bfloat16 is the upper half of a float32, IEEE half has its own exponent. */

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

export function widen(dtype: "F16" | "BF16", source: Uint16Array, target: Float32Array): void {
  const convert = dtype === "BF16" ? fromBfloat16 : fromHalf;
  for (let i = 0; i < source.length; i++) target[i] = convert(source[i]!);
}

function fromBfloat16(half: number): number {
  bits[0] = half << 16;
  return float[0]!;
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
