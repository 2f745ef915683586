/**
 * Reads and writes the safetensors format: eight bytes of header length, a JSON header of names, types, shapes and
 * byte ranges, then the bytes of all tensors end to end. Tensors are read one at a time, straight into the caller's
 * buffer.
 *
 * It writes F32 and BF16. It reads F32, F16 and BF16, widened to float32. A file must hold exactly the bytes that its
 * header promises, so an incomplete file is found before anything is used. Source:
 * https://github.com/huggingface/safetensors#format
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { z } from "zod";
import { BowlineError, errorMessage, formatSchema, formatValue } from "../../../core/index.ts";
import { forgetDigest, requireDigest } from "./digests.ts";
import { toBfloat16, widenToFloat32 } from "./half-floats.ts";
import { safetensorsFormat } from "./huggingface-format.ts";
import type { WeightFile } from "./weight-file.ts";

/** A named tensor for `writeSafetensors`. */
export interface TensorToWrite {
  readonly name: string;
  readonly shape: readonly number[];
  /**
   * The numbers, or a function that makes them when their turn comes, so that not all tensors need to exist at once.
   */
  readonly data: Float32Array | (() => Float32Array);
}

const BYTES_PER_NUMBER = { F32: 4, F16: 2, BF16: 2 } as const;
export type StoredType = keyof typeof BYTES_PER_NUMBER;

export interface StoredTensor {
  readonly dtype: StoredType;
  readonly shape: readonly number[];
  /** The position of its first byte in the file. */
  readonly position: number;
  readonly sizeBytes: number;
}

const MAX_HEADER_BYTES = 100 * 2 ** 20;
const CHUNK_BYTES = 4 * 2 ** 20;
const entrySchema = formatSchema(safetensorsFormat);

/** The type in which numbers are written: unchanged, or rounded to the nearest bfloat16. */
export type WrittenType = Exclude<StoredType, "F16">;

