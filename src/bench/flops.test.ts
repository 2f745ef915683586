import { expect, test } from "vitest";
import { parseModelConfig } from "../engine/index.ts";
import {
  countForwardFlops,
  countLoraFlops,
  countProductWeights,
  countTrainingFlops,
} from "./flops.ts";

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

test("the operations of a small layer equal a count by hand", () => {
  // The weights are q 4x4, k and v 4x2 each, o 4x4, and gate, up and down 4x6 each.
  expect(countProductWeights(model)).toBe(16 + 8 + 8 + 16 + 72);
  // Two tokens are in one row. Attention costs 2 * T * heads * headSize per token. The head is computed at one token.
  const batch = { tokens: 2, rowLength: 2, headTokens: 1 };
  expect(countForwardFlops(model, batch)).toBe(2 * (2 * 120 + 2 * 2 * 4) + 2 * 4 * 10);
  expect(countTrainingFlops(model, batch)).toBe(3 * countForwardFlops(model, batch));
  // The rank 1 adapters are q 4+4, k and v 4+2 each, o 4+4, and gate, up and down 4+6 each. Attention counts 3 times.
  const adapters = 8 + 6 + 6 + 8 + 30;
  expect(countLoraFlops(model, batch, 1)).toBe(
    2 * countForwardFlops(model, batch) + 2 * (2 * 2 * 4 + 6 * adapters),
  );
});
