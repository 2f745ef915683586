/** Tests how the tokenizer of a model is read whose weights are on a server. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openTextDirectory } from "./open-text-directory.ts";

const goldenPath = (name: string) =>
  fileURLToPath(new URL(`../../../tests/golden/hf-${name}`, import.meta.url));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bowline-texts-"));
  for (const file of ["config.json", "tokenizer.json", "tokenizer_config.json"]) {
    cpSync(join(goldenPath("qwen2"), file), join(folder, file));
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("openTextDirectory reads models of any architecture, also multimodal ones whose language model is a section of config.json", () => {
  const config = {
    architectures: ["Seeing"],
    text_config: { vocab_size: 400, max_position_embeddings: 99 },
  };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  expect(openTextDirectory(folder)).toMatchObject({ vocabularySize: 400, contextLength: 99 });
});

it("openTextDirectory does not need config.json, and rejects one that is invalid or belongs to another model", () => {
  rmSync(join(folder, "config.json"));
  const { tokenizer, vocabularySize, contextLength } = openTextDirectory(folder);
  expect(vocabularySize).toBe(tokenizer.vocabularySize);
  expect(contextLength).toBe(Infinity);
  writeFileSync(join(folder, "config.json"), '{"vocab_size":12}');
  expect(() => openTextDirectory(folder)).toThrow(/tokenizer.json belongs to another model/);
  writeFileSync(join(folder, "config.json"), '{"vocab_size":"many"}');
  expect(() => openTextDirectory(folder)).toThrow(/config.json/);
  expect(() => openTextDirectory(join(folder, "none"))).toThrow(
    /there is no folder .*tokenizer.json/,
  );
});
