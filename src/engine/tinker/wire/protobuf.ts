/**
 * Reading the protobuf wire format, and the two writers that ONNX files did not need (doubles and maps).
 *
 * A message is a run of fields, each a key (number << 3 | wire type) and a payload. Unknown fields are passed over, as
 * proto3 asks, so a newer service can be read; a torn message is an error that says where.
 * Source: https://protobuf.dev/programming-guides/encoding/
 */
import { BowlineError } from "../../../core/index.ts";
import { type Bytes, bytes, concat, integer, message, string } from "../../onnx/proto/wire.ts";

export { type Bytes, bytes, concat, integer, message, string };

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** What a field carries: a varint, or bytes (fixed64 and fixed32 too, little-endian). */
export interface Field {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** The fields of a message in order. The payloads are views into `source`. Throws an `engine` error on torn input. */
export function readFields(source: Uint8Array, what: string): Field[] {
  const reader = new Reader(source, what);
  const fields: Field[] = [];
  while (!reader.atEnd) {
    const key = reader.varint();
    const wireType = Number(key & 7n);
    const number = Number(key >> 3n);
    if (wireType === VARINT) fields.push({ number, value: reader.varint() });
    else fields.push({ number, value: reader.take(reader.lengthOf(wireType)) });
  }
  return fields;
}

class Reader {
  readonly #source: Uint8Array;
  readonly #what: string;
  #offset = 0;

  constructor(source: Uint8Array, what: string) {
    this.#source = source;
    this.#what = what;
  }

  get atEnd(): boolean {
    return this.#offset >= this.#source.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#source[this.#offset++];
      if (byte === undefined) this.#fail("ends within a number");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    return this.#fail("has a number of more than ten bytes");
  }

  lengthOf(wireType: number): number {
    if (wireType === BYTES) return Number(this.varint());
    if (wireType === FIXED64) return 8;
    if (wireType === FIXED32) return 4;
    return this.#fail(`has a field of wire type ${wireType}`);
  }

  take(length: number): Uint8Array {
    const end = this.#offset + length;
    if (end > this.#source.length) this.#fail(`ends ${end - this.#source.length} bytes early`);
    const view = this.#source.subarray(this.#offset, end);
    this.#offset = end;
    return view;
  }

  #fail(why: string): never {
    throw malformed(this.#what, `${why}, at byte ${this.#offset} of ${this.#source.length}`);
  }
}

export function malformed(what: string, why: string): BowlineError {
  return new BowlineError("engine", `malformed protobuf: ${what} ${why}`);
}

export function asBytes({ number, value }: Field, what: string): Uint8Array {
  if (typeof value !== "bigint") return value;
  throw malformed(what, `has a number in field ${number}, expected bytes`);
}

/** A signed integer that a double holds exactly. */
export function asInteger({ number, value }: Field, what: string): number {
  if (typeof value !== "bigint") {
    throw malformed(what, `has bytes in field ${number}, expected a number`);
  }
  const signed = Number(BigInt.asIntN(64, value));
  if (Number.isSafeInteger(signed)) return signed;
  throw malformed(what, `has ${value} in field ${number}, which no double holds`);
}

export function asString(field: Field, what: string): string {
  const source = asBytes(field, what);
  try {
    return utf8.decode(source);
  } catch {
    throw malformed(what, `has text in field ${field.number} that is not UTF-8`);
  }
}

export function asDouble(field: Field, what: string): number {
  const value = asBytes(field, what);
  if (value.length !== 8) throw malformed(what, `has no double in field ${field.number}`);
  return new DataView(value.buffer, value.byteOffset).getFloat64(0, true);
}

/** Repeated integers: packed, or one a field as older writers have it. */
export function asIntegers(field: Field, what: string): number[] {
  if (typeof field.value === "bigint") return [asInteger(field, what)];
  const reader = new Reader(field.value, what);
  const out: number[] = [];
  while (!reader.atEnd) out.push(Number(BigInt.asIntN(64, reader.varint())));
  return out;
}

/** A map entry is a message of key 1 and value 2; an absent key is "". */
export function asEntry(field: Field, what: string): { key: string; value: Field | undefined } {
  let key = "";
  let value: Field | undefined;
  for (const part of readFields(asBytes(field, what), what)) {
    if (part.number === 1) key = asString(part, what);
    if (part.number === 2) value = part;
  }
  return { key, value };
}

export function double(field: number, value: number): Bytes {
  const payload = new Uint8Array(8);
  new DataView(payload.buffer).setFloat64(0, value, true);
  return concat([Uint8Array.of((field << 3) | FIXED64), payload]);
}

/** One entry of a `map<string, …>`; `value` is written as field 2. */
export function entry(field: number, key: string, value: Uint8Array): Bytes {
  return message(field, [string(1, key), value]);
}

/** Fields whose value is proto3's default are not written, so that bytes equal those of other writers. */
export function unlessZero(field: number, value: number): Bytes {
  return value === 0 ? new Uint8Array(0) : integer(field, value);
}
