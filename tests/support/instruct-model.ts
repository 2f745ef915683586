/** Writes a tiny instruction model with random weights: the golden model from transformers, with a longer context. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Writes the model into `folder` and returns the folder. A prompt of scaffold `fenced` has about 700 of its tokens. */
export function writeInstructModel(folder: string, contextLength = 4096): string {
  mkdirSync(folder, { recursive: true });
  cpSync(fileURLToPath(new URL("../golden/hf-qwen2", import.meta.url)), folder, {
    recursive: true,
  });
  const path = join(folder, "config.json");
  const config = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...config, max_position_embeddings: contextLength }));
  return folder;
}
