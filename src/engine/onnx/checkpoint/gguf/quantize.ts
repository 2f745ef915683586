/** Converts float32 to what we write: float32, halves, or Q8_0 (blocks of a half as scale and 32 signed bytes). */
import { BowlineError } from "../../../../core/index.ts";
import { toHalf } from "../half-floats.ts";

export type GgufDtype = "F32" | "F16" | "Q8_0";

const BLOCK_ELEMENTS = 32;
/** The elements that are written at a time. They are whole blocks. */
const CHUNK_ELEMENTS = 2 ** 18;
const LARGEST_HALF = 65_504;

/** Yields the bytes of `values` in chunks of whole blocks. An `engine` error names a tensor with too large numbers. */
export function* encodeTensorData(
  dtype: GgufDtype,
  values: Float32Array,
  name: string,
): Generator<Uint8Array> {
  for (let at = 0; at < values.length; at += CHUNK_ELEMENTS) {
    const chunk = values.subarray(at, at + CHUNK_ELEMENTS);
    if (dtype !== "F32")
      requireWithinRange(chunk, name, dtype === "F16" ? LARGEST_HALF : LARGEST_HALF * 127);
    if (dtype === "Q8_0") yield quantizeToQ8(chunk);
    else {
      const { buffer, byteOffset, byteLength } = dtype === "F32" ? chunk : toHalf(chunk);
      yield new Uint8Array(buffer, byteOffset, byteLength);
    }
  }
}

function requireWithinRange(values: Float32Array, name: string, maxMagnitude: number): void {
  const beyond = values.find((value) => Math.abs(value) > maxMagnitude);
  if (beyond === undefined) return;
  throw new BowlineError(
    "engine",
    `${name} holds ${beyond}, which is too large for this type; use --dtype f32`,
  );
}

/** Quantises as llama.cpp does: q = x / d, d = max |x| / 127, in 32 bits, rounded with ties away from zero. */
function quantizeToQ8(values: Float32Array): Uint8Array {
  const blocks = values.length / BLOCK_ELEMENTS;
  const out = new Uint8Array(blocks * (BLOCK_ELEMENTS + 2));
  const scales = new Float32Array(blocks);
  for (let b = 0; b < blocks; b++) {
    let largest = 0;
    for (let i = 0; i < BLOCK_ELEMENTS; i++)
      largest = Math.max(largest, Math.abs(values[b * BLOCK_ELEMENTS + i]!));
    scales[b] = largest / 127;
    const inverse = scales[b]! === 0 ? 0 : Math.fround(1 / scales[b]!);
    for (let i = 0; i < BLOCK_ELEMENTS; i++) {
      const x = Math.fround(values[b * BLOCK_ELEMENTS + i]! * inverse);
      out[b * (BLOCK_ELEMENTS + 2) + 2 + i] = x < 0 ? -Math.floor(0.5 - x) : Math.floor(x + 0.5);
    }
  }
  for (const [b, scale] of toHalf(scales).entries()) {
    out[b * (BLOCK_ELEMENTS + 2)] = scale & 255;
    out[b * (BLOCK_ELEMENTS + 2) + 1] = scale >> 8;
  }
  return out;
}
