import { expect, test } from "vitest";
import { parseModelConfig } from "../engine/index.ts";
import { forwardFlops, loraFlops, productWeights, trainingFlops } from "./flops.ts";

const model = parseModelConfig({
  vocabularySize: 10,
  hiddenSize: 4,
  layers: 1,
  heads: 2,
  kvHeads: 1,
  headSize: 2,
  intermediateSize: 6,
  contextLength: 8,
});

test("counted by hand for one small layer", () => {
  // q 4x4, k and v 4x2 each, o 4x4; gate, up, down 4x6 each
  expect(productWeights(model)).toBe(16 + 8 + 8 + 16 + 72);
  // two tokens in one row: attention 2 * T * heads * headSize a token; the head at one of them
  const batch = { tokens: 2, rowLength: 2, asked: 1 };
  expect(forwardFlops(model, batch)).toBe(2 * (2 * 120 + 2 * 2 * 4) + 2 * 4 * 10);
  expect(trainingFlops(model, batch)).toBe(3 * forwardFlops(model, batch));
  // rank 1 adapters: q 4+4, k and v 4+2 each, o 4+4, gate, up and down 4+6 each; attention once more than twice
  const adapters = 8 + 6 + 6 + 8 + 30;
  expect(loraFlops(model, batch, 1)).toBe(
    2 * forwardFlops(model, batch) + 2 * (2 * 2 * 4 + 6 * adapters),
  );
});
