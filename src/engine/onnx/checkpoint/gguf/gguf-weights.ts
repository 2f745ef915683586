/**
 * Reads the weights of a GGUF file under Hugging Face's names, in Hugging Face's order of rows, widened to float32.
 * Blocks are read and unpacked a few mebibytes at a time, straight into their place.
 */

import { GgufShards, type GgufTensor, TENSOR_TYPES } from "../../../../core/gguf/index.ts";
import { BowlineError } from "../../../../core/index.ts";
import type { ModelConfig, QuantizedRows } from "../../model/index.ts";
import type { WeightFile } from "../weight-file.ts";
import { dequantize, isReadableType, READABLE_TYPES } from "./dequantize.ts";
import { describeGgufModel, type GgufDescription, ROPE_FACTORS_TENSOR } from "./gguf-config.ts";
import { unpackBlocks } from "./quantized-blocks.ts";
import { hasRotaryPairs, separateRotaryPairs, toHuggingFaceName } from "./tensor-names.ts";

/** The type of GGUF whose blocks are those of a quantised base. */
const BLOCKS_OF = { q4: "Q4_0", q8: "Q8_0" } as const;

const CHUNK_BYTES = 4 * 2 ** 20;

interface StoredGgufTensor {
  readonly name: string;
  readonly tensor: GgufTensor;
  /** The shape as Hugging Face writes it, with the slowest dimension first. */
  readonly shape: readonly number[];
  readonly dtype: string;
}

/** An open GGUF file with a model's weights. It throws `checkpoint` errors that name the file. */
export class GgufWeights implements WeightFile {
  readonly path: string;
  readonly tensors: ReadonlyMap<string, StoredGgufTensor>;
  readonly #file: GgufShards;
  readonly #config: ModelConfig;
  /** Whether the rows of rotary pairs are adjacent. */
  readonly #hasInterleavedPairs: boolean;
  #chunk: Uint8Array | undefined;

  constructor(path: string) {
    this.path = path;
    this.#file = new GgufShards(path);
    try {
      const { config, architecture } = describeGgufModel(this.#file);
      this.#config = config;
      this.#hasInterleavedPairs = architecture === "llama";
      this.tensors = this.#listTensors();
    } catch (cause) {
      this.close();
      throw cause;
    }
  }

  get config(): ModelConfig {
    return this.#config;
  }

  read(name: string, target: Float32Array): void {
    const stored = this.tensors.get(name);
    if (!stored) throw this.#readError(`it has no tensor ${name}`);
    const { shape } = stored;
    const size = shape.reduce((a, b) => a * b, 1);
    if (size !== target.length) {
      throw this.#readError(`${name} has ${size} numbers, not ${target.length}`);
    }
    this.#readTensor(stored, 0, target);
    if (this.#hasInterleavedPairs && hasRotaryPairs(name)) {
      separateRotaryPairs(target, this.#config.headSize, shape[1] ?? 1);
    }
  }

  readRows(name: string, start: number, target: Float32Array): void {
    const stored = this.tensors.get(name);
    if (!stored) throw this.#readError(`it has no tensor ${name}`);
    const width = stored.shape[1]!;
    this.#readTensor(stored, start * width, target);
    if (this.#hasInterleavedPairs && hasRotaryPairs(name)) {
      separateRotaryPairs(target, this.#config.headSize, width);
    }
  }

  readBlocks(name: string, start: number, target: QuantizedRows): boolean {
    const stored = this.tensors.get(name);
    if (!stored) throw this.#readError(`it has no tensor ${name}`);
    const { type } = stored.tensor;
    if (BLOCKS_OF[target.type] !== type) return false;
    const { block, bytes } = TENSOR_TYPES[type];
    const rowBytes = (target.columns / block) * bytes;
    const packed = new Uint8Array(target.rows * rowBytes);
    this.#file.readTensor(stored.name, start * rowBytes, packed);
    if (this.#hasInterleavedPairs && hasRotaryPairs(name)) {
      separateRotaryPairs(packed, this.#config.headSize, rowBytes);
    }
    unpackBlocks(packed, target);
    return true;
  }

  *readBytes(name: string): Generator<Uint8Array> {
    const stored = this.tensors.get(name);
    if (!stored) throw this.#readError(`it has no tensor ${name}`);
    const { sizeBytes } = stored.tensor;
    for (let at = 0; at < sizeBytes; at += CHUNK_BYTES) {
      const part = new Uint8Array(Math.min(CHUNK_BYTES, sizeBytes - at));
      this.#file.readTensor(stored.name, at, part);
      yield part;
    }
  }

  close(): void {
    this.#file.close();
  }

  /** Reads numbers of a tensor from number `start` on, which begins a block. */
  #readTensor(
    { name, tensor: { type } }: StoredGgufTensor,
    start: number,
    target: Float32Array,
  ): void {
    if (!isReadableType(type)) return;
    if (type === "F32") {
      const { buffer, byteOffset, byteLength } = target;
      this.#file.readTensor(name, 4 * start, new Uint8Array(buffer, byteOffset, byteLength));
      return;
    }
    const { block, bytes } = TENSOR_TYPES[type];
    this.#chunk ??= new Uint8Array(CHUNK_BYTES);
    const blocks = Math.floor(CHUNK_BYTES / bytes);
    for (let at = 0; at < target.length; at += blocks * block) {
      const part = target.subarray(at, at + blocks * block);
      const packed = this.#chunk.subarray(0, (part.length / block) * bytes);
      this.#file.readTensor(name, ((start + at) / block) * bytes, packed);
      dequantize(type, packed, part);
    }
  }

  #listTensors(): Map<string, StoredGgufTensor> {
    const named = new Map<string, StoredGgufTensor>();
    for (const [name, tensor] of this.#file.tensors) {
      if (name === ROPE_FACTORS_TENSOR) continue;
      if (!isReadableType(tensor.type)) {
        throw this.#readError(
          `${name} is ${tensor.type}; expected one of ${READABLE_TYPES.join(", ")}`,
        );
      }
      const shape = [...tensor.dims].reverse();
      named.set(toHuggingFaceName(name), { name, tensor, shape, dtype: tensor.type });
    }
    return named;
  }

  #readError(what: string): BowlineError {
    return new BowlineError("checkpoint", `cannot read ${this.path}: ${what}`);
  }
}

/** Reads the model config of a GGUF file, and which of its keys are not obeyed. */
export function loadGgufDescription(path: string): GgufDescription {
  const file = new GgufShards(path);
  try {
    return describeGgufModel(file);
  } finally {
    file.close();
  }
}
