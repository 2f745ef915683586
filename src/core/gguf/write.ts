/**
 * Writes a GGUF file (version 3, little-endian): header first, then one tensor after another, each from what makes its
 * bytes when its turn comes, so that never more than one is held. The file appears under its name when it is whole.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { BowlineError, errorMessage } from "../errors.ts";
import {
  aligned,
  DEFAULT_ALIGNMENT,
  type GgufEntry,
  MAGIC,
  TENSOR_TYPES,
  type TensorTypeName,
  VALUE_KINDS,
  type ValueKind,
} from "./types.ts";

export interface GgufTensorToWrite {
  readonly name: string;
  readonly type: TensorTypeName;
  /** The fastest first. */
  readonly dims: readonly number[];
  /** Its blocks, all of them, in pieces of any length. */
  bytes(): Iterable<Uint8Array>;
}

const VERSION = 3;

/** Replaces `path` as a whole, or throws a `checkpoint` error and leaves it. */
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

/** Everything before the first tensor's bytes, padded to where they start. */
export function ggufHeader(
  entries: readonly GgufEntry[],
  tensors: readonly Omit<GgufTensorToWrite, "bytes">[],
): Uint8Array {
  const parts = [Buffer.from(MAGIC, "latin1"), u32(VERSION), u64(tensors.length)];
  parts.push(u64(entries.length), ...entries.flatMap(pair));
  let offset = 0;
  for (const { name, dims, type } of tensors) {
    parts.push(text(name), u32(dims.length), ...dims.map(u64), u32(TENSOR_TYPES[type].id));
    parts.push(u64(offset));
    offset = aligned(offset + sizeOf({ dims, type }), DEFAULT_ALIGNMENT);
  }
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat(parts, aligned(size, DEFAULT_ALIGNMENT));
}

function sizeOf({ dims, type }: Pick<GgufTensorToWrite, "dims" | "type">): number {
  const { block, bytes } = TENSOR_TYPES[type];
  return (dims.reduce((a, b) => a * b, 1) / block) * bytes;
}

function writeTensor(file: number, tensor: GgufTensorToWrite): void {
  let written = 0;
  for (const piece of tensor.bytes()) {
    writeAll(file, piece);
    written += piece.length;
  }
  const size = sizeOf(tensor);
  if (written !== size) throw new Error(`${tensor.name} has ${written} bytes, not ${size}`);
  writeAll(file, new Uint8Array(aligned(size, DEFAULT_ALIGNMENT) - size));
}

function pair(entry: GgufEntry): Buffer[] {
  const key = text(entry.key);
  switch (entry.kind) {
    case "uint32":
    case "int32":
    case "float32":
      return [key, kindOf(entry.kind), number(entry.kind, entry.value)];
    case "bool":
      return [key, kindOf("bool"), Buffer.of(Number(entry.value))];
    case "string":
      return [key, kindOf("string"), text(entry.value)];
    case "strings":
      return [key, ...arrayOf("string", entry.value.map(text))];
    case "int32s":
      return [
        key,
        ...arrayOf(
          "int32",
          entry.value.map((value) => number("int32", value)),
        ),
      ];
    case "float32s":
      return [
        key,
        ...arrayOf(
          "float32",
          entry.value.map((value) => number("float32", value)),
        ),
      ];
  }
}

function arrayOf(kind: ValueKind, elements: readonly Buffer[]): Buffer[] {
  return [kindOf("array"), kindOf(kind), u64(elements.length), Buffer.concat(elements)];
}

function number(kind: "uint32" | "int32" | "float32", value: number): Buffer {
  const out = Buffer.alloc(4);
  if (kind === "uint32") out.writeUInt32LE(value);
  else if (kind === "int32") out.writeInt32LE(value);
  else out.writeFloatLE(value);
  return out;
}

function kindOf(kind: ValueKind): Buffer {
  return u32(VALUE_KINDS.indexOf(kind));
}

function u32(value: number): Buffer {
  return number("uint32", value);
}

function u64(value: number): Buffer {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(value));
  return out;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "utf8");
  return Buffer.concat([u64(bytes.length), bytes]);
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
}
