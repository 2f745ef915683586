/**
 * ONNX models as plain data and their protobuf encoding.
 *
 * Only what our graphs use: nodes with scalar, list, string and tensor attributes, small constants as
 * initializers, typed inputs and outputs whose dimensions are numbers or symbols.
 * Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
import {
  type Bytes,
  bytes,
  concat,
  float,
  integer,
  message,
  packedFloats,
  packedIntegers,
  string,
} from "./wire.ts";

export type DType = "float32" | "int32" | "int64" | "bool";
/** A known size, or the name of a size that is known when the graph runs. */
export type Dim = number | string;

export interface ConstantTensor {
  readonly dtype: DType;
  readonly dims: readonly number[];
  readonly data: Float32Array | Int32Array | BigInt64Array | Uint8Array;
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
  /** An empty name leaves an optional input or output out. */
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

const ELEMENT_TYPE = { float32: 1, int32: 6, int64: 7, bool: 9 } as const satisfies Record<
  DType,
  number
>;
/** IR version 10 goes with opset 21. */
const IR_VERSION = 10;
const OPSETS = [
  { domain: "", version: 21 },
  { domain: "com.microsoft", version: 1 },
] as const;

/** ModelProto bytes, as `InferenceSession.create` takes them. */
export function encodeModel(graph: GraphDef): Bytes {
  return concat([
    integer(1, IR_VERSION),
    string(2, "bowline"),
    message(7, graphFields(graph)),
    ...OPSETS.map(({ domain, version }) => message(8, [string(1, domain), integer(2, version)])),
  ]);
}

function graphFields(graph: GraphDef): Bytes[] {
  return [
    ...graph.nodes.map((node) => message(1, nodeFields(node))),
    string(2, graph.name),
    ...[...graph.initializers].map(([name, tensor]) => message(5, tensorFields(tensor, name))),
    ...graph.inputs.map((value) => message(11, valueFields(value))),
    ...graph.outputs.map((value) => message(12, valueFields(value))),
  ];
}

function nodeFields(node: NodeDef): Bytes[] {
  return [
    ...node.inputs.map((name) => string(1, name)),
    ...node.outputs.map((name) => string(2, name)),
    string(3, node.name),
    string(4, node.type),
    ...Object.entries(node.attributes).map(([name, value]) =>
      message(5, attributeFields(name, value)),
    ),
    string(7, node.domain),
  ];
}

function attributeFields(name: string, value: Attribute): Bytes[] {
  const head = string(1, name);
  if ("float" in value) return [head, float(2, value.float), integer(20, 1)];
  if ("int" in value) return [head, integer(3, value.int), integer(20, 2)];
  if ("string" in value) return [head, string(4, value.string), integer(20, 3)];
  if ("tensor" in value) return [head, message(5, tensorFields(value.tensor, "")), integer(20, 4)];
  if ("floats" in value) return [head, packedFloats(7, value.floats), integer(20, 6)];
  return [head, packedIntegers(8, value.ints), integer(20, 7)];
}

function tensorFields(tensor: ConstantTensor, name: string): Bytes[] {
  const { buffer, byteOffset, byteLength } = tensor.data;
  return [
    packedIntegers(1, tensor.dims),
    integer(2, ELEMENT_TYPE[tensor.dtype]),
    string(8, name),
    bytes(9, new Uint8Array(buffer, byteOffset, byteLength)),
  ];
}

function valueFields(value: ValueInfo): Bytes[] {
  const dims = value.shape.map((dim) =>
    message(1, [typeof dim === "number" ? integer(1, dim) : string(2, dim)]),
  );
  const tensorType = message(1, [integer(1, ELEMENT_TYPE[value.dtype]), message(2, dims)]);
  return [string(1, value.name), message(2, [tensorType])];
}
