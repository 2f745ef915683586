/**
 * Writes GGUF files (version 3, little-endian): first the header, then one tensor after the other. The bytes of a
 * tensor are computed when the tensor is written, so at most one tensor is in memory. The file gets its name only when
 * it is complete.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { BowlineError, errorMessage } from "../errors.ts";
import {
  alignUp,
  DEFAULT_ALIGNMENT,
  GGUF_MAGIC,
  type GgufEntry,
  TENSOR_TYPES,
  type TensorTypeName,
  VALUE_KINDS,
  type ValueKind,
} from "./types.ts";

export interface GgufTensorToWrite {
  readonly name: string;
  readonly type: TensorTypeName;
  /** The number of elements in each dimension. The dimension whose elements are adjacent in memory comes first. */
  readonly dims: readonly number[];
  /** Returns all bytes of the tensor, in pieces of any length. */
  bytes(): Iterable<Uint8Array>;
}

const VERSION = 3;

/**
 * Writes or replaces the file `path`. If that fails, it throws a `checkpoint` error and leaves the old file unchanged.
 */
export function writeGguf(
  path: string,
  entries: readonly GgufEntry[],
  tensors: readonly GgufTensorToWrite[],
): void {
  const partial = `${path}.partial`;
  try {
    const file = openSync(partial, "w");
    try {
      writeAll(file, ggufHeader(entries, tensors));
      for (const tensor of tensors) writeTensor(file, tensor);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, path);
  } catch (cause) {
    rmSync(partial, { force: true });
    throw new BowlineError("checkpoint", `cannot write ${path}: ${errorMessage(cause)}`, { cause });
  }
}

/** Returns all bytes before the first tensor, padded to the tensor's start. */
export function ggufHeader(
  entries: readonly GgufEntry[],
  tensors: readonly Omit<GgufTensorToWrite, "bytes">[],
): Uint8Array {
  const parts = [
    Buffer.from(GGUF_MAGIC, "latin1"),
    encodeUint32(VERSION),
    encodeUint64(tensors.length),
  ];
  parts.push(encodeUint64(entries.length), ...entries.flatMap(encodeEntry));
  let offset = 0;
  for (const { name, dims, type } of tensors) {
    parts.push(
      encodeString(name),
      encodeUint32(dims.length),
      ...dims.map(encodeUint64),
      encodeUint32(TENSOR_TYPES[type].id),
    );
    parts.push(encodeUint64(offset));
    offset = alignUp(offset + tensorSizeBytes({ dims, type }), DEFAULT_ALIGNMENT);
  }
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat(parts, alignUp(size, DEFAULT_ALIGNMENT));
}

function tensorSizeBytes({ dims, type }: Pick<GgufTensorToWrite, "dims" | "type">): number {
  const { block, bytes } = TENSOR_TYPES[type];
  return (dims.reduce((a, b) => a * b, 1) / block) * bytes;
}

function writeTensor(file: number, tensor: GgufTensorToWrite): void {
  let written = 0;
  for (const piece of tensor.bytes()) {
    writeAll(file, piece);
    written += piece.length;
  }
  const size = tensorSizeBytes(tensor);
  if (written !== size) throw new Error(`${tensor.name} has ${written} bytes, not ${size}`);
  writeAll(file, new Uint8Array(alignUp(size, DEFAULT_ALIGNMENT) - size));
}

function encodeEntry(entry: GgufEntry): Buffer[] {
  const key = encodeString(entry.key);
  switch (entry.kind) {
    case "uint32":
    case "int32":
    case "float32":
      return [key, encodeKind(entry.kind), encodeNumber(entry.kind, entry.value)];
    case "bool":
      return [key, encodeKind("bool"), Buffer.of(Number(entry.value))];
    case "string":
      return [key, encodeKind("string"), encodeString(entry.value)];
    case "strings":
      return [key, ...encodeArray("string", entry.value.map(encodeString))];
    case "int32s":
      return [
        key,
        ...encodeArray(
          "int32",
          entry.value.map((value) => encodeNumber("int32", value)),
        ),
      ];
    case "float32s":
      return [
        key,
        ...encodeArray(
          "float32",
          entry.value.map((value) => encodeNumber("float32", value)),
        ),
      ];
  }
}

function encodeArray(kind: ValueKind, elements: readonly Buffer[]): Buffer[] {
  return [
    encodeKind("array"),
    encodeKind(kind),
    encodeUint64(elements.length),
    Buffer.concat(elements),
  ];
}

function encodeNumber(kind: "uint32" | "int32" | "float32", value: number): Buffer {
  const out = Buffer.alloc(4);
  if (kind === "uint32") out.writeUInt32LE(value);
  else if (kind === "int32") out.writeInt32LE(value);
  else out.writeFloatLE(value);
  return out;
}

function encodeKind(kind: ValueKind): Buffer {
  return encodeUint32(VALUE_KINDS.indexOf(kind));
}

function encodeUint32(value: number): Buffer {
  return encodeNumber("uint32", value);
}

function encodeUint64(value: number): Buffer {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(value));
  return out;
}

function encodeString(value: string): Buffer {
  const bytes = Buffer.from(value, "utf8");
  return Buffer.concat([encodeUint64(bytes.length), bytes]);
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
}
