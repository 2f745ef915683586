/**
 * Frozen matrices in four or eight bits: blocks of 32 numbers of a row, each with a scale. x = scale * (q - 8) with q
 * in 0..15, or with q in -128..127 x = scale * q.
 *
 * The four-bit layout is that of ONNX Runtime's quantised product: two numbers in a byte, the earlier one in the lower
 * half. The product has no float arithmetic for eight bits, so a number of eight bits is kept as two of four: q = 16
 * (high - 8) + low, and its product is the sum of two. Numbers of GGUF's Q4_0 and Q8_0 fit exactly.
 */
import { assert, BowlineError } from "../../../core/index.ts";
import type { NibblePlane } from "../graph/index.ts";
import type { FusedInput, Parameter } from "./store.ts";

/** The values of `engine.base`: how the frozen weights under LoRA are stored. */
export const BASE_TYPES = ["f32", "q8", "q4"] as const;
export type BaseType = (typeof BASE_TYPES)[number];
export type QuantizedType = Exclude<BaseType, "f32">;

/** Returns the bits of a number, without its share of a scale. */
export const bitsOf = (type: QuantizedType): 4 | 8 => (type === "q4" ? 4 : 8);

/** The numbers in a block. */
export const QUANTIZED_BLOCK = 32;

/** The rows of one matrix, or of several adjacent ones. */
export interface QuantizedRows {
  readonly type: QuantizedType;
  readonly rows: number;
  readonly columns: number;
  /** The lower four bits of q of eight bits, or q of four bits: (rows, columns / 2). */
  readonly nibbles: Uint8Array;
  /** The upper four bits of q + 128, with eight bits only: (rows, columns / 2). */
  readonly highNibbles: Uint8Array | undefined;
  /** (rows, columns / 32). */
  readonly scales: Float32Array;
}

/** How much was lost when floats became blocks. */
export interface QuantizationError {
  /** The sums of squares of the differences and of the weights. */
  squaredError: number;
  squaredWeights: number;
}

/** All matrices of a model, by the names of inputs and of parameters. */
export class QuantizedMatrices {
  readonly type: QuantizedType;
  readonly error: QuantizationError = { squaredError: 0, squaredWeights: 0 };
  readonly #byName = new Map<string, QuantizedRows>();
  #sizeBytes = 0;

  constructor(type: QuantizedType, inputs: readonly FusedInput[]) {
    this.type = type;
    for (const input of inputs) {
      if (!isMatrix(input)) continue;
      const whole = allocateRows(type, input);
      this.#byName.set(input.name, whole);
      this.#sizeBytes += (input.size / 2) * (type === "q8" ? 2 : 1) + whole.scales.byteLength;
      let start = 0;
      for (const part of input.parts) {
        const end = start + part.shape[0]!;
        this.#byName.set(part.name, sliceRows(whole, start, end));
        start = end;
      }
    }
  }

