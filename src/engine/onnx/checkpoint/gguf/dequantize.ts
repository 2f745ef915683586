/**
 * Converts blocks of quantised numbers to float32. A block has a scale d (a 16-bit float), in some types a minimum m,
 * and integers of a few bits: x = d q, or d q + m. The K types are blocks of 256 numbers in sub-blocks, each with a
 * scale of six bits.
 *
 * The results equal those of llama.cpp and of the `gguf` Python package, bit by bit: tests/golden/gguf-blocks.json.
 */
import { TENSOR_TYPES, type TensorTypeName } from "../../../../core/gguf/index.ts";
import { getHalfValues, widenToFloat32 } from "../half-floats.ts";

export const READABLE_TYPES = [
  "F32",
  "F16",
  "BF16",
  "Q8_0",
  "Q4_0",
  "Q4_1",
  "Q5_0",
  "Q5_1",
  "Q4_K",
  "Q5_K",
  "Q6_K",
] as const satisfies readonly TensorTypeName[];
export type ReadableType = (typeof READABLE_TYPES)[number];

export function isReadableType(type: TensorTypeName): type is ReadableType {
  return (READABLE_TYPES as readonly string[]).includes(type);
}

/** Unpacks whole blocks, as many as `target` has elements for. */
export function dequantize(type: ReadableType, bytes: Uint8Array, target: Float32Array): void {
  if (type === "F32") {
    new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(bytes);
  } else if (type === "F16" || type === "BF16") {
    widenToFloat32(type, new Uint16Array(bytes.buffer, bytes.byteOffset, target.length), target);
  } else {
    const { block, bytes: size } = TENSOR_TYPES[type];
    const unpack = UNPACKERS[type];
    for (let i = 0; i < target.length / block; i++) unpack(bytes, i * size, target, i * block);
  }
}

/** Unpacks one block from `bytes[at]` to `out[to]`. */
type UnpackBlock = (bytes: Uint8Array, at: number, out: Float32Array, to: number) => void;

const UNPACKERS: Readonly<Record<Exclude<ReadableType, "F32" | "F16" | "BF16">, UnpackBlock>> = {
  Q8_0: unpackQ8,
  Q4_0: unpackQ4,
  Q4_1: unpackQ4WithMinimum,
  Q5_0: unpackQ5,
  Q5_1: unpackQ5WithMinimum,
  Q4_K: unpackQ4K,
  Q5_K: unpackQ5K,
  Q6_K: unpackQ6K,
};

function readHalf(bytes: Uint8Array, at: number): number {
  return getHalfValues()[bytes[at]! | (bytes[at + 1]! << 8)]!;
}

function toSignedByte(byte: number): number {
  return (byte << 24) >> 24;
}

function unpackQ8(bytes: Uint8Array, at: number, out: Float32Array, to: number): void {
  const d = readHalf(bytes, at);
  for (let i = 0; i < 32; i++) out[to + i] = d * toSignedByte(bytes[at + 2 + i]!);
}

/** Unpacks Q4_0: the lower halves of sixteen bytes are the first sixteen numbers, the upper halves the others. */
function unpackQ4(bytes: Uint8Array, at: number, out: Float32Array, to: number): void {
  const d = readHalf(bytes, at);
  for (let i = 0; i < 16; i++) {
    const byte = bytes[at + 2 + i]!;
    out[to + i] = d * ((byte & 15) - 8);
    out[to + 16 + i] = d * ((byte >> 4) - 8);
  }
}

function unpackQ4WithMinimum(bytes: Uint8Array, at: number, out: Float32Array, to: number): void {
  const [d, least] = [readHalf(bytes, at), readHalf(bytes, at + 2)];
  for (let i = 0; i < 16; i++) {
    const byte = bytes[at + 4 + i]!;
    out[to + i] = d * (byte & 15) + least;
    out[to + 16 + i] = d * (byte >> 4) + least;
  }
}

