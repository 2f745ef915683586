import { describe, expect, test } from "vitest";
import { Rng } from "../../../core/index.ts";
import {
  declareQuantizedWeight,
  floatOutput,
  Graph,
  linear,
  matmul,
  Session,
  tensor,
} from "../graph/index.ts";
import { parseModelConfig } from "./config.ts";
import { initializeParameters } from "./initialize.ts";
import { ParameterStore } from "./parameters.ts";
import {
  dequantizeRows,
  QuantizedMatrices,
  quantizeRows,
  toNibblePlanes,
} from "./quantized-matrices.ts";

const MODEL = parseModelConfig({
  vocabularySize: 40,
  hiddenSize: 64,
  layers: 1,
  heads: 4,
  kvHeads: 2,
  headSize: 16,
  intermediateSize: 96,
  contextLength: 32,
  qkvBias: true,
});
const TYPES = ["q4", "q8"] as const;

/** Returns random numbers, quantised as a matrix of `rows` and `columns`. */
function makeMatrix(type: (typeof TYPES)[number], rows: number, columns: number, seed = 1) {
  const rng = new Rng(seed);
  const values = Float32Array.from({ length: rows * columns }, () => rng.normal());
  const part = {
    name: "w",
    shape: [rows, columns],
    offset: 0,
    size: rows * columns,
    hasWeightDecay: true,
  };
  const matrices = new QuantizedMatrices(type, [{ ...part, parts: [part] }]);
  quantizeRows(values, matrices.get("w"), matrices.error);
  return { values, matrices, matrix: matrices.get("w") };
}

describe.each(TYPES)("a matrix in %s", (type) => {
  test("loses what rounding to its bits loses, and says how much", () => {
    const { values, matrices, matrix } = makeMatrix(type, 24, 96);
    const back = dequantizeRows(matrix);
    let [error, size] = [0, 0];
    back.forEach((value, i) => {
      error += (value - values[i]!) ** 2;
      size += values[i]! ** 2;
    });
    expect(matrices.relativeError).toBeCloseTo(Math.sqrt(error / size), 6);
    expect(matrices.relativeError).toBeGreaterThan(type === "q4" ? 0.05 : 0.002);
    expect(matrices.relativeError).toBeLessThan(type === "q4" ? 0.12 : 0.01);
  });

  test("is not changed when it is quantised again", () => {
    const { matrix } = makeMatrix(type, 8, 64);
    const values = dequantizeRows(matrix);
    const again = makeMatrix(type, 8, 64, 2);
    quantizeRows(values, again.matrix, again.matrices.error);
    expect(dequantizeRows(again.matrix)).toEqual(values);
  });

  test("the quantised product is that of its floats, and a row has the same bits among 2 to 64 rows", async () => {
    const [rows, columns, most] = [96, 64, 64];
    const { matrix } = makeMatrix(type, rows, columns);
    const graph = new Graph("product");
    const x = graph.addInput("x", "float32", ["n", columns]);
    const bias = graph.addInput("bias", "float32", [rows]);
    const weight = declareQuantizedWeight(graph, "w", [rows, columns], toNibblePlanes(matrix));
    graph.addOutput("quantized", linear(x, weight, bias));
    const floats = graph.addInput("floats", "float32", [rows, columns]);
    graph.addOutput("plain", matmul(x, floats, { transposeB: true }));
    const session = await Session.create(graph, { threads: 2 });
    const rng = new Rng(3);
    const input = Float32Array.from({ length: most * columns }, () => rng.normal());
    const run = async (n: number) =>
      session.run({
        x: tensor(input.subarray(0, n * columns), [n, columns]),
        bias: tensor(new Float32Array(rows).fill(0.5), [rows]),
        floats: tensor(dequantizeRows(matrix), [rows, columns]),
      });
    const all = await run(most);
    const [quantized, plain] = ["quantized", "plain"].map((name) => floatOutput(all, name));
    quantized!.forEach((value, i) => {
      expect(Math.abs(value - 0.5 - plain![i]!)).toBeLessThan(2e-5);
    });
    for (const n of [2, 3, 8, 17, 48]) {
      const some = floatOutput(await run(n), "quantized");
      expect(some).toEqual(quantized!.subarray(0, n * rows));
    }
    await session.close();
  });

  test("a store of it has the vectors of a float store, and views of fused and single matrices agree", () => {
    const [store, floats] = [new ParameterStore(MODEL, type), new ParameterStore(MODEL)];
    initializeParameters(store, 5);
    initializeParameters(floats, 5);
    expect(store.elementCount).toBe(floats.elementCount);
    for (const { name, shape } of floats.parameters) {
      const [found, expected] = [store.view(name), floats.view(name)];
      expect(found).toHaveLength(expected.length);
      if (shape.length === 1) expect(found).toEqual(expected);
      else expect(found).not.toEqual(expected);
    }
    const fused = dequantizeRows(store.quantized!.get("layers.0.qkv.weight"));
    const key = store.view("model.layers.0.self_attn.k_proj.weight");
    expect(fused.subarray(64 * 64, 64 * 64 + key.length)).toEqual(key);
    expect(Object.keys(store.feeds()).some((name) => store.quantized!.has(name))).toBe(false);
    expect(store.data.byteLength + store.quantized!.sizeBytes).toBeLessThan(
      floats.data.byteLength / 2,
    );
  });
});

test("widths that are no multiples of a block are rejected with the matrix' name", () => {
  const odd = { ...MODEL, intermediateSize: 40 };
  expect(() => new ParameterStore(odd, "q4")).toThrow(
    /engine\.base: q4 needs widths that are multiples of 32, but layers\.0\.down\.weight has rows of 40/,
  );
});
