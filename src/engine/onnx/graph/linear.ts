/** Matrix products. On the CPU transposed operands are read in place and never copied. */
import { assert } from "../../../core/index.ts";
import type { Dim } from "../proto/index.ts";
import { filled, reshape, unbroadcast } from "./broadcast.ts";
import { getProvider } from "./current-provider.ts";
import { add } from "./elementwise.ts";
import type { Shape, Value } from "./graph.ts";
import { quantizedProduct } from "./quantized-product.ts";
import { broadcastShapes, formatShape, isSameShape } from "./shapes.ts";

export interface MatmulOptions {
  /** Reads `a` (or `b`) with its last two axes swapped. */
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
  /** A factor of the product. It costs no time. */
  readonly scale?: number;
}

/** The operands of each rank-2 product without a scale, so that a sum can be folded into the product. */
const foldableProducts = new WeakMap<
  Value,
  { a: Value; b: Value; transA: number; transB: number }
>();

/** Multiplies (..., m, k) by (..., k, n) to (..., m, n). Leading axes broadcast. Both operands have rank 2 or more. */
export function matmul(a: Value, b: Value, options: MatmulOptions = {}): Value {
  const { transposeA = false, transposeB = false, scale = 1 } = options;
  const [m, k] = lastTwoSizes(a, transposeA);
  const [k2, n] = lastTwoSizes(b, transposeB);
  assert(
    k === k2,
    `matmul of ${formatShape(a.shape)} and ${formatShape(b.shape)}: inner sizes ${k} and ${k2}`,
  );
  const batch = broadcastShapes(a.shape.slice(0, -2), b.shape.slice(0, -2));
  const output = { dtype: a.dtype, shape: [...batch, m, n] };
  const y = emitProduct(a, b, output, { transposeA, transposeB, scale });
  if (scale === 1 && y.shape.length === 2) {
    foldableProducts.set(y, { a, b, transA: transposeA ? 1 : 0, transB: transposeB ? 1 : 0 });
  }
  a.graph.defineGradient([a, b], [y], ([dy]) => {
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

type ProductOutput = Pick<Value, "dtype" | "shape">;

/** Emits a product without a derivative. Only the CPU has a kernel that reads operands of any rank transposed. */
function emitProduct(
  a: Value,
  b: Value,
  output: ProductOutput,
  { transposeA, transposeB, scale }: Required<MatmulOptions>,
): Value {
  const { graph } = a;
  const isPlain = !transposeA && !transposeB && scale === 1;
  if (isPlain) return graph.emit("MatMul", [a, b], [output])[0]!;
  const attributes = {
    transA: { int: transposeA ? 1 : 0 },
    transB: { int: transposeB ? 1 : 0 },
    alpha: { float: scale },
  };
  if (getProvider() === "cpu") {
    return graph.emit("FusedMatMul", [a, b], [output], { domain: "com.microsoft", attributes })[0]!;
  }
  if (a.shape.length === 2 && b.shape.length === 2) {
    return graph.emit("Gemm", [a, b], [output], { attributes })[0]!;
  }
  const operands = [transposeA ? swapLastAxes(a) : a, transposeB ? swapLastAxes(b) : b];
  const product = graph.emit("MatMul", operands, [output])[0]!;
  return scale === 1 ? product : graph.emit("Mul", [product, graph.scalar(scale)], [output])[0]!;
}

function swapLastAxes(x: Value): Value {
  const rank = x.shape.length;
  const order = [...Array.from({ length: rank - 2 }, (_, i) => i), rank - 1, rank - 2];
  const output = { dtype: x.dtype, shape: order.map((axis) => x.shape[axis]!) };
  return x.graph.emit("Transpose", [x], [output], { attributes: { perm: { ints: order } } })[0]!;
}

/**
 * Returns sum + term. When `term` is a matrix product that nothing else needs, it is computed on top of `sum`. The
 * caller may feed an output's buffer as `sum`, so that gradients grow in place: the sum is copied to the result (a copy
 * onto itself), then added to.
 */
export function addToSum(sum: Value, term: Value): Value {
  const product = foldableProducts.get(term);
  if (!product) return add(sum, term);
  const { transA, transB } = product;
  return sum.graph.emit("Gemm", [product.a, product.b, sum], [term], {
    attributes: { transA: { int: transA }, transB: { int: transB } },
  })[0]!;
}

function lastTwoSizes(x: Value, isSwapped: boolean) {
  assert(x.shape.length >= 2, `matmul of a value of shape ${formatShape(x.shape)}`);
  const [rows, columns] = [x.shape.at(-2)!, x.shape.at(-1)!];
  return isSwapped ? ([columns, rows] as const) : ([rows, columns] as const);
}

/**
 * Computes x (n, in) @ transposed weight (out, in) + bias, the layout in which Hugging Face keeps weights. The bias
 * is (out), or (n, out) such as a residual stream.
 */
export function linear(x: Value, weight: Value, bias?: Value): Value {
  return linearMaps(x, [weight], bias ? [bias] : [])[0]!;
}

/**
 * Applies several linear maps to one input. Weights may be quantised (quantized-product.ts); such a map has no
 * derivative. The backward pass adds the cotangents of `x` inside the products. */
export function linearMaps(x: Value, weights: readonly Value[], biases: readonly Value[]): Value[] {
  const outputs = weights.map((weight, i) => linearForward(x, weight, biases[i]));
  x.graph.defineGradient([x, ...weights, ...biases], outputs, (dys) => [
    dys.reduce<Value | undefined>(
      (sum, dy, i) => (dy ? multiplyAdd(dy, weights[i]!, sum) : sum),
      undefined,
    ),
    // The gradient of each weight, (out, in).
    ...dys.map((dy) => dy && matmul(dy, x, { transposeA: true })),
    ...biases.map((bias, i) => dys[i] && columnSums(dys[i], bias.shape)),
  ]);
  return outputs;
}

/**
 * Works like `unbroadcast`, but sums a matrix (n, width) to a vector by a product with ones. Over the first axis ONNX
 * Runtime's ReduceSum is four times slower on two threads than on one.
 */
function columnSums(x: Value, shape: Shape): Value {
  const [n, width] = x.shape as [Dim, Dim];
  if (x.shape.length !== 2 || !isSameShape(shape, [width])) return unbroadcast(x, shape);
  const ones = filled(x.graph, [1, n], 1);
  return reshape(matmul(ones, x), shape);
}

function linearForward(x: Value, weight: Value, bias: Value | undefined): Value {
  const quantized = quantizedProduct(x, weight, bias);
  if (quantized) return quantized;
  const output = { dtype: x.dtype, shape: [x.shape[0]!, weight.shape[0]!] };
  if (bias)
    return x.graph.emit("Gemm", [x, weight, bias], [output], {
      attributes: { transB: { int: 1 } },
    })[0]!;
  const attributes = { transB: { int: 1 } };
  const [type, domain] = getProvider() === "cpu" ? ["FusedMatMul", "com.microsoft"] : ["Gemm", ""];
  return x.graph.emit(type!, [x, weight], [output], { domain: domain!, attributes })[0]!;
}

/** Computes a @ b + sum in one product. */
function multiplyAdd(a: Value, b: Value, sum: Value | undefined): Value {
  if (!sum) return matmul(a, b);
  return a.graph.emit("Gemm", [a, b, sum], [sum])[0]!;
}
