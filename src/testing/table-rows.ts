/**
 * The rows of the table engine: logits with AdamW's moments, their softmax, their optimizer step, and their format on
 * disk. Sums have a fixed order, so equal runs have equal numbers to the last bit.
 */
import { z } from "zod";
import type { OptimizerStep } from "../spec/index.ts";

/** The logits of the next token after one token, with AdamW's moments. All are zero until the row gets a gradient. */
export interface TableRow {
  readonly logits: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

/** The logits of a table without the moments, as sampling and references need them. */
export type LogitRows = { readonly [previous: number]: Pick<TableRow, "logits"> };

/** A table by previous token, and counts of optimizer steps and published versions. */
export interface Table {
  rows: { [previous: number]: TableRow };
  /** The value of the state after each token: rows of one number. */
  values: { [previous: number]: TableRow };
  steps: number;
  valueSteps: number;
  version: number;
}

const count = z.int().nonnegative();
/** Rows as base64 of doubles, which is fast to write and exact. */
const packedRowsSchema = z.record(z.string(), z.base64());
type PackedRows = z.output<typeof packedRowsSchema>;
/** The file of a table. */
export const packedTableSchema = z.object({
  rows: packedRowsSchema,
  values: packedRowsSchema,
  steps: count,
  valueSteps: count,
  version: count,
});

export function packRows(rows: Table["rows"]): PackedRows {
  const pack = ({ logits, first, second }: TableRow) =>
    Buffer.concat([logits, first, second].map(({ buffer }) => new Uint8Array(buffer))).toString(
      "base64",
    );
  return Object.fromEntries(Object.entries(rows).map(([previous, row]) => [previous, pack(row)]));
}

export function unpackRows(packed: PackedRows): Table["rows"] {
  const unpack = (text: string): TableRow => {
    const bytes = Uint8Array.from(Buffer.from(text, "base64"));
    const values = new Float64Array(bytes.buffer);
    const size = values.length / 3;
    if (!Number.isInteger(size)) throw new Error("a row of the table is incomplete");
    const [logits, first, second] = [0, 1, 2].map((i) => values.slice(i * size, (i + 1) * size));
    return { logits: logits!, first: first!, second: second! };
  };
  return Object.fromEntries(
    Object.entries(packed).map(([previous, text]) => [previous, unpack(text)]),
  );
}

export function copyLogits(rows: Table["rows"]): LogitRows {
  return Object.fromEntries(
    Object.entries(rows).map(([previous, { logits }]) => [previous, { logits: logits.slice() }]),
  );
}

/**
 * Returns the softmax of logits / temperature. It uses plain loops, because a fake run spends half of its time here.
 */
export function softmax(logits: Float64Array, temperature: number): Float64Array {
  const size = logits.length;
  let top = -Infinity;
  for (let i = 0; i < size; i++) if (logits[i]! > top) top = logits[i]!;
  const weights = new Float64Array(size);
  let total = 0;
  for (let i = 0; i < size; i++) {
    const weight = Math.exp((logits[i]! - top) / temperature);
    weights[i] = weight;
    total += weight;
  }
  for (let i = 0; i < size; i++) weights[i]! /= total;
  return weights;
}

export function computeEntropy(probabilities: Float64Array): number {
  return -probabilities.reduce((sum, p) => sum + (p === 0 ? 0 : p * Math.log(p)), 0);
}

/** Takes one optimizer step of all rows. A row that gets a gradient for the first time is created. */
export function updateRows(
  rows: Table["rows"],
  gradient: ReadonlyMap<number, Float64Array>,
  createZeros: () => Float64Array,
  { norm, steps }: { readonly norm: number; readonly steps: number },
  step: OptimizerStep,
): void {
  const scale = Math.min(1, step.maxGradientNorm / Math.max(norm, 1e-12));
  for (const previous of gradient.keys()) {
    rows[previous] ??= { logits: createZeros(), first: createZeros(), second: createZeros() };
  }
  for (const [previous, row] of Object.entries(rows)) {
    applyAdamW(row, gradient.get(Number(previous)) ?? createZeros(), scale, steps, step);
  }
}

function applyAdamW(
  row: TableRow,
  gradient: Float64Array,
  scale: number,
  steps: number,
  step: OptimizerStep,
): void {
  const { beta1, beta2, epsilon, learningRate, weightDecay } = step;
  const decay = 1 - learningRate * weightDecay;
  const firstShare = 1 - beta1 ** steps;
  const secondShare = 1 - beta2 ** steps;
  for (let i = 0; i < gradient.length; i++) {
    const raw = gradient[i]!;
    const first = beta1 * row.first[i]! + (1 - beta1) * raw * scale;
    const second = beta2 * row.second[i]! + (1 - beta2) * (raw * scale) ** 2;
    const move = first / firstShare / (Math.sqrt(second / secondShare) + epsilon);
    row.first[i] = first;
    row.second[i] = second;
    row.logits[i] = row.logits[i]! * decay - learningRate * move;
  }
}

/** Resets the moments and the step counts, as if the optimizer had not stepped yet. */
export function resetMoments(table: Table): void {
  for (const { first, second } of [...Object.values(table.rows), ...Object.values(table.values)]) {
    first.fill(0);
    second.fill(0);
  }
  table.steps = 0;
  table.valueSteps = 0;
}

export function sumOfSquares(rows: Iterable<Float64Array>): number {
  let sum = 0;
  for (const row of rows) for (const value of row) sum += value * value;
  return sum;
}

export function argmax(values: Float64Array): number {
  return values.indexOf(Math.max(...values));
}

/** Returns the token at which the cumulative probability exceeds `uniform`, a number in [0, 1). */
export function sampleIndex(probabilities: Float64Array, uniform: number): number {
  let sum = 0;
  for (let token = 0; token < probabilities.length; token++) {
    sum += probabilities[token]!;
    if (uniform < sum) return token;
  }
  return probabilities.length - 1;
}
