/** What is read of a model that is on a server. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openTextDirectory } from "./open-text-directory.ts";

const golden = (name: string) =>
  fileURLToPath(new URL(`../../../tests/golden/hf-${name}`, import.meta.url));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bowline-texts-"));
  for (const file of ["config.json", "tokenizer.json", "tokenizer_config.json"]) {
    cpSync(join(golden("qwen2"), file), join(folder, file));
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("takes models of any architecture, also those whose language half is a section", () => {
  const config = {
    architectures: ["Seeing"],
    text_config: { vocab_size: 400, max_position_embeddings: 99 },
  };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  expect(openTextDirectory(folder)).toMatchObject({ vocabularySize: 400, contextLength: 99 });
});

it("does without config.json, and says what is wrong with a foreign or broken one", () => {
  rmSync(join(folder, "config.json"));
  const { tokenizer, vocabularySize, contextLength } = openTextDirectory(folder);
  expect(vocabularySize).toBe(tokenizer.vocabularySize);
  expect(contextLength).toBe(Infinity);
  writeFileSync(join(folder, "config.json"), '{"vocab_size":12}');
  expect(() => openTextDirectory(folder)).toThrow(/tokenizer.json is of another model/);
  writeFileSync(join(folder, "config.json"), '{"vocab_size":"many"}');
  expect(() => openTextDirectory(folder)).toThrow(/config.json/);
  expect(() => openTextDirectory(join(folder, "none"))).toThrow(
    /there is no folder .*tokenizer.json/,
  );
});
