/**
 * Products with a frozen matrix of few bits, by ONNX Runtime's quantised product in float arithmetic. The kernel packs
 * the matrix once per session. A row's bits do not depend on the other rows, if there are at least two.
 *
 * A matrix is a sum of planes of four bits: one plane, or for eight bits two.
 */
import { assert } from "../../../core/index.ts";
import { add } from "./elementwise.ts";
import type { Graph, Value } from "./graph.ts";

/** Four bits of every number of a matrix (rows, columns) in blocks of 32: x = scale * (q - zero). */
export interface NibblePlane {
  /** Two numbers in a byte, the earlier one in the lower half: (rows, columns / 2). */
  readonly nibbles: Uint8Array;
  /** (rows, columns / 32). */
  readonly scales: Float32Array;
  readonly zero: 0 | 8;
}

const BLOCK = 32;
/** Float arithmetic. Faster levels round activations to eight bits, which turns rounding into large differences. */
const FLOAT_ARITHMETIC = 1;

interface PlaneValues {
  readonly nibbles: Value;
  readonly scales: Value;
  readonly zeros: Value | undefined;
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
    };
  });
  const weight: Value = { ...declared[0]!.nibbles, dtype: "float32", shape: [rows, columns] };
  planesOf.set(weight, declared);
  return weight;
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
  const products = planes.map(({ nibbles, scales, zeros }) => {
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
    return y;
  });
  return [...products, ...(bias ? [bias] : [])].reduce((a, b) => add(a, b));
}
