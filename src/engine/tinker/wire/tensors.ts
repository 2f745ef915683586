/**
 * Tensors on the wire are flat little-endian bytes with an element type and a shape.
 *
 * In memory a tensor is what JSON has: numbers in row-major order with element type int64 or float32. Reading widens
 * int32 to int64 and bfloat16 to float32.
 */
import { packedIntegersField } from "../../onnx/proto/wire.ts";
import type { TensorData } from "./messages.ts";
import {
  type Bytes,
  bytesField,
  concatBytes,
  integerField,
  malformedProtobuf,
  readBytes,
  readFields,
  readInteger,
  readIntegers,
} from "./protobuf.ts";

/** The numbers that the SDK's protobuf descriptor gives to the element types (enum `DType`). */
const DTYPE_FLOAT32 = 1;
const DTYPE_INT64 = 2;
const DTYPE_INT32 = 3;
const DTYPE_BFLOAT16 = 4;

export interface TensorElements {
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

/** Writes a missing value (null) as NaN. */
export function packFloat32(values: ArrayLike<number | null>): Bytes {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (let i = 0; i < values.length; i++) view.setFloat32(i * 4, values[i] ?? Number.NaN, true);
  return new Uint8Array(view.buffer);
}

export const unpackInt32 = (source: Uint8Array, fieldPath: string) =>
  unpackValues(source, 4, fieldPath, (view, byteOffset) => view.getInt32(byteOffset, true));

export const unpackInt64 = (source: Uint8Array, fieldPath: string) =>
  unpackValues(source, 8, fieldPath, (view, byteOffset) =>
    Number(view.getBigInt64(byteOffset, true)),
  );

export const unpackFloat32 = (source: Uint8Array, fieldPath: string) =>
  unpackValues(source, 4, fieldPath, (view, byteOffset) => view.getFloat32(byteOffset, true));

function unpackValues(
  source: Uint8Array,
  valueBytes: number,
  fieldPath: string,
  read: (view: DataView, byteOffset: number) => number,
): number[] {
  if (source.length % valueBytes !== 0) {
    throw malformedProtobuf(
      fieldPath,
      `has ${source.length} bytes, which is not a whole number of ${valueBytes}-byte values`,
    );
  }
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  return Array.from({ length: source.length / valueBytes }, (_, i) => read(view, i * valueBytes));
}

/** Reads the values from raw bytes; `dtype` is the element type's number. */
export function unpackElements(
  source: Uint8Array,
  dtype: number,
  fieldPath: string,
): TensorElements {
  if (dtype === DTYPE_FLOAT32) return { dtype: "float32", data: unpackFloat32(source, fieldPath) };
  if (dtype === DTYPE_INT64) return { dtype: "int64", data: unpackInt64(source, fieldPath) };
  if (dtype === DTYPE_INT32) return { dtype: "int64", data: unpackInt32(source, fieldPath) };
  if (dtype === DTYPE_BFLOAT16)
    return { dtype: "float32", data: unpackBfloat16(source, fieldPath) };
  throw malformedProtobuf(fieldPath, `has the unknown element type ${dtype}`);
}

/** A bfloat16 is the upper half of a float32. */
function unpackBfloat16(source: Uint8Array, fieldPath: string): number[] {
  const float32View = new DataView(new ArrayBuffer(4));
  return unpackValues(source, 2, fieldPath, (view, byteOffset) => {
    float32View.setUint32(0, view.getUint16(byteOffset, true) << 16);
    return float32View.getFloat32(0);
  });
}

export function packElements({ dtype, data }: TensorElements): { code: number; payload: Bytes } {
  return dtype === "float32"
    ? { code: DTYPE_FLOAT32, payload: packFloat32(data) }
    : { code: DTYPE_INT64, payload: packInt64(data) };
}

/** Writes the message `Tensor`: field 1 is the dense values, 3 the element type, 4 the shape. */
export function encodeTensor({ dtype, data, shape }: TensorData): Bytes {
  const { code, payload } = packElements({ dtype, data });
  return concatBytes([
    bytesField(1, payload),
    integerField(3, code),
    packedIntegersField(4, shape ?? [data.length]),
  ]);
}

/** Throws on a sparse tensor: our callers never need one, and only the hosted service accepts one. */
export function decodeTensor(source: Uint8Array, fieldPath: string): TensorData {
  let elementBytes: Uint8Array = new Uint8Array(0);
  let dtype = 0;
  const shape: number[] = [];
  for (const field of readFields(source, fieldPath)) {
    if (field.number === 1) elementBytes = readBytes(field, fieldPath);
    if (field.number === 2)
      throw malformedProtobuf(fieldPath, "is sparse, expected a dense tensor");
    if (field.number === 3) dtype = readInteger(field, fieldPath);
    if (field.number === 4) shape.push(...readIntegers(field, fieldPath));
  }
  const elements = unpackElements(elementBytes, dtype, fieldPath);
  const size = shape.reduce((product, dim) => product * dim, 1);
  if (shape.length > 0 && size !== elements.data.length) {
    throw malformedProtobuf(
      fieldPath,
      `has ${elements.data.length} values in shape [${shape.join(", ")}]`,
    );
  }
  return { ...elements, shape: shape.length > 0 ? shape : [elements.data.length] };
}

/** Returns a one-dimensional float32 tensor. */
export function floatTensor(values: Iterable<number>): TensorData {
  const data = [...values];
  return { data, dtype: "float32", shape: [data.length] };
}
