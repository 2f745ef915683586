/**
 * A graph whose matrix products give a row the same bits whichever other rows are in the batch.
 *
 * ONNX Runtime's matrix kernels sum over k in strides, and the stride depends on the number of columns of a thread. A
 * product with fewer rows than columns is divided by columns among threads, one with more rows by rows, so its sums
 * may be rounded in another order when the batch grows. Where that can happen, zero rows are put before the operand
 * until it has at least as many rows as columns. Then the product is always divided by rows. (Single-row products
 * take another path altogether, so callers keep at least two rows.) Source of the rule: MlasSgemmOperation and
 * MlasGemmBatch in onnxruntime/core/mlas/lib/sgemm.cpp.
 */
import { type EmitOptions, Graph, getProvider, type Value } from "../graph/index.ts";
import type { Dim, DType } from "../proto/index.ts";

const KERNEL_STRIDE = 128;
const MIN_COLUMN_STRIDE = 16;
const COLUMN_TILE = 16;
/** The name of the int32 input whose length is the number of zero rows to add. */
export const PADDING_INPUT = "padding";

type OutputType = { readonly dtype: DType; readonly shape: readonly Dim[] };

export class RowStableGraph extends Graph {
  readonly #threads: number;
  #requiredRows = 0;
  #padding: Value | undefined;

  constructor(name: string, threads: number) {
    super(name);
    this.#threads = threads;
  }

  /** The number of rows, padding included, that the operand needs. It is 0 when there is no padding input. */
  get requiredRows(): number {
    return this.#requiredRows;
  }

  override emit(
    type: string,
    inputs: readonly (Value | undefined)[],
    outputs: readonly OutputType[],
    options: EmitOptions = {},
  ): Value[] {
    const [x, weight] = inputs;
    // The rule is about the CPU's kernels.
    if (getProvider() !== "cpu") return super.emit(type, inputs, outputs, options);
    const isProduct = type === "FusedMatMul" || type === "Gemm" || type === "MatMul";
    if (!isProduct || x?.shape.length !== 2 || weight?.shape.length !== 2) {
      return super.emit(type, inputs, outputs, options);
    }
    const [columns, inner] = [outputs[0]!.shape[1], x.shape[1]];
    if (typeof columns !== "number" || typeof inner !== "number") {
      return super.emit(type, inputs, outputs, options);
    }
    if (!sumOrderDependsOnRows(columns, inner, this.#threads)) {
      return super.emit(type, inputs, outputs, options);
    }
    this.#requiredRows = Math.max(this.#requiredRows, columns);
    const padded = this.#padRows(x, inner);
    // A bias with one row for all stays as it is. A bias with a row for each is padded like the operand.
    const [bias] = inputs.slice(2);
    const rest = bias?.shape.length === 2 ? [this.#padRows(bias, columns)] : inputs.slice(2);
    const shape = [padded.shape[0]!, columns];
    const output = { dtype: x.dtype, shape };
    const [tall] = super.emit(type, [padded, weight, ...rest], [output], options);
    return this.#dropPadding(tall!, outputs[0]!);
  }

  /** Returns x (rows, width) after the zero rows. */
  #padRows(x: Value, width: number): Value {
    this.#padding ??= this.addInput(PADDING_INPUT, "int32", ["Z"]);
    const zero = { dtype: "float32", dims: [1], data: new Float32Array(1) } as const;
    const [zeros] = super.emit(
      "ConstantOfShape",
      [this.shapeVector(["Z", width])],
      [{ dtype: "float32", shape: ["Z", width] }],
      { attributes: { value: { tensor: zero } } },
    );
    const shape = [`Z+${x.shape[0]}`, width];
    return super.emit("Concat", [zeros, x], [{ dtype: x.dtype, shape }], {
      attributes: { axis: { int: 0 } },
    })[0]!;
  }

  #dropPadding(tall: Value, output: OutputType): Value[] {
    const vector = (value: number) => this.constant("int64", [1], [value]);
    const start = this.shapeVector(["Z"]);
    return super.emit("Slice", [tall, start, vector(2 ** 31), vector(0)], [output]);
  }
}

/** Returns whether the summing order of a (rows, inner) x (inner, columns) product can depend on the number of rows. */
export function sumOrderDependsOnRows(columns: number, inner: number, threads: number): boolean {
  const strides = new Set<number>();
  for (let share = 1; share <= threads; share++) {
    const tiles = Math.ceil(columns / COLUMN_TILE / share);
    strides.add(Math.min(inner, innerStride(Math.min(columns, tiles * COLUMN_TILE), inner)));
  }
  return strides.size > 1;
}

function innerStride(columns: number, inner: number): number {
  let [columnStride, stride] = [KERNEL_STRIDE, KERNEL_STRIDE];
  while (columns < inner && columnStride > MIN_COLUMN_STRIDE && columnStride / 2 >= columns) {
    stride *= 2;
    columnStride /= 2;
  }
  return stride;
}
