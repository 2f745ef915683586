import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { SPECIAL_TOKENS } from "../tokenizer/pieces.ts";
import { addCompactMarkers } from "./compact-markers.ts";
import type { ModelText } from "./model-text.ts";
import { openTextDirectory } from "./open-text-directory.ts";

const goldenPath = (name: string) =>
  fileURLToPath(new URL(`../../../tests/golden/hf-${name}`, import.meta.url));

function addMarkersToGolden(
  name: string,
  change: (text: ModelText) => Partial<ModelText> = () => ({}),
) {
  const opened = openTextDirectory(goldenPath(name));
  const rows = opened.vocabularySize;
  const tokenizer = addCompactMarkers({ ...opened, ...change(opened) }, rows);
  const ids = SPECIAL_TOKENS.map((marker) => tokenizer.special(marker));
  return { opened, tokenizer, ids };
}

it("the markers are the model's start and end tokens, and free rows of the embedding for the others", () => {
  const { opened, ids, tokenizer } = addMarkersToGolden("qwen2");
  const [pad, task, code, run] = ids;
  expect([pad, run]).toEqual([332, 332]);
  expect([task, code]).toEqual([
    opened.tokenizer.vocabularySize,
    opened.tokenizer.vocabularySize + 1,
  ]);
  expect(tokenizer.vocabularySize).toBe(opened.vocabularySize);
  // A row of the embedding without a token is a marker or unused, and decodes to nothing.
  expect(tokenizer.decode([task!, ...tokenizer.encode("hi"), code!, 341])).toBe("hi");
});

it("without free rows of the embedding, markers are reserved tokens or the token for unknown characters", () => {
  const llama3 = addMarkersToGolden("llama3");
  const { specials } = llama3.opened.tokenizer;
  expect(llama3.ids).toEqual([
    specials.get("<|eot_id|>"),
    specials.get("<|begin_of_text|>"),
    specials.get("<|reserved_special_token_0|>"),
    specials.get("<|eot_id|>"),
  ]);
  expect(addMarkersToGolden("llama").ids).toEqual([2, 1, 0, 2]);
});

it("a tokenizer's own markers are used, and a tokenizer without room for a marker is rejected", () => {
  const json = readFileSync(`${goldenPath("llama")}/tokenizer.json`, "utf8");
  expect(json).not.toContain("<|code|>");
  const bare = () =>
    addMarkersToGolden("llama", () => ({ specialTokens: { bos_token: "<s>", eos_token: "</s>" } }));
  expect(bare).toThrow(/marker <\|code\|>, but the tokenizer has no such token/);
  const own = addMarkersToGolden("llama", ({ tokenizer }) => ({
    tokenizer: { ...tokenizer, specials: new Map([...tokenizer.specials, ["<|code|>", 77]]) },
  }));
  expect(own.ids).toEqual([2, 1, 77, 2]);
});
