import { afterEach, expect, test } from "vitest";
import { setProvider } from "../../graph/index.ts";
import { parseModelConfig, queryBlocks } from "../../model/index.ts";
import { defaultMicrobatchTokens } from "./activation-bytes.ts";

afterEach(() => setProvider("cpu"));

const small = parseModelConfig({
  vocabularySize: 512,
  hiddenSize: 128,
  layers: 4,
  heads: 4,
  kvHeads: 2,
  headSize: 32,
  intermediateSize: 352,
  contextLength: 576,
});
const large = parseModelConfig({
  ...small,
  vocabularySize: 151_936,
  hiddenSize: 2048,
  layers: 28,
  heads: 16,
  kvHeads: 8,
  headSize: 128,
  intermediateSize: 6144,
});

test("a microbatch on a device has as many tokens as a gibibyte holds, from 768 to 4096", () => {
  const tokensOf = (config: typeof small) =>
    defaultMicrobatchTokens({ config, quantized: undefined });
  expect(tokensOf(small)).toBe(1536);
  setProvider("webgpu");
  expect(tokensOf(small)).toBe(4096);
  // 28 x 2048 numbers are kept of a token, and a layer has 61,440, scores among them: 475 KB.
  expect(tokensOf(large)).toBe(2259);
  expect(tokensOf({ ...large, layers: 400 })).toBe(768);
});

test("queries of short rows are one block on a device, and always four on the CPU", () => {
  expect([160, 1024].map(queryBlocks)).toEqual([4, 4]);
  setProvider("webgpu");
  expect([160, 512, 520].map(queryBlocks)).toEqual([1, 1, 4]);
});
