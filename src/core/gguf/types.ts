/**
 * Constants of the GGUF format: the kinds of metadata values, and the blocks into which each type of tensor packs its
 * elements. A block is a fixed number of elements of one row, in a fixed number of bytes. Source:
 * https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */

/** The kinds of metadata values. The index of a kind in this list is its number in the file. */
export const VALUE_KINDS = [
  "uint8",
  "int8",
  "uint16",
  "int16",
  "uint32",
  "int32",
  "float32",
  "bool",
  "string",
  "array",
  "uint64",
  "int64",
  "float64",
] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** A metadata value that was read. An integer that float64 cannot hold exactly is a bigint. */
export type GgufValue = number | bigint | boolean | string | readonly GgufValue[];

/** A metadata pair to write. The kind of an array names the kind of its elements. */
export type GgufEntry =
  | { readonly key: string; readonly kind: "uint32" | "int32" | "float32"; readonly value: number }
  | { readonly key: string; readonly kind: "bool"; readonly value: boolean }
  | { readonly key: string; readonly kind: "string"; readonly value: string }
  | { readonly key: string; readonly kind: "strings"; readonly value: readonly string[] }
  | {
      readonly key: string;
      readonly kind: "int32s" | "float32s";
      readonly value: readonly number[];
    };

interface TensorType {
  readonly id: number;
  /** The number of elements in a block. */
  readonly block: number;
  /** The number of bytes of a block. */
  readonly bytes: number;
}

/** All tensor types of the format. Types that we cannot read are listed too, so that errors can name them. */
export const TENSOR_TYPES = {
  F32: { id: 0, block: 1, bytes: 4 },
  F16: { id: 1, block: 1, bytes: 2 },
  Q4_0: { id: 2, block: 32, bytes: 18 },
  Q4_1: { id: 3, block: 32, bytes: 20 },
  Q5_0: { id: 6, block: 32, bytes: 22 },
  Q5_1: { id: 7, block: 32, bytes: 24 },
  Q8_0: { id: 8, block: 32, bytes: 34 },
  Q8_1: { id: 9, block: 32, bytes: 40 },
  Q2_K: { id: 10, block: 256, bytes: 84 },
  Q3_K: { id: 11, block: 256, bytes: 110 },
  Q4_K: { id: 12, block: 256, bytes: 144 },
  Q5_K: { id: 13, block: 256, bytes: 176 },
  Q6_K: { id: 14, block: 256, bytes: 210 },
  Q8_K: { id: 15, block: 256, bytes: 292 },
  IQ2_XXS: { id: 16, block: 256, bytes: 66 },
  IQ2_XS: { id: 17, block: 256, bytes: 74 },
  IQ3_XXS: { id: 18, block: 256, bytes: 98 },
  IQ1_S: { id: 19, block: 256, bytes: 50 },
  IQ4_NL: { id: 20, block: 32, bytes: 18 },
  IQ3_S: { id: 21, block: 256, bytes: 110 },
  IQ2_S: { id: 22, block: 256, bytes: 82 },
  IQ4_XS: { id: 23, block: 256, bytes: 136 },
  I8: { id: 24, block: 1, bytes: 1 },
  I16: { id: 25, block: 1, bytes: 2 },
  I32: { id: 26, block: 1, bytes: 4 },
  I64: { id: 27, block: 1, bytes: 8 },
  F64: { id: 28, block: 1, bytes: 8 },
  IQ1_M: { id: 29, block: 256, bytes: 56 },
  BF16: { id: 30, block: 1, bytes: 2 },
  TQ1_0: { id: 34, block: 256, bytes: 54 },
  TQ2_0: { id: 35, block: 256, bytes: 66 },
  MXFP4: { id: 39, block: 32, bytes: 17 },
} as const satisfies Readonly<Record<string, TensorType>>;
export type TensorTypeName = keyof typeof TENSOR_TYPES;

/** Returns the name of the tensor type with this number in the file. */
export function findTensorType(id: number): TensorTypeName | undefined {
  const names = Object.keys(TENSOR_TYPES) as TensorTypeName[];
  return names.find((name) => TENSOR_TYPES[name].id === id);
}

/** A row of the table of tensors: the tensor's type, dimensions and place in the file. */
export interface GgufTensor {
  readonly type: TensorTypeName;
  /**
   * The number of elements in each dimension. The dimension whose elements are adjacent in memory comes first. Other
   * formats write shapes in the reverse order.
   */
  readonly dims: readonly number[];
  /** The position of the first byte in the file. */
  readonly position: number;
  readonly sizeBytes: number;
}

export const GGUF_MAGIC = "GGUF";
export const DEFAULT_ALIGNMENT = 32;
export const MAX_DIMS = 4;

/** Returns the smallest multiple of `alignment` that is at least `position`. */
export function alignUp(position: number, alignment: number): number {
  return Math.ceil(position / alignment) * alignment;
}
