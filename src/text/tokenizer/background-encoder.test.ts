import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createBackgroundEncoder } from "./background-encoder.ts";
import { loadTokenizer } from "./load-tokenizer.ts";

const json = readFileSync(
  new URL("../../../tests/golden/hf-qwen2/tokenizer.json", import.meta.url),
  "utf8",
);
const TEXTS = [
  "Hello, world!",
  "",
  "<|im_start|>user\nhi<|im_end|>",
  "Gr\u00fc\u00dfe \u{1f600} \ud800 lone",
  "a".repeat(5000),
];

test("another thread gives the ids of the tokenizer, in order, also after it has ended", async () => {
  const tokenizer = loadTokenizer(json);
  const encode = createBackgroundEncoder(json, 50);
  const texts = TEXTS.flatMap((text) => [
    { text, isPlain: true },
    { text, isPlain: false },
  ]);
  const expected = TEXTS.flatMap((text) => [
    Uint32Array.from(tokenizer.encode(text)),
    Uint32Array.from(tokenizer.encodeRendered(text)),
  ]);
  const both = await Promise.all([encode(texts), encode([...texts].reverse())]);
  expect(both).toEqual([expected, [...expected].reverse()]);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(await encode(texts)).toEqual(expected);
});

test("a thread that cannot load its tokenizer rejects, and the next call tries again", async () => {
  const encode = createBackgroundEncoder("{}");
  for (let i = 0; i < 2; i++) {
    await expect(encode([{ text: "a", isPlain: true }])).rejects.toThrow(
      /the thread that encodes texts failed: not a tokenizer.json/,
    );
  }
});
