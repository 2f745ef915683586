/**
 * A folder as Hugging Face programs save it, or a GGUF file, opened: everything about the model but its numbers. The
 * text half is the text layer's, configuration and shapes of tensors are the engine's; here they meet.
 *
 * All that can be wrong is found here, before anything is started: another architecture, a scaling of positions that we
 * do not compute, tensors that are missing, unknown, misshapen or cut short, a foreign tokenizer, a broken template.
 * Only the numbers themselves are looked at later, when the engine reads them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, isFile, readJson, requireNonEmptyText } from "../../core/index.ts";
import type { ModelConfig } from "../../engine/index.ts";
import { type ModelText, readModelText } from "../../text/index.ts";

/** A published model on disk: its shape, tokenizer and chat template. */
export interface ModelDirectory extends ModelText {
  readonly path: string;
  readonly config: ModelConfig;
}

/** Nothing is downloaded. Throws a `checkpoint` error that names the file, and what in it is wrong. */
export async function openModelDirectory(path: string): Promise<ModelDirectory> {
  requireNonEmptyText("the model", path, "the path of a folder or of a GGUF file");
  if (!existsSync(path)) {
    throw new BowlineError(
      "checkpoint",
      `there is no folder ${path}; models are not downloaded, so name a folder with config.json, safetensors and tokenizer.json, or a GGUF file`,
    );
  }
  const { checkWeightFiles: checkWeightFiles, loadModelConfig } = await import(
    "../../engine/index.ts"
  );
  const config = loadModelConfig(path);
  const text = readModelText(
    path,
    config.vocabularySize,
    isFile(path) ? undefined : readStopIds(path),
  );
  checkWeightFiles(path, config);
  return { ...text, path, config };
}

/** The stop ids of a folder's `config.json`; a GGUF file has none but those of its tokenizer. */
function readStopIds(directory: string): unknown {
  return (readJson(join(directory, "config.json")) as { eos_token_id?: unknown }).eos_token_id;
}
