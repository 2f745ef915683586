/**
 * The weights in a GGUF file under Hugging Face's names, in Hugging Face's order of rows, widened to float32. Blocks are read
 * and unpacked a few mebibytes at a time, straight into their place.
 */
import { BowlineError, GgufFile, type GgufTensor, TENSOR_TYPES } from "../../../../core/index.ts";
import type { ModelConfig } from "../../model/index.ts";
import type { WeightFile } from "../weight-file.ts";
import { dequantize, isReadType, READ_TYPES } from "./blocks.ts";
import { architectureOf, configOf, ROPE_FACTORS } from "./config.ts";
import { hasPairs, huggingFaceName, separatePairs } from "./names.ts";

const CHUNK_BYTES = 4 * 2 ** 20;

interface Stored {
  readonly tensor: GgufTensor;
  /** As Hugging Face writes it: the slowest dimension first. */
  readonly shape: readonly number[];
}

/** Throws `checkpoint` errors that name the file. */
export class GgufWeights implements WeightFile {
  readonly path: string;
  readonly tensors: ReadonlyMap<string, Stored>;
  readonly #file: GgufFile;
  readonly #config: ModelConfig;
  /** Whether rotary pairs stand side by side. */
  readonly #paired: boolean;
  #chunk: Uint8Array | undefined;

  constructor(path: string) {
    this.path = path;
    this.#file = new GgufFile(path);
    try {
      this.#config = configOf(this.#file);
      this.#paired = architectureOf(this.#file) === "llama";
      this.tensors = this.#named();
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
    if (!stored) throw this.#error(`it has no tensor ${name}`);
    const { tensor, shape } = stored;
    const size = shape.reduce((a, b) => a * b, 1);
    if (size !== target.length) {
      throw this.#error(`${name} has ${size} numbers, not ${target.length}`);
    }
    this.#unpack(tensor, target);
    if (this.#paired && hasPairs(name)) {
      separatePairs(target, this.#config.headSize, shape[1] ?? 1);
    }
  }

  close(): void {
    this.#file.close();
  }

  #unpack({ type, position }: GgufTensor, target: Float32Array): void {
    if (!isReadType(type)) return;
    if (type === "F32") {
      const { buffer, byteOffset, byteLength } = target;
      this.#file.readAt(position, new Uint8Array(buffer, byteOffset, byteLength));
      return;
    }
    const { block, bytes } = TENSOR_TYPES[type];
    this.#chunk ??= new Uint8Array(CHUNK_BYTES);
    const blocks = Math.floor(CHUNK_BYTES / bytes);
    for (let at = 0; at < target.length; at += blocks * block) {
      const part = target.subarray(at, at + blocks * block);
      const packed = this.#chunk.subarray(0, (part.length / block) * bytes);
      this.#file.readAt(position + (at / block) * bytes, packed);
      dequantize(type, packed, part);
    }
  }

  #named(): Map<string, Stored> {
    const named = new Map<string, Stored>();
    for (const [name, tensor] of this.#file.tensors) {
      if (name === ROPE_FACTORS) continue;
      if (!isReadType(tensor.type)) {
        throw this.#error(`${name} is ${tensor.type}; expected one of ${READ_TYPES.join(", ")}`);
      }
      named.set(huggingFaceName(name), { tensor, shape: [...tensor.dims].reverse() });
    }
    return named;
  }

  #error(what: string): BowlineError {
    return new BowlineError("checkpoint", `cannot read ${this.path}: ${what}`);
  }
}

/** The model config of a file. */
export function loadGgufConfig(path: string): ModelConfig {
  const file = new GgufFile(path);
  try {
    return configOf(file);
  } finally {
    file.close();
  }
}
