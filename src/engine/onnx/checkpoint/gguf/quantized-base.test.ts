/** A base of few bits is read from GGUF block by block, without rounding it again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type GgufTensorToWrite, TENSOR_TYPES, writeGguf } from "../../../../core/gguf/index.ts";
import { Rng } from "../../../../core/index.ts";
import { ParameterStore, parameterLayout, parseModelConfig } from "../../model/index.ts";
import { loadWeights } from "../index.ts";
import { modelEntries } from "./gguf-config.ts";
import { toGgufName } from "./tensor-names.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-base-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shape = {
  vocabularySize: 48,
  hiddenSize: 64,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  headSize: 16,
  intermediateSize: 96,
  contextLength: 32,
  rmsNormEpsilon: 1e-5,
};
/** In files of architecture llama, rows of query and key are in another order. */
const MODELS = {
  llama: parseModelConfig(shape),
  qwen2: parseModelConfig({ ...shape, qkvBias: true }),
};

/** Writes random blocks, whose largest numbers are not those that a quantiser would choose. */
function writeModel(model: keyof typeof MODELS, type: "Q4_0" | "Q4_1" | "Q8_0"): string {
  const rng = new Rng(4).child(type);
  const parameters = parameterLayout(MODELS[model]).inputs.flatMap(({ parts }) => parts);
  const { bytes } = TENSOR_TYPES[type];
  const tensors = parameters.map(({ name, shape: dims, size }): GgufTensorToWrite => {
    const isVector = dims.length === 1;
    const data = isVector
      ? new Uint8Array(Float32Array.from({ length: size }, () => rng.normal()).buffer)
      : Uint8Array.from({ length: (size / 32) * bytes }, () => rng.integer(0, 255));
    // Scales from 2^-10 to 2^-7: the exponent is in the upper byte of a half.
    const heads = type === "Q4_1" ? [1, 3] : [1];
    if (!isVector) {
      for (let at = 0; at < data.length; at += bytes) {
        for (const place of heads) data[at + place] = rng.integer(0x14, 0x1f);
      }
    }
    return {
      name: toGgufName(name),
      type: isVector ? "F32" : type,
      dims: [...dims].reverse(),
      bytes: () => [data],
    };
  });
  const path = join(folder, `${model}-${type}.gguf`);
  writeGguf(path, modelEntries(MODELS[model]), tensors);
  return path;
}

describe.each(["llama", "qwen2"] as const)("a base of architecture %s", (model) => {
  test.each([
    ["Q4_0", "q4"],
    ["Q8_0", "q8"],
  ] as const)("from %s in %s has exactly the numbers of the file", (type, base) => {
    const path = writeModel(model, type);
    const [floats, quantized] = [
      new ParameterStore(MODELS[model]),
      new ParameterStore(MODELS[model], base),
    ];
    loadWeights(path, floats);
    loadWeights(path, quantized);
    for (const { name } of floats.parameters)
      expect(quantized.view(name)).toEqual(floats.view(name));
    expect(quantized.quantized!.relativeError).toBe(0);
  });

  test.each([
    ["Q4_1", "q4", 0.2],
    ["Q8_0", "q4", 0.2],
    ["Q4_0", "q8", 0.01],
  ] as const)("from %s in %s is rounded, and says by how much", (type, base, most) => {
    const path = writeModel(model, type);
    const [floats, quantized] = [
      new ParameterStore(MODELS[model]),
      new ParameterStore(MODELS[model], base),
    ];
    loadWeights(path, floats);
    loadWeights(path, quantized);
    let [error, size] = [0, 0];
    for (const { name } of floats.parameters.filter(({ shape: { length } }) => length === 2)) {
      const found = quantized.view(name);
      floats.view(name).forEach((value, i) => {
        error += (found[i]! - value) ** 2;
        size += value ** 2;
      });
    }
    const { relativeError } = quantized.quantized!;
    expect(relativeError).toBeCloseTo(Math.sqrt(error / size), 5);
    expect(relativeError).toBeGreaterThan(0);
    expect(relativeError).toBeLessThan(most);
  });
});