  /** Returns a matrix by the name of its input or parameter, in place. */
  get(name: string): QuantizedRows {
    const found = this.#byName.get(name);
    assert(found, `there is no quantised matrix ${name}`);
    return found;
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** The relative error of what was quantised from floats: the root of the squared error over the squared weights. */
  get relativeError(): number {
    const { squaredError, squaredWeights } = this.error;
    return squaredWeights === 0 ? 0 : Math.sqrt(squaredError / squaredWeights);
  }

  /** The bytes of all matrices, scales included. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Forgets the error, before other weights are loaded. */
  resetError(): void {
    Object.assign(this.error, { squaredError: 0, squaredWeights: 0 });
  }
}

/** Returns whether an input or parameter is a matrix, which is quantised, and not a norm or a bias. */
export function isMatrix({ shape }: Pick<Parameter, "shape">): boolean {
  return shape.length === 2;
}

function allocateRows(type: QuantizedType, { name, shape }: FusedInput): QuantizedRows {
  const [rows, columns] = shape as [number, number];
  if (columns % QUANTIZED_BLOCK !== 0) {
    throw new BowlineError(
      "config",
      `engine.base: ${type} needs widths that are multiples of ${QUANTIZED_BLOCK}, but ${name} has rows of ${columns} numbers; use engine.base f32`,
    );
  }
  return {
    type,
    rows,
    columns,
    nibbles: new Uint8Array((rows * columns) / 2),
    highNibbles: type === "q8" ? new Uint8Array((rows * columns) / 2) : undefined,
    scales: new Float32Array((rows * columns) / QUANTIZED_BLOCK),
  };
}

/** Returns rows `start` to `end` of a matrix, in place. */
export function sliceRows(matrix: QuantizedRows, start: number, end: number): QuantizedRows {
  const { columns, nibbles, highNibbles, scales } = matrix;
  const [bytes, blocks] = [columns / 2, columns / QUANTIZED_BLOCK];
  return {
    ...matrix,
    rows: end - start,
    nibbles: nibbles.subarray(start * bytes, end * bytes),
    highNibbles: highNibbles?.subarray(start * bytes, end * bytes),
    scales: scales.subarray(start * blocks, end * blocks),
  };
}

/** Returns the floats of a matrix, row-major, in `target` or in a new array. */
export function dequantizeRows(
  { type, rows, columns, nibbles, highNibbles, scales }: QuantizedRows,
  target: Float32Array = new Float32Array(rows * columns),
): Float32Array {
  const count = (rows * columns) / QUANTIZED_BLOCK;
  for (let block = 0, byte = 0, at = 0; block < count; block++) {
    const scale = scales[block]!;
    for (const end = byte + QUANTIZED_BLOCK / 2; byte < end; byte++, at += 2) {
      const pair = nibbles[byte]!;
      if (type === "q4") {
        target[at] = scale * ((pair & 15) - 8);
        target[at + 1] = scale * ((pair >> 4) - 8);
      } else {
        const high = highNibbles![byte]!;
        target[at] = scale * (((high & 15) - 8) * 16 + (pair & 15));
        target[at + 1] = scale * (((high >> 4) - 8) * 16 + (pair >> 4));
      }
    }
  }
  return target;
}

/**
 * Quantises floats into rows, as llama.cpp quantises to Q4_0 and Q8_0 except that scales keep 32 bits, and adds to
 * `error`. Four bits: the number of largest magnitude becomes -8, so its sign decides the scale's. Eight bits: it
 * becomes 127 or -127.
 */
export function quantizeRows(
  values: Float32Array,
  target: QuantizedRows,
  error: QuantizationError,
): void {
  const { type, scales } = target;
  for (let block = 0; block < scales.length; block++) {
    const start = block * QUANTIZED_BLOCK;
    let extreme = 0;
    for (let i = start; i < start + QUANTIZED_BLOCK; i++) {
      if (Math.abs(values[i]!) > Math.abs(extreme)) extreme = values[i]!;
    }
    scales[block] = type === "q4" ? extreme / -8 : Math.abs(extreme) / 127;
    const scale = scales[block]!;
    for (let i = start; i < start + QUANTIZED_BLOCK; i++) {
      const exact = scale === 0 ? 0 : values[i]! / scale;
      const q = type === "q4" ? Math.min(7, Math.floor(exact + 0.5)) : Math.round(exact);
      storeNumber(target, i, q);
      error.squaredError += (scale * q - values[i]!) ** 2;
      error.squaredWeights += values[i]! ** 2;
    }
  }
}

/** Stores q, -8..7 or -128..127, as number `index` of the rows. */
export function storeNumber(
  { nibbles, highNibbles }: QuantizedRows,
  index: number,
  q: number,
): void {
  const shift = (index & 1) * 4;
  const keep = 0xf0 >> shift;
  const byte = index >> 1;
  if (highNibbles === undefined) {
    nibbles[byte] = (nibbles[byte]! & keep) | ((q + 8) << shift);
    return;
  }
  const shifted = q + 128;
  nibbles[byte] = (nibbles[byte]! & keep) | ((shifted & 15) << shift);
  highNibbles[byte] = (highNibbles[byte]! & keep) | ((shifted >> 4) << shift);
}

/** Returns the bytes of a number of weights in matrices, scales included. */
export function baseBytesPerWeight(type: BaseType): number {
  const scale = 4 / QUANTIZED_BLOCK;
  return type === "f32" ? 4 : (type === "q4" ? 0.5 : 1) + scale;
}

/** Returns a matrix as the planes of four bits that the quantised product takes. */
export function toNibblePlanes({ nibbles, highNibbles, scales }: QuantizedRows): NibblePlane[] {
  if (highNibbles === undefined) return [{ nibbles, scales, zero: 8 }];
  const high = {
    nibbles: highNibbles,
    scales: scales.map((scale) => 16 * scale),
    zero: 8,
  } as const;
  return [high, { nibbles, scales, zero: 0 }];
}
