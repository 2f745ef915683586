/**
 * Tensors on the wire: flat little-endian bytes with an element type and a shape.
 *
 * In memory a tensor is what JSON has: numbers in row-major order and one of two element types. Narrower types widen when
 * they are read (int32 to int64, bfloat16 to float32).
 */
import { packedIntegers } from "../../onnx/proto/wire.ts";
import type { TensorData } from "./messages.ts";
import {
  asBytes,
  asInteger,
  asIntegers,
  type Bytes,
  bytes,
  concat,
  integer,
  malformed,
  readFields,
} from "./protobuf.ts";

/** Numbers of `DType` in the descriptor. */
const FLOAT32 = 1;
const INT64 = 2;
const INT32 = 3;
const BFLOAT16 = 4;

export interface Elements {
  readonly dtype: TensorData["dtype"];
  readonly data: number[];
}

export function packInt32(values: ArrayLike<number>): Bytes {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (let i = 0; i < values.length; i++) view.setInt32(i * 4, values[i]!, true);
  return new Uint8Array(view.buffer);
}

export function packInt64(values: ArrayLike<number>): Bytes {
  const view = new DataView(new ArrayBuffer(values.length * 8));
  for (let i = 0; i < values.length; i++) view.setBigInt64(i * 8, BigInt(values[i]!), true);
  return new Uint8Array(view.buffer);
}

/** NaN stands for a missing value. */
export function packFloat32(values: ArrayLike<number | null>): Bytes {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (let i = 0; i < values.length; i++) view.setFloat32(i * 4, values[i] ?? Number.NaN, true);
  return new Uint8Array(view.buffer);
}

export const unpackInt32 = (source: Uint8Array, what: string) =>
  unpack(source, 4, what, (view, at) => view.getInt32(at, true));

export const unpackInt64 = (source: Uint8Array, what: string) =>
  unpack(source, 8, what, (view, at) => Number(view.getBigInt64(at, true)));

export const unpackFloat32 = (source: Uint8Array, what: string) =>
  unpack(source, 4, what, (view, at) => view.getFloat32(at, true));

function unpack(
  source: Uint8Array,
  size: number,
  what: string,
  read: (view: DataView, at: number) => number,
): number[] {
  if (source.length % size !== 0) {
    throw malformed(what, `has ${source.length} bytes, which are no whole values of ${size} bytes`);
  }
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  return Array.from({ length: source.length / size }, (_, i) => read(view, i * size));
}

/** The values of raw bytes by the number of their element type. */
export function elementsOf(source: Uint8Array, dtype: number, what: string): Elements {
  if (dtype === FLOAT32) return { dtype: "float32", data: unpackFloat32(source, what) };
  if (dtype === INT64) return { dtype: "int64", data: unpackInt64(source, what) };
  if (dtype === INT32) return { dtype: "int64", data: unpackInt32(source, what) };
  if (dtype === BFLOAT16) return { dtype: "float32", data: unpackBfloat16(source, what) };
  throw malformed(what, `has element type ${dtype}, which is none`);
}

/** A bfloat16 is the upper half of a float32. */
function unpackBfloat16(source: Uint8Array, what: string): number[] {
  const word = new DataView(new ArrayBuffer(4));
  return unpack(source, 2, what, (view, at) => {
    word.setUint32(0, view.getUint16(at, true) << 16);
    return word.getFloat32(0);
  });
}

export function packElements({ dtype, data }: Elements): { code: number; payload: Bytes } {
  return dtype === "float32"
    ? { code: FLOAT32, payload: packFloat32(data) }
    : { code: INT64, payload: packInt64(data) };
}

/** Fields of message `Tensor`: 1 dense, 3 dtype, 4 shape. */
export function encodeTensor({ dtype, data, shape }: TensorData): Bytes {
  const { code, payload } = packElements({ dtype, data });
  return concat([bytes(1, payload), integer(3, code), packedIntegers(4, shape ?? [data.length])]);
}

/** Throws on a sparse tensor: no caller of ours has one, and no server but the hosted one takes one. */
export function decodeTensor(source: Uint8Array, what: string): TensorData {
  let payload: Uint8Array = new Uint8Array(0);
  let dtype = 0;
  const shape: number[] = [];
  for (const field of readFields(source, what)) {
    if (field.number === 1) payload = asBytes(field, what);
    if (field.number === 2) throw malformed(what, "is sparse, expected a dense tensor");
    if (field.number === 3) dtype = asInteger(field, what);
    if (field.number === 4) shape.push(...asIntegers(field, what));
  }
  const elements = elementsOf(payload, dtype, what);
  const size = shape.reduce((product, dim) => product * dim, 1);
  if (shape.length > 0 && size !== elements.data.length) {
    throw malformed(what, `has ${elements.data.length} values in shape [${shape.join(", ")}]`);
  }
  return { ...elements, shape: shape.length > 0 ? shape : [elements.data.length] };
}

/** One dimension of float32. */
export function floatTensor(values: Iterable<number>): TensorData {
  const data = [...values];
  return { data, dtype: "float32", shape: [data.length] };
}
