/**
 * ONNX models as plain data, and their protobuf encoding.
 *
 * It covers only what our graphs use: nodes with scalar, list, string and tensor attributes, small constants as
 * initializers, and typed inputs and outputs whose dimensions are numbers or symbols. Field numbers:
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
import {
  type Bytes,
  bytesField,
  concatBytes,
  floatField,
  integerField,
  messageField,
  packedFloatsField,
  packedIntegersField,
  stringField,
} from "./wire.ts";

export type DType = "float32" | "float64" | "uint8" | "int32" | "int64" | "bool";
/** A known size, or the name of a size that is known only when the graph runs. */
export type Dim = number | string;

export interface ConstantTensor {
  readonly dtype: DType;
  readonly dims: readonly number[];
  readonly data: Float32Array | Float64Array | Int32Array | BigInt64Array | Uint8Array;
  /** Whether the bytes are given to the runtime beside the model, under the tensor's name. */
  readonly isExternal?: boolean;
}

export type Attribute =
  | { readonly float: number }
  | { readonly int: number }
  | { readonly string: string }
  | { readonly ints: readonly number[] }
  | { readonly floats: readonly number[] }
  | { readonly tensor: ConstantTensor };

export interface NodeDef {
  readonly type: string;
  readonly domain: string;
  readonly name: string;
  /** An empty name omits an optional input or output. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

export interface ValueInfo {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly Dim[];
}

export interface GraphDef {
  readonly name: string;
  readonly nodes: readonly NodeDef[];
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
  readonly initializers: ReadonlyMap<string, ConstantTensor>;
}

/** The numbers of element types, which `Cast` takes as its attribute `to`. */
export const ELEMENT_TYPE = {
  float32: 1,
  uint8: 2,
  int32: 6,
  int64: 7,
  bool: 9,
  float64: 11,
} as const satisfies Record<DType, number>;
/** The value of a tensor's `data_location` when its bytes are elsewhere. */
const EXTERNAL = 1;
/** IR version 10 belongs to opset 21. */
const IR_VERSION = 10;
const OPSETS = [
  { domain: "", version: 21 },
  { domain: "com.microsoft", version: 1 },
] as const;

/** Returns the bytes of a ModelProto, as `InferenceSession.create` takes them. */
export function encodeModel(graph: GraphDef): Bytes {
  return concatBytes([
    integerField(1, IR_VERSION),
    stringField(2, "bowline"),
    messageField(7, encodeGraphFields(graph)),
    ...OPSETS.map(({ domain, version }) =>
      messageField(8, [stringField(1, domain), integerField(2, version)]),
    ),
  ]);
}

function encodeGraphFields(graph: GraphDef): Bytes[] {
  return [
    ...graph.nodes.map((node) => messageField(1, encodeNodeFields(node))),
    stringField(2, graph.name),
    ...[...graph.initializers].map(([name, tensor]) =>
      messageField(5, encodeTensorFields(tensor, name)),
    ),
    ...graph.inputs.map((value) => messageField(11, encodeValueFields(value))),
    ...graph.outputs.map((value) => messageField(12, encodeValueFields(value))),
  ];
}

function encodeNodeFields(node: NodeDef): Bytes[] {
  return [
    ...node.inputs.map((name) => stringField(1, name)),
    ...node.outputs.map((name) => stringField(2, name)),
    stringField(3, node.name),
    stringField(4, node.type),
    ...Object.entries(node.attributes).map(([name, value]) =>
      messageField(5, encodeAttributeFields(name, value)),
    ),
    stringField(7, node.domain),
  ];
}

function encodeAttributeFields(name: string, value: Attribute): Bytes[] {
  const head = stringField(1, name);
  if ("float" in value) return [head, floatField(2, value.float), integerField(20, 1)];
  if ("int" in value) return [head, integerField(3, value.int), integerField(20, 2)];
  if ("string" in value) return [head, stringField(4, value.string), integerField(20, 3)];
  if ("tensor" in value)
    return [head, messageField(5, encodeTensorFields(value.tensor, "")), integerField(20, 4)];
  if ("floats" in value) return [head, packedFloatsField(7, value.floats), integerField(20, 6)];
  return [head, packedIntegersField(8, value.ints), integerField(20, 7)];
}

function encodeTensorFields(tensor: ConstantTensor, name: string): Bytes[] {
  const { buffer, byteOffset, byteLength } = tensor.data;
  const head = [
    packedIntegersField(1, tensor.dims),
    integerField(2, ELEMENT_TYPE[tensor.dtype]),
    stringField(8, name),
  ];
  if (!tensor.isExternal) {
    return [...head, bytesField(9, new Uint8Array(buffer, byteOffset, byteLength))];
  }
  const place = { location: name, offset: "0", length: String(byteLength) };
  const entries = Object.entries(place).map(([key, value]) =>
    messageField(13, [stringField(1, key), stringField(2, value)]),
  );
  return [...head, ...entries, integerField(14, EXTERNAL)];
}

function encodeValueFields(value: ValueInfo): Bytes[] {
  const dims = value.shape.map((dim) =>
    messageField(1, [typeof dim === "number" ? integerField(1, dim) : stringField(2, dim)]),
  );
  const tensorType = messageField(1, [
    integerField(1, ELEMENT_TYPE[value.dtype]),
    messageField(2, dims),
  ]);
  return [stringField(1, value.name), messageField(2, [tensorType])];
}
