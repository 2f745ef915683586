/**
 * Products with a frozen matrix of few bits, by ONNX Runtime's quantised product in float arithmetic. The kernel packs
 * the matrix once per session. A row's bits do not depend on the other rows, if there are at least two.
 *
 * A matrix is a sum of planes of four bits: one plane, or for eight bits two. On a device the planes are inputs, so
 * that all graphs read one copy of them there, and a graph may also unpack a matrix to floats.
 */
import { assert } from "../../../core/index.ts";
import { add, mul } from "./elementwise.ts";
import type { Graph, Value } from "./graph.ts";

/** Four bits of every number of a matrix (rows, columns) in blocks of 32: x = scale * (q - zero). */
export interface NibblePlane {
  /** Two numbers in a byte, the earlier one in the lower half: (rows, columns / 2). */
  readonly nibbles: Uint8Array;
  /** (rows, columns / 32). */
  readonly scales: Float32Array;
  readonly zero: 0 | 8;
}

export const BLOCK = 32;
/** Float arithmetic. Faster levels round activations to eight bits, which turns rounding into large differences. */
const FLOAT_ARITHMETIC = 1;

export interface PlaneValues {
  readonly nibbles: Value;
  readonly scales: Value;
  readonly zeros: Value | undefined;
  /** A factor of the plane's numbers. */
  readonly factor: number;
}

const planesOf = new WeakMap<Value, readonly PlaneValues[]>();

/**
 * Declares a frozen matrix (rows, columns) as a constant of the graph. Only `linear` and `linearMaps` read the result,
 * as their weight.
 */
export function declareQuantizedWeight(
  graph: Graph,
  name: string,
  [rows, columns]: readonly [number, number],
  planes: readonly NibblePlane[],
): Value {
  const blocks = columns / BLOCK;
  const declared = planes.map(({ nibbles, scales, zero }, i): PlaneValues => {
    const own = i === 0 ? name : `${name}:${i}`;
    const zeroBytes = Math.ceil(blocks / 2);
    return {
      nibbles: graph.constantData(own, {
        dtype: "uint8",
        dims: [rows, blocks, BLOCK / 2],
        data: nibbles,
      }),
      scales: graph.constantData(`${own}.scales`, {
        dtype: "float32",
        dims: [rows, blocks],
        data: scales,
      }),
      zeros:
        zero === 8
          ? undefined
          : graph.constantData(`${own}.zeros`, {
              dtype: "uint8",
              dims: [rows, zeroBytes],
              data: new Uint8Array(rows * zeroBytes),
            }),
      factor: 1,
    };
  });
  const weight: Value = { ...declared[0]!.nibbles, dtype: "float32", shape: [rows, columns] };
  planesOf.set(weight, declared);
  return weight;
}

/** How a graph on a device reads a matrix: in a product, or unpacked to floats by rows. */
export type DeviceMatrixUse = "product" | "rows";

/** A plane of a matrix on a device. */
export interface DevicePlane {
  /** The name of the input with the nibbles. With `.scales` and `.zeros` it names the other inputs. */
  readonly name: string;
  readonly factor: number;
  readonly hasZeros: boolean;
}

/** Returns the planes of a matrix of 4 or 8 bits. Of eight bits, the upper four count 16 times and the lower from 0. */
export function devicePlanes(name: string, bits: 4 | 8): DevicePlane[] {
  if (bits === 4) return [{ name, factor: 1, hasZeros: false }];
  return [
    { name: `${name}:high`, factor: 16, hasZeros: false },
    { name, factor: 1, hasZeros: true },
  ];
}

/** Returns the sizes of a plane's inputs, by the end of their names. */
export function devicePlaneShapes(
  [rows, columns]: readonly [number, number],
  use: DeviceMatrixUse,
): Readonly<Record<"" | ".scales" | ".zeros", readonly number[]>> {
  const blocks = columns / BLOCK;
  return {
    "": use === "product" ? [rows, blocks, BLOCK / 2] : [rows, columns / 2],
    ".scales": [rows, blocks],
    ".zeros": [rows, Math.ceil(blocks / 2)],
  };
}

/** Declares a frozen matrix (rows, columns) as inputs of a graph on a device. */
export function declareDeviceMatrix(
  graph: Graph,
  name: string,
  shape: readonly [number, number],
  bits: 4 | 8,
  use: DeviceMatrixUse,
): Value {
  const shapes = devicePlaneShapes(shape, use);
  const planes = devicePlanes(name, bits).map(
    ({ name: own, factor, hasZeros }): PlaneValues => ({
      nibbles: graph.addInput(own, "uint8", shapes[""]),
      scales: graph.addInput(`${own}.scales`, "float32", shapes[".scales"]),
      zeros: hasZeros ? graph.addInput(`${own}.zeros`, "uint8", shapes[".zeros"]) : undefined,
      factor,
    }),
  );
  const weight: Value = { ...planes[0]!.nibbles, dtype: "float32", shape };
  planesOf.set(weight, planes);
  return weight;
}

/** Returns the planes of a declared matrix. */
export function declaredPlanes(weight: Value): readonly PlaneValues[] {
  const planes = planesOf.get(weight);
  assert(planes, `${weight.name} has no planes`);
  return planes;
}

/** Returns x (n, columns) times a transposed quantised weight, plus the bias, or undefined for a weight of floats. */
export function quantizedProduct(
  x: Value,
  weight: Value,
  bias: Value | undefined,
): Value | undefined {
  const planes = planesOf.get(weight);
  if (!planes) return undefined;
  const [rows, columns] = weight.shape as [number, number];
  const products = planes.map(({ nibbles, scales, zeros, factor }) => {
    const inputs = [x, nibbles, scales, ...(zeros ? [zeros] : [])];
    const output = { dtype: x.dtype, shape: [x.shape[0]!, rows] };
    const [y] = x.graph.emit("MatMulNBits", inputs, [output], {
      domain: "com.microsoft",
      attributes: {
        K: { int: columns },
        N: { int: rows },
        bits: { int: 4 },
        block_size: { int: BLOCK },
        accuracy_level: { int: FLOAT_ARITHMETIC },
      },
    });
    assert(y, "the quantised product has one output");
    return factor === 1 ? y : mul(y, x.graph.scalar(factor));
  });
  return [...products, ...(bias ? [bias] : [])].reduce((a, b) => add(a, b));
}