/** Writes and flushes a whole file. Readers must not look at `path` yet (see replace-directory.ts). */
export function writeSafetensors(
  path: string,
  tensors: readonly TensorToWrite[],
  dtype: WrittenType = "F32",
): void {
  forgetDigest(path);
  const file = openSync(path, "w");
  try {
    writeBytes(file, encodeHeader(tensors, dtype));
    for (const { data } of tensors) {
      const values = typeof data === "function" ? data() : data;
      const { buffer, byteOffset, byteLength } = dtype === "F32" ? values : toBfloat16(values);
      writeBytes(file, new Uint8Array(buffer, byteOffset, byteLength));
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function encodeHeader(tensors: readonly TensorToWrite[], dtype: WrittenType): Uint8Array {
  let end = 0;
  const entries = tensors.map(({ name, shape }) => {
    const start = end;
    end += shape.reduce((a, b) => a * b, BYTES_PER_NUMBER[dtype]);
    return [name, { dtype, shape, data_offsets: [start, end] }] as const;
  });
  const json = JSON.stringify({ __metadata__: { format: "pt" }, ...Object.fromEntries(entries) });
  const text = Buffer.from(json);
  const size = Math.ceil(text.length / 8) * 8;
  const out = Buffer.alloc(8 + size, " ");
  out.writeBigUInt64LE(BigInt(size));
  text.copy(out, 8);
  return out;
}

function writeBytes(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(file, bytes, at, Math.min(CHUNK_BYTES, bytes.length - at));
  }
}

/** An open safetensors file. It throws `checkpoint` errors that name it. */
export class SafetensorsFile implements WeightFile {
  readonly path: string;
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly #file: number;
  /** The buffer through which 16-bit tensors are widened. */
  #chunk: Uint16Array | undefined;

  constructor(path: string) {
    this.path = path;
    if (!existsSync(path)) throw new BowlineError("checkpoint", `${path} is missing`);
    this.#file = openSync(path, "r");
    try {
      this.tensors = this.#readHeader();
      requireDigest(path, this.#file);
    } catch (cause) {
      this.close();
      throw cause;
    }
  }

  /** Reads a tensor, widened to float32, into `target`, which must have exactly its elements. */
  read(name: string, target: Float32Array): void {
    const tensor = this.tensors.get(name);
    if (!tensor) throw this.#readError(`it has no tensor ${name}`);
    const width = BYTES_PER_NUMBER[tensor.dtype];
    if (tensor.sizeBytes / width !== target.length) {
      throw this.#readError(
        `${name} has ${tensor.sizeBytes / width} numbers, not ${target.length}`,
      );
    }
    this.#readNumbers(tensor, 0, target);
  }

  readRows(name: string, start: number, target: Float32Array): void {
    const tensor = this.tensors.get(name);
    if (!tensor) throw this.#readError(`it has no tensor ${name}`);
    this.#readNumbers(tensor, start * tensor.shape[1]!, target);
  }

  readBlocks(): boolean {
    return false;
  }

  /** Reads numbers of a tensor from number `start` on. */
  #readNumbers(tensor: StoredTensor, start: number, target: Float32Array): void {
    const position = tensor.position + start * BYTES_PER_NUMBER[tensor.dtype];
    if (tensor.dtype === "F32") {
      const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
      this.#readBytes(bytes, position);
      return;
    }
    this.#chunk ??= new Uint16Array(CHUNK_BYTES / 2);
    const chunk = this.#chunk;
    for (let at = 0; at < target.length; at += chunk.length) {
      const count = Math.min(chunk.length, target.length - at);
      this.#readBytes(new Uint8Array(chunk.buffer, 0, count * 2), position + at * 2);
      widenToFloat32(tensor.dtype, chunk.subarray(0, count), target.subarray(at, at + count));
    }
  }

  *readBytes(name: string): Generator<Uint8Array> {
    const tensor = this.tensors.get(name);
    if (!tensor) throw this.#readError(`it has no tensor ${name}`);
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, tensor.sizeBytes));
    for (let at = 0; at < tensor.sizeBytes; at += chunk.length) {
      const part = chunk.subarray(0, Math.min(chunk.length, tensor.sizeBytes - at));
      this.#readBytes(part, tensor.position + at);
      yield part;
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #readHeader(): Map<string, StoredTensor> {
    const { size } = fstatSync(this.#file);
    if (size < 8) throw this.#readError(`it has ${size} bytes, too few for a header`);
    const prefix = Buffer.alloc(8);
    this.#readBytes(prefix, 0);
    const length = Number(prefix.readBigUInt64LE());
    if (length > MAX_HEADER_BYTES || 8 + length > size) {
      throw this.#readError(`its header should have ${length} bytes, but the file has ${size}`);
    }
    const text = Buffer.alloc(length);
    this.#readBytes(text, 8);
    const { __metadata__: _, ...entries } = this.#parseHeader(text.toString("utf8"));
    const start = 8 + length;
    const tensors = new Map(
      Object.entries(entries).map(([name, entry]) => [
        name,
        this.#parseTensorEntry(name, entry, start),
      ]),
    );
    this.#checkRanges(tensors, start, size);
    return tensors;
  }

  #parseHeader(text: string): Record<string, unknown> {
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    } catch (cause) {
      throw this.#readError(
        `its header is not a JSON object (${errorMessage(cause).split("\n")[0]})`,
      );
    }
  }

  #parseTensorEntry(name: string, value: unknown, start: number): StoredTensor {
    const entry = entrySchema.safeParse(value);
    if (!entry.success) throw this.#readError(`the header of ${name} is malformed`);
    const { dtype, shape, data_offsets: range } = entry.data;
    if (!(dtype in BYTES_PER_NUMBER)) {
      throw this.#readError(
        `${name} is ${formatValue(dtype)}; expected one of ${Object.keys(BYTES_PER_NUMBER).join(", ")}`,
      );
    }
    const stored = dtype as StoredType;
    const expected = shape.reduce((a, b) => a * b, BYTES_PER_NUMBER[stored]);
    const sizeBytes = range[1] - range[0];
    if (sizeBytes !== expected) {
      throw this.#readError(
        `${name} should have ${expected} bytes, but its range has ${sizeBytes}`,
      );
    }
    return { dtype: stored, shape, position: start + range[0], sizeBytes };
  }

  /** Throws unless the tensors lie end to end and fill the file. */
  #checkRanges(tensors: ReadonlyMap<string, StoredTensor>, start: number, size: number): void {
    let end = start;
    for (const { position, sizeBytes } of [...tensors.values()].sort(compareByPosition)) {
      if (position !== end)
        throw this.#readError(`its tensors leave a gap or overlap at byte ${end}`);
      end += sizeBytes;
    }
    if (end !== size)
      throw this.#readError(
        `it should have ${end} bytes, but has ${size}; it is probably incomplete`,
      );
  }

  #readBytes(bytes: Uint8Array, position: number): void {
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(this.#file, bytes, at, bytes.length - at, position + at);
      if (count === 0)
        throw this.#readError(`it ends at byte ${position + at}; it is probably incomplete`);
      at += count;
    }
  }

  #readError(what: string): BowlineError {
    return new BowlineError("checkpoint", `cannot read ${this.path}: ${what}`);
  }
}

function compareByPosition(a: StoredTensor, b: StoredTensor): number {
  return a.position - b.position || a.sizeBytes - b.sizeBytes;
}
