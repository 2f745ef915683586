/**
 * Readers for the protobuf wire format, and the two writers that ONNX files do not need (doubles and maps).
 *
 * A message is a sequence of fields, each a key (number << 3 | wire type) and a payload. Readers skip unknown fields,
 * as proto3 asks, so they can read a newer service. A truncated message is an error that says where. Source:
 * https://protobuf.dev/programming-guides/encoding/
 */
import { BowlineError, truncateText } from "../../../core/index.ts";
import {
  type Bytes,
  bytesField,
  concatBytes,
  integerField,
  messageField,
  stringField,
} from "../../onnx/proto/wire.ts";

export { type Bytes, bytesField, concatBytes, integerField, messageField, stringField };

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * A field's number and its payload: a varint as a bigint, anything else as bytes (fixed64 and fixed32 are
 * little-endian).
 */
export interface Field {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/**
 * Returns a message's fields in order; payloads are views into `source`. Throws an `engine` error on truncated input.
 */
export function readFields(source: Uint8Array, messageName: string): Field[] {
  const reader = new FieldReader(source, messageName);
  const fields: Field[] = [];
  while (!reader.isAtEnd) {
    const key = reader.readVarint();
    const wireType = Number(key & 7n);
    const number = Number(key >> 3n);
    if (wireType === VARINT) fields.push({ number, value: reader.readVarint() });
    else fields.push({ number, value: reader.takeBytes(reader.readPayloadLength(wireType)) });
  }
  return fields;
}

class FieldReader {
  readonly #source: Uint8Array;
  readonly #what: string;
  #offset = 0;

  constructor(source: Uint8Array, what: string) {
    this.#source = source;
    this.#what = what;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#source.length;
  }

  readVarint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#source[this.#offset++];
      if (byte === undefined) this.#throwMalformed("ends within a number");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    return this.#throwMalformed("has a number of more than ten bytes");
  }

  readPayloadLength(wireType: number): number {
    if (wireType === BYTES) return Number(this.readVarint());
    if (wireType === FIXED64) return 8;
    if (wireType === FIXED32) return 4;
    return this.#throwMalformed(`has a field of wire type ${wireType}`);
  }

  takeBytes(length: number): Uint8Array {
    const end = this.#offset + length;
    if (end > this.#source.length)
      this.#throwMalformed(`ends ${end - this.#source.length} bytes early`);
    const view = this.#source.subarray(this.#offset, end);
    this.#offset = end;
    return view;
  }

  #throwMalformed(problem: string): never {
    throw malformedProtobuf(
      this.#what,
      `${problem}, at byte ${this.#offset} of ${this.#source.length}`,
    );
  }
}

const MAX_PATH_CHARACTERS = 200;

/** Returns an `engine` error of one line. A path holds keys of maps, which are any text. */
export function malformedProtobuf(fieldPath: string, problem: string): BowlineError {
  const path = truncateText(JSON.stringify(fieldPath).slice(1, -1), MAX_PATH_CHARACTERS);
  return new BowlineError("engine", `malformed protobuf: ${path} ${problem}`);
}

export function readBytes({ number, value }: Field, fieldPath: string): Uint8Array {
  if (typeof value !== "bigint") return value;
  throw malformedProtobuf(fieldPath, `has a number in field ${number}, expected bytes`);
}

/** Reads a signed integer. Throws when a JavaScript number cannot hold it exactly. */
export function readInteger({ number, value }: Field, fieldPath: string): number {
  if (typeof value !== "bigint") {
    throw malformedProtobuf(fieldPath, `has bytes in field ${number}, expected a number`);
  }
  const signed = Number(BigInt.asIntN(64, value));
  if (Number.isSafeInteger(signed)) return signed;
  throw malformedProtobuf(
    fieldPath,
    `has ${value} in field ${number}, which a JavaScript number cannot hold exactly`,
  );
}

export function readString(field: Field, fieldPath: string): string {
  const source = readBytes(field, fieldPath);
  try {
    return utf8.decode(source);
  } catch {
    throw malformedProtobuf(fieldPath, `has text in field ${field.number} that is not UTF-8`);
  }
}

export function readDouble(field: Field, fieldPath: string): number {
  const value = readBytes(field, fieldPath);
  if (value.length !== 8)
    throw malformedProtobuf(fieldPath, `has no 8-byte double in field ${field.number}`);
  return new DataView(value.buffer, value.byteOffset).getFloat64(0, true);
}

/** Reads repeated integers, which are packed into one field or, from older writers, one per field. */
export function readIntegers(field: Field, fieldPath: string): number[] {
  if (typeof field.value === "bigint") return [readInteger(field, fieldPath)];
  const reader = new FieldReader(field.value, fieldPath);
  const out: number[] = [];
  while (!reader.isAtEnd) out.push(Number(BigInt.asIntN(64, reader.readVarint())));
  return out;
}

/** Reads a map entry: a message with its key in field 1 and its value in field 2. An absent key is "". */
export function readMapEntry(
  field: Field,
  fieldPath: string,
): { key: string; value: Field | undefined } {
  let key = "";
  let value: Field | undefined;
  for (const part of readFields(readBytes(field, fieldPath), fieldPath)) {
    if (part.number === 1) key = readString(part, fieldPath);
    if (part.number === 2) value = part;
  }
  return { key, value };
}

export function writeDouble(field: number, value: number): Bytes {
  const payload = new Uint8Array(8);
  new DataView(payload.buffer).setFloat64(0, value, true);
  return concatBytes([Uint8Array.of((field << 3) | FIXED64), payload]);
}

/** Writes one entry of a `map<string, …>`: `value` becomes its field 2. */
export function writeMapEntry(field: number, key: string, value: Uint8Array): Bytes {
  return messageField(field, [stringField(1, key), value]);
}

/** Writes nothing for zero, proto3's default, so that the bytes equal those of other writers. */
export function writeIntegerUnlessZero(field: number, value: number): Bytes {
  return value === 0 ? new Uint8Array(0) : integerField(field, value);
}
