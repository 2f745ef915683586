/** Matrix products. Transposed operands are read in place, never copied. */
import { assert } from "../../../core/index.ts";
import { reduceSum, unbroadcast } from "./broadcast.ts";
import type { Value } from "./graph.ts";
import { broadcastShape, show } from "./shapes.ts";

export interface MatmulOptions {
  /** Reads the last two axes of `a` (or `b`) swapped. */
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
  /** Multiplies the product; free. */
  readonly scale?: number;
}

/** (..., m, k) @ (..., k, n) -> (..., m, n); leading axes broadcast. Both operands have rank 2 or more. */
export function matmul(a: Value, b: Value, options: MatmulOptions = {}): Value {
  const { transposeA = false, transposeB = false, scale = 1 } = options;
  const [m, k] = lastTwo(a, transposeA);
  const [k2, n] = lastTwo(b, transposeB);
  assert(k === k2, `matmul of ${show(a.shape)} and ${show(b.shape)}: inner sizes ${k} and ${k2}`);
  const batch = broadcastShape(a.shape.slice(0, -2), b.shape.slice(0, -2));
  const output = { dtype: a.dtype, shape: [...batch, m, n] };
  const plain = !transposeA && !transposeB && scale === 1;
  const y = plain
    ? a.graph.emit("MatMul", [a, b], [output])[0]!
    : a.graph.emit("FusedMatMul", [a, b], [output], {
        domain: "com.microsoft",
        attributes: {
          transA: { int: transposeA ? 1 : 0 },
          transB: { int: transposeB ? 1 : 0 },
          alpha: { float: scale },
        },
      })[0]!;
  a.graph.differentiable([a, b], [y], ([dy]) => {
    const da = transposeA
      ? matmul(b, dy!, { transposeA: transposeB, transposeB: true, scale })
      : matmul(dy!, b, { transposeB: !transposeB, scale });
    const db = transposeB
      ? matmul(dy!, a, { transposeA: true, transposeB: transposeA, scale })
      : matmul(a, dy!, { transposeA: !transposeA, scale });
    return [unbroadcast(da, a.shape), unbroadcast(db, b.shape)];
  });
  return y;
}

function lastTwo(x: Value, swapped: boolean) {
  assert(x.shape.length >= 2, `matmul of a value of shape ${show(x.shape)}`);
  const [rows, columns] = [x.shape.at(-2)!, x.shape.at(-1)!];
  return swapped ? ([columns, rows] as const) : ([rows, columns] as const);
}

/** x (n, in) @ weight (out, in) transposed + bias (out): the layout in which Hugging Face keeps weights. */
export function linear(x: Value, weight: Value, bias?: Value): Value {
  if (!bias) return matmul(x, weight, { transposeB: true });
  const y = x.graph.emit(
    "Gemm",
    [x, weight, bias],
    [{ dtype: x.dtype, shape: [x.shape[0]!, weight.shape[0]!] }],
    {
      attributes: { transB: { int: 1 } },
    },
  )[0]!;
  x.graph.differentiable([x, weight, bias], [y], ([dy]) => [
    matmul(dy!, weight),
    matmul(dy!, x, { transposeA: true }),
    reduceSum(dy!, [0]),
  ]);
  return y;
}
