import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { SPECIAL_TOKENS } from "../tokenizer/pieces.ts";
import { addCompactMarkers } from "./compact-markers.ts";
import type { ModelText } from "./model-text.ts";
import { openTextDirectory } from "./open-text-directory.ts";

const golden = (name: string) =>
  fileURLToPath(new URL(`../../../tests/golden/hf-${name}`, import.meta.url));

function markers(name: string, change: (text: ModelText) => Partial<ModelText> = () => ({})) {
  const opened = openTextDirectory(golden(name));
  const rows = opened.vocabularySize;
  const tokenizer = addCompactMarkers({ ...opened, ...change(opened) }, rows);
  const ids = SPECIAL_TOKENS.map((marker) => tokenizer.special(marker));
  return { opened, tokenizer, ids };
}

it("takes the model's own start and end of text, and free rows of the embedding for the rest", () => {
  const { opened, ids, tokenizer } = markers("qwen2");
  const [pad, task, code, run] = ids;
  expect([pad, run]).toEqual([332, 332]);
  expect([task, code]).toEqual([
    opened.tokenizer.vocabularySize,
    opened.tokenizer.vocabularySize + 1,
  ]);
  expect(tokenizer.vocabularySize).toBe(opened.vocabularySize);
  // A row without a token is a marker or nothing; neither is text.
  expect(tokenizer.decode([task!, ...tokenizer.encode("hi"), code!, 341])).toBe("hi");
});

it("takes reserved tokens where the embedding has no free row, and the unknown one where none is reserved", () => {
  const llama3 = markers("llama3");
  const { specials } = llama3.opened.tokenizer;
  expect(llama3.ids).toEqual([
    specials.get("<|eot_id|>"),
    specials.get("<|begin_of_text|>"),
    specials.get("<|reserved_special_token_0|>"),
    specials.get("<|eot_id|>"),
  ]);
  expect(markers("llama").ids).toEqual([2, 1, 0, 2]);
});

it("a tokenizer's own markers come first; one without room for a marker is refused by its name", () => {
  const json = readFileSync(`${golden("llama")}/tokenizer.json`, "utf8");
  expect(json).not.toContain("<|code|>");
  const bare = () =>
    markers("llama", () => ({ specialTokens: { bos_token: "<s>", eos_token: "</s>" } }));
  expect(bare).toThrow(/marker <\|code\|>, but the tokenizer has no such token/);
  const own = markers("llama", ({ tokenizer }) => ({
    tokenizer: { ...tokenizer, specials: new Map([...tokenizer.specials, ["<|code|>", 77]]) },
  }));
  expect(own.ids).toEqual([2, 1, 77, 2]);
});
