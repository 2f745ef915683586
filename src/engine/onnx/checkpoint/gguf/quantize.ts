/** Float32 to what we write: as it is, halves, or Q8_0 (blocks of 32: a half as scale, then 32 signed bytes). */
import { BowlineError } from "../../../../core/index.ts";
import { toHalf } from "../half.ts";

export type GgufDtype = "F32" | "F16" | "Q8_0";

const BLOCK = 32;
/** Elements written at a time; whole blocks. */
const CHUNK = 2 ** 18;
const LARGEST_HALF = 65_504;

/** `name` is for the message of a number that halves do not reach. Whole blocks of `values`. */
export function* bytesOf(
  dtype: GgufDtype,
  values: Float32Array,
  name: string,
): Generator<Uint8Array> {
  for (let at = 0; at < values.length; at += CHUNK) {
    const chunk = values.subarray(at, at + CHUNK);
    if (dtype !== "F32")
      requireHalves(chunk, name, dtype === "F16" ? LARGEST_HALF : LARGEST_HALF * 127);
    if (dtype === "Q8_0") yield toQ8(chunk);
    else {
      const { buffer, byteOffset, byteLength } = dtype === "F32" ? chunk : toHalf(chunk);
      yield new Uint8Array(buffer, byteOffset, byteLength);
    }
  }
}

function requireHalves(values: Float32Array, name: string, most: number): void {
  const beyond = values.find((value) => Math.abs(value) > most);
  if (beyond === undefined) return;
  throw new BowlineError("engine", `${name} holds ${beyond}, too large for it; take --dtype f32`);
}

/** As llama.cpp's reference does: q = x / d rounded, halves away from zero, where d = max |x| / 127, all in 32 bits. */
function toQ8(values: Float32Array): Uint8Array {
  const blocks = values.length / BLOCK;
  const out = new Uint8Array(blocks * (BLOCK + 2));
  const scales = new Float32Array(blocks);
  for (let b = 0; b < blocks; b++) {
    let largest = 0;
    for (let i = 0; i < BLOCK; i++) largest = Math.max(largest, Math.abs(values[b * BLOCK + i]!));
    scales[b] = largest / 127;
    const inverse = scales[b]! === 0 ? 0 : Math.fround(1 / scales[b]!);
    for (let i = 0; i < BLOCK; i++) {
      const x = Math.fround(values[b * BLOCK + i]! * inverse);
      out[b * (BLOCK + 2) + 2 + i] = x < 0 ? -Math.floor(0.5 - x) : Math.floor(x + 0.5);
    }
  }
  for (const [b, scale] of toHalf(scales).entries()) {
    out[b * (BLOCK + 2)] = scale & 255;
    out[b * (BLOCK + 2) + 1] = scale >> 8;
  }
  return out;
}
