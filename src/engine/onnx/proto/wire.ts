/**
 * The part of the protobuf wire format that is needed to write ONNX.
 *
 * A message is a sequence of fields. A field is a key (number << 3 | wire type) and a payload. The functions below
 * return the bytes of one field, so a nested message is a length followed by its concatenated fields. Source:
 * https://protobuf.dev/programming-guides/encoding/
 */
export type Bytes = Uint8Array<ArrayBuffer>;

const textEncoder = new TextEncoder();

/** Encodes a signed 64-bit integer as a base-128 varint. Negative numbers take ten bytes. */
function encodeVarint(value: number | bigint): number[] {
  let rest = BigInt.asUintN(64, BigInt(value));
  const out: number[] = [];
  while (rest >= 0x80n) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  out.push(Number(rest));
  return out;
}

function encodeFieldKey(field: number, wireType: 0 | 2 | 5): number[] {
  return encodeVarint((field << 3) | wireType);
}

export function integerField(field: number, value: number | bigint): Bytes {
  return Uint8Array.from([...encodeFieldKey(field, 0), ...encodeVarint(value)]);
}

export function floatField(field: number, value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return concatBytes([Uint8Array.from(encodeFieldKey(field, 5)), bytes]);
}

export function bytesField(field: number, payload: Uint8Array): Bytes {
  return concatBytes([
    Uint8Array.from([...encodeFieldKey(field, 2), ...encodeVarint(payload.length)]),
    payload,
  ]);
}

export function stringField(field: number, value: string): Bytes {
  return bytesField(field, textEncoder.encode(value));
}

export function messageField(field: number, parts: readonly Uint8Array[]): Bytes {
  return bytesField(field, concatBytes(parts));
}

/** Encodes repeated integers in the packed form that proto3 readers expect. */
export function packedIntegersField(field: number, values: readonly (number | bigint)[]): Bytes {
  return bytesField(field, Uint8Array.from(values.flatMap((value) => encodeVarint(value))));
}

/** Encodes repeated float32 numbers in the packed form. */
export function packedFloatsField(field: number, values: readonly number[]): Bytes {
  return bytesField(field, new Uint8Array(Float32Array.from(values).buffer));
}

export function concatBytes(parts: readonly Uint8Array[]): Bytes {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}