/** Unpacks Q5_0: like Q4_0, with the fifth bits of all 32 numbers before the bytes. */
function unpackQ5(bytes: Uint8Array, at: number, out: Float32Array, to: number): void {
  const d = readHalf(bytes, at);
  for (let i = 0; i < 16; i++) {
    const byte = bytes[at + 6 + i]!;
    out[to + i] = d * (((byte & 15) | fifthBit(bytes, at + 2, i)) - 16);
    out[to + 16 + i] = d * (((byte >> 4) | fifthBit(bytes, at + 2, i + 16)) - 16);
  }
}

function unpackQ5WithMinimum(bytes: Uint8Array, at: number, out: Float32Array, to: number): void {
  const [d, least] = [readHalf(bytes, at), readHalf(bytes, at + 2)];
  for (let i = 0; i < 16; i++) {
    const byte = bytes[at + 8 + i]!;
    out[to + i] = d * ((byte & 15) | fifthBit(bytes, at + 4, i)) + least;
    out[to + 16 + i] = d * ((byte >> 4) | fifthBit(bytes, at + 4, i + 16)) + least;
  }
}

function fifthBit(bytes: Uint8Array, at: number, i: number): number {
  return ((bytes[at + (i >> 3)]! >> (i & 7)) & 1) << 4;
}

/** Returns the six-bit scale of sub-block j. For j >= 4, its upper two bits are in the bytes of earlier scales. */
function readSubBlockScale(bytes: Uint8Array, at: number, j: number): number {
  if (j < 4) return bytes[at + j]! & 63;
  return (bytes[at + j + 4]! & 15) | ((bytes[at + j - 4]! >> 6) << 4);
}

function readSubBlockMinimum(bytes: Uint8Array, at: number, j: number): number {
  if (j < 4) return bytes[at + j + 4]! & 63;
  return (bytes[at + j + 4]! >> 4) | ((bytes[at + j]! >> 6) << 4);
}

/** Unpacks Q4_K: d, the scale of the minimums, 12 bytes of scales and minimums, and 128 bytes of 4-bit numbers. */
function unpackQ4K(bytes: Uint8Array, at: number, out: Float32Array, to: number): void {
  const [d, leasts] = [readHalf(bytes, at), readHalf(bytes, at + 2)];
  for (let j = 0; j < 8; j++) {
    const scale = d * readSubBlockScale(bytes, at + 4, j);
    const least = leasts * readSubBlockMinimum(bytes, at + 4, j);
    const from = at + 16 + (j >> 1) * 32;
    const shift = (j & 1) * 4;
    for (let i = 0; i < 32; i++) {
      out[to + j * 32 + i] = scale * ((bytes[from + i]! >> shift) & 15) - least;
    }
  }
}

/** Unpacks Q5_K: like Q4_K, with 32 bytes between scales and numbers, whose bit j is the fifth bit in sub-block j. */
function unpackQ5K(bytes: Uint8Array, at: number, out: Float32Array, to: number): void {
  const [d, leasts] = [readHalf(bytes, at), readHalf(bytes, at + 2)];
  for (let j = 0; j < 8; j++) {
    const scale = d * readSubBlockScale(bytes, at + 4, j);
    const least = leasts * readSubBlockMinimum(bytes, at + 4, j);
    const from = at + 48 + (j >> 1) * 32;
    const shift = (j & 1) * 4;
    for (let i = 0; i < 32; i++) {
      const high = ((bytes[at + 16 + i]! >> j) & 1) << 4;
      out[to + j * 32 + i] = scale * (((bytes[from + i]! >> shift) & 15) | high) - least;
    }
  }
}

/** Unpacks Q6_K: 128 bytes of lower four bits, 64 of upper two bits, 16 signed scales (each for 16 numbers), and d. */
function unpackQ6K(bytes: Uint8Array, at: number, out: Float32Array, to: number): void {
  const d = readHalf(bytes, at + 208);
  for (let i = 0; i < 256; i++) {
    const [part, within] = [i >> 7, i & 127];
    const [quarter, l] = [within >> 5, within & 31];
    const low = bytes[at + part * 64 + (quarter & 1) * 32 + l]! >> ((quarter >> 1) * 4);
    const high = bytes[at + 128 + part * 32 + l]! >> (quarter * 2);
    const scale = toSignedByte(bytes[at + 192 + (i >> 4)]!);
    out[to + i] = d * scale * (((low & 15) | ((high & 3) << 4)) - 32);
  }
}
