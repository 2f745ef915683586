/** A tiny instruction model of random weights in a folder: the golden one that transformers wrote, with a longer context. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Writes it into `folder` and returns that. `context`: a fenced prompt is about 700 of its short tokens. */
export function writeInstructModel(folder: string, context = 4096): string {
  mkdirSync(folder, { recursive: true });
  cpSync(fileURLToPath(new URL("../golden/hf-qwen2", import.meta.url)), folder, {
    recursive: true,
  });
  const path = join(folder, "config.json");
  const config = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...config, max_position_embeddings: context }));
  return folder;
}
