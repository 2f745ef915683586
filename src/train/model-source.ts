/**
 * Where a policy's first weights come from: random ones in the shape of the section `model`, with a tokenizer trained on
 * the demonstrations; or a published model's folder (`engine.model`), with its own shape and tokenizer.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BowlineError } from "../core/index.ts";
import type { ModelConfig } from "../engine/index.ts";
import type { Tokenizer } from "../spec/index.ts";
import type { Config } from "./config.ts";
import {
  type ModelDirectory,
  markedTokenizer,
  openModelDirectory,
  readModelText,
} from "./model-directory/index.ts";
import { loadTokenizer } from "./tokenizer/load-tokenizer.ts";

export type ModelSource =
  | { readonly from: "scratch" }
  | { readonly from: "directory"; readonly directory: ModelDirectory };

/** Of a run. Throws a `checkpoint` error when the folder is no model that can be run, `config` when it is too small. */
export async function modelSourceOf(config: Config): Promise<ModelSource> {
  if (config.engine.model === null) return { from: "scratch" };
  const directory = await openModelDirectory(config.engine.model);
  requireContext(config, directory);
  return sourceOf(directory);
}

/** Throws a `checkpoint` error when the tokenizer has no room for the scaffold's markers. */
export function sourceOf(directory: ModelDirectory): ModelSource {
  markedTokenizer(directory, directory.config.vocabularySize);
  return { from: "directory", directory };
}

/** Of a run's checkpoint: it keeps what the folder said, so only an adapter still needs the folder of its base. */
export async function checkpointSourceOf(config: Config, checkpoint: string): Promise<ModelSource> {
  const path = join(checkpoint, "engine");
  if (config.engine.model === null) return { from: "scratch" };
  if (!existsSync(join(path, "config.json"))) return modelSourceOf(config);
  const { loadModelConfig } = await import("../engine/index.ts");
  const model = loadModelConfig(path);
  const text = readModelText(checkpoint, model.vocabularySize);
  return { from: "directory", directory: { ...text, path, config: model } };
}

/** `json`: the text of `tokenizer.json`. With the markers of the compact scaffold. */
export function tokenizerOf(source: ModelSource, json: string): Tokenizer {
  if (source.from === "scratch") return loadTokenizer(json);
  const { directory } = source;
  return markedTokenizer(directory, directory.config.vocabularySize);
}

/** The model that the engine is asked for. Never with a longer context than the configuration wants. */
export function modelOf(
  source: ModelSource,
  { model }: Pick<Config, "model">,
  vocabularySize: number,
): ModelConfig {
  if (source.from === "scratch") return { ...model, vocabularySize };
  const { config } = source.directory;
  return { ...config, contextLength: Math.min(config.contextLength, model.contextLength) };
}

/** What the model's makers ask of sampling and the engine does not do, as a sentence; undefined: nothing. */
export function ignoredNote(source: ModelSource): string | undefined {
  if (source.from === "scratch" || source.directory.generation.ignored.length === 0) {
    return undefined;
  }
  const { path, generation } = source.directory;
  return `generation_config.json of ${path} also asks for ${generation.ignored.join(", ")}, which the engine does not do`;
}

function requireContext({ scaffold }: Config, { path, config }: ModelDirectory): void {
  if (scaffold.maxTokens <= config.contextLength) return;
  throw new BowlineError(
    "config",
    `scaffold.maxTokens: expected at most ${config.contextLength}, the context of ${path}, came ${scaffold.maxTokens}`,
  );
}
