/**
 * The protobuf wire format, as much of it as writing ONNX needs.
 *
 * A message is a sequence of fields; a field is a key (number << 3 | wire type) and a payload. Writers below
 * return byte chunks, so a nested message is the concatenation of its fields behind a length.
 * Source: https://protobuf.dev/programming-guides/encoding/
 */
export type Bytes = Uint8Array<ArrayBuffer>;

const text = new TextEncoder();

/** A signed 64-bit integer as a base-128 varint (negative numbers take ten bytes). */
function varint(value: number | bigint): number[] {
  let rest = BigInt.asUintN(64, BigInt(value));
  const out: number[] = [];
  while (rest >= 0x80n) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  out.push(Number(rest));
  return out;
}

function key(field: number, wireType: 0 | 2 | 5): number[] {
  return varint((field << 3) | wireType);
}

export function integer(field: number, value: number | bigint): Bytes {
  return Uint8Array.from([...key(field, 0), ...varint(value)]);
}

export function float(field: number, value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return concat([Uint8Array.from(key(field, 5)), bytes]);
}

export function bytes(field: number, payload: Uint8Array): Bytes {
  return concat([Uint8Array.from([...key(field, 2), ...varint(payload.length)]), payload]);
}

export function string(field: number, value: string): Bytes {
  return bytes(field, text.encode(value));
}

export function message(field: number, parts: readonly Uint8Array[]): Bytes {
  return bytes(field, concat(parts));
}

/** Repeated integers in the packed form that proto3 readers expect. */
export function packedIntegers(field: number, values: readonly (number | bigint)[]): Bytes {
  return bytes(field, Uint8Array.from(values.flatMap((value) => varint(value))));
}

/** Repeated floats, packed. */
export function packedFloats(field: number, values: readonly number[]): Bytes {
  return bytes(field, new Uint8Array(Float32Array.from(values).buffer));
}

export function concat(parts: readonly Uint8Array[]): Bytes {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}
