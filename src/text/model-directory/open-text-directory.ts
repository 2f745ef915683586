/**
 * Opens the folder or GGUF file of a model whose weights are on a server, and reads its tokenizer, its chat template
 * and its stop ids. That is enough to talk to the model, whatever its architecture, so no weights are needed.
 */
import { existsSync } from "node:fs";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { configTextSchema } from "./config-format.ts";
import { type ModelFiles, openModelFiles } from "./model-files.ts";
import { type ModelText, modelTextFromFiles } from "./model-text.ts";

/** The tokenizer and chat template of a model, with its vocabulary size and context length. */
export interface TextDirectory extends ModelText {
  readonly path: string;
  /** The number of rows of the embedding, or of ids of the tokenizer if there is no `config.json`. */
  readonly vocabularySize: number;
  /** The context length in tokens, or Infinity if no file says it. */
  readonly contextLength: number;
}

/**
 * Opens a folder or a GGUF file. It downloads nothing. Throws a `checkpoint` error that names the file and the problem.
 */
export function openTextDirectory(path: string): TextDirectory {
  if (!existsSync(path)) {
    throw new BowlineError(
      "checkpoint",
      `there is no folder ${path}; models are not downloaded, so name a folder with tokenizer.json, tokenizer_config.json and config.json, or a GGUF file`,
    );
  }
  const files = openModelFiles(path);
  const { vocabularySize, contextLength, stop } = readSizes(files);
  const text = modelTextFromFiles(files, vocabularySize ?? Infinity, stop);
  return {
    ...text,
    path,
    vocabularySize: vocabularySize ?? text.tokenizer.vocabularySize,
    contextLength: contextLength ?? Infinity,
  };
}

interface Sizes {
  readonly vocabularySize?: number | undefined;
  readonly contextLength?: number | undefined;
  readonly stop?: unknown;
}

function readSizes(files: ModelFiles): Sizes {
  const text = files.read("config.json");
  if (text === undefined) return {};
  const parsed = configTextSchema.safeParse(parseJson(text, files.displayPath("config.json")));
  if (!parsed.success) {
    throw new BowlineError(
      "checkpoint",
      `${files.displayPath("config.json")}: ${errorMessage(parsed.error)}`,
    );
  }
  const { text_config: inner, ...outer } = parsed.data;
  return {
    vocabularySize: inner?.vocab_size ?? outer.vocab_size ?? undefined,
    contextLength: inner?.max_position_embeddings ?? outer.max_position_embeddings ?? undefined,
    stop: inner?.eos_token_id ?? outer.eos_token_id,
  };
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BowlineError("checkpoint", `cannot read ${path}: ${errorMessage(cause)}`, { cause });
  }
}
