/**
 * Opens a model: a folder in the layout of Hugging Face, or a GGUF file. Everything except the weights is read. The
 * text layer reads the tokenizer and the chat template. The engine reads the configuration and the shapes of the
 * tensors.
 *
 * Every problem is found here, before anything starts: an unsupported architecture or scaling of positions, tensors
 * that are missing, unknown, of a wrong shape or cut short, a tokenizer of another model, or a broken template. Only
 * the weights themselves are read later, by the engine.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, requireNonEmptyText } from "../../core/index.ts";
import type { ModelConfig } from "../../engine/index.ts";
import { type ModelText, readModelText, readModelTextOfFolders } from "../../text/index.ts";

/** A published model on disk: its shape, tokenizer and chat template. */
export interface ModelDirectory extends ModelText {
  readonly path: string;
  readonly config: ModelConfig;
  /** Fields of the model's own file that are not obeyed, and that no program is known to obey. */
  readonly namedFields?: readonly string[];
}

/**
 * Opens the model at `path` and downloads nothing. When `textFolder` has a tokenizer, as adapters and checkpoints that
 * belong to the model do, tokenizer and chat template are read there. Throws a `checkpoint` error that names the file
 * and the problem.
 */
export async function openModelDirectory(
  path: string,
  textFolder?: string,
): Promise<ModelDirectory> {
  requireNonEmptyText("the model", path, "the path of a folder or of a GGUF file");
  if (!existsSync(path)) {
    throw new BowlineError(
      "checkpoint",
      `there is no folder ${path}; models are not downloaded, so name a folder with config.json, safetensors and tokenizer.json, or a GGUF file`,
    );
  }
  const hasFile = (name: string) => existsSync(join(path, name));
  if (hasFile("adapter_config.json") && !hasFile("config.json")) {
    throw new BowlineError(
      "checkpoint",
      `${path} is an adapter and no model: give it as a policy (bowline chat, eval, export; train --warm), and its base as --engine.model`,
    );
  }
  const { checkWeightFiles, loadModelDescription } = await import("../../engine/index.ts");
  const { config, stopIds, namedFields } = loadModelDescription(path);
  const text =
    textFolder !== undefined && existsSync(join(textFolder, "tokenizer.json"))
      ? readModelTextOfFolders(textFolder, path, config.vocabularySize, stopIds)
      : readModelText(path, config.vocabularySize, stopIds);
  checkWeightFiles(path, config);
  return { ...text, path, config, namedFields };
}
