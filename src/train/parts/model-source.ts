/**
 * Where a policy's first weights come from: random ones in the shape of the section `model`, with a tokenizer trained
 * on the demonstrations; or a published model's folder or GGUF file (`engine.model`), with its own shape and tokenizer.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { COMPACT_TEMPLATE } from "../../agent/index.ts";
import { BowlineError } from "../../core/index.ts";
import type { ModelConfig } from "../../engine/index.ts";
import type { Tokenizer } from "../../spec/index.ts";
import {
  addCompactMarkers,
  CHAT_TOKENS,
  type ChatFormat,
  createNewModelText,
  defaultChatFormat,
  loadTokenizer,
  type ModelText,
  openTextDirectory,
  readModelText,
  SPECIAL_TOKENS,
  type TextDirectory,
} from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import { modelShape } from "../config/model-shape.ts";
import { scaffoldUsesChatTemplate, scaffoldUsesMarkers } from "../config/scaffolds.ts";
import { type ModelDirectory, openModelDirectory } from "./open-model-directory.ts";

export type ModelSource =
  /** `shape`: that of weights which are there already; absent: what the configuration says. */
  | { readonly from: "scratch"; readonly shape?: ModelConfig }
  | { readonly from: "directory"; readonly directory: ModelDirectory }
  /** The weights are a server's; of the folder only the texts are read. */
  | { readonly from: "texts"; readonly directory: TextDirectory };

/** Of a run. Throws a `checkpoint` error when the folder is no model that can be run, `config` when it is too small. */
export async function findModelSource(config: Config): Promise<ModelSource> {
  if (config.engine.model === null) return { from: "scratch" };
  if (config.engine.name !== "onnx") {
    const directory = openTextDirectory(config.engine.model);
    requireRowsFitContext(config, directory.path, directory.contextLength);
    requireScaffoldFitsModel(config, directory, directory.vocabularySize);
    return { from: "texts", directory };
  }
  const directory = await openModelDirectory(config.engine.model);
  requireRowsFitContext(config, directory.path, directory.config.contextLength);
  return directorySource(directory, config);
}

/** Throws a `checkpoint` error when the configured scaffold cannot speak with the model. */
export function directorySource(
  directory: ModelDirectory,
  config: Pick<Config, "scaffold">,
): ModelSource {
  requireScaffoldFitsModel(config, directory, directory.config.vocabularySize);
  return { from: "directory", directory };
}

/** A chat template for a scaffold that speaks in one; room in the tokenizer for the markers of the others. */
function requireScaffoldFitsModel(
  { scaffold }: Pick<Config, "scaffold">,
  text: ModelText,
  vocabularySize: number,
): void {
  if (scaffoldUsesChatTemplate(scaffold.name)) text.chatTemplate();
  else addCompactMarkers(text, vocabularySize);
}

/** How conversations with a model that is made here are written: in chat form, or as bare code between markers. */
export function newModelText({ scaffold, model }: Pick<Config, "scaffold" | "model">): ChatFormat {
  const { contextLength } = model;
  if (scaffoldUsesChatTemplate(scaffold.name)) return defaultChatFormat(contextLength);
  return { template: COMPACT_TEMPLATE, end: "<|run|>", pad: "<|pad|>", contextLength };
}

/** Special tokens of its tokenizer, from id 0. */
export function newModelSpecialTokens({ scaffold }: Pick<Config, "scaffold">): readonly string[] {
  return scaffoldUsesChatTemplate(scaffold.name) ? CHAT_TOKENS : SPECIAL_TOKENS;
}

/** How any policy's conversations are written: a published model's own way, or that of a model made here. */
export function modelText(
  source: ModelSource,
  tokenizerJson: string,
  config: Pick<Config, "scaffold" | "model">,
): ModelText {
  return publishedModelText(source) ?? createNewModelText(tokenizerJson, newModelText(config));
}

/** How conversations with a published model are written; undefined: it is no published one. */
export function publishedModelText(source: ModelSource | undefined): ModelText | undefined {
  return source === undefined || source.from === "scratch" ? undefined : source.directory;
}

/** True where a model that has a chat template of its own is talked to in bare code. */
export function ignoresChatTemplate(source: ModelSource, { scaffold }: Config): boolean {
  return scaffoldUsesMarkers(scaffold.name) && publishedModelText(source)?.hasChatTemplate === true;
}

/**
 * Of a run's checkpoint: it keeps what the folder said, so only an adapter still needs the folder of its base, and the
 * shape of a model that was made here.
 */
export async function findCheckpointSource(
  config: Config,
  checkpoint: string,
): Promise<ModelSource> {
  const path = join(checkpoint, "engine");
  if (!existsSync(join(path, "config.json"))) return findModelSource(config);
  const { loadModelConfig } = await import("../../engine/index.ts");
  const model = loadModelConfig(path);
  if (config.engine.model === null) return { from: "scratch", shape: model };
  const text = readModelText(checkpoint, model.vocabularySize);
  return { from: "directory", directory: { ...text, path, config: model } };
}

/** `json`: the text of `tokenizer.json`. For scaffolds that speak between markers with these. */
export function createTokenizer(
  source: ModelSource,
  json: string,
  { scaffold }: Pick<Config, "scaffold">,
): Tokenizer {
  if (source.from === "scratch") return loadTokenizer(json);
  const { directory } = source;
  const { vocabularySize } = source.from === "texts" ? source.directory : source.directory.config;
  if (scaffoldUsesChatTemplate(scaffold.name)) return { ...directory.tokenizer, vocabularySize };
  return addCompactMarkers(directory, vocabularySize);
}

/** The model that the engine is asked for. Never with a longer context than the configuration wants. */
export function requestedModel(
  source: ModelSource,
  { model }: Pick<Config, "model">,
  vocabularySize: number,
): ModelConfig {
  if (source.from === "scratch") {
    return {
      ...(source.shape ?? modelShape(model, vocabularySize)),
      contextLength: model.contextLength,
    };
  }
  if (source.from === "texts") {
    // The server knows the rest.
    const contextLength = Math.min(source.directory.contextLength, model.contextLength);
    return { ...modelShape(model, vocabularySize), contextLength };
  }
  const { config } = source.directory;
  return { ...config, contextLength: Math.min(config.contextLength, model.contextLength) };
}

/** Names the sampling options of the model's makers that the engine does not do; undefined when there are none. */
export function describeIgnoredSampling(source: ModelSource): string | undefined {
  if (source.from === "scratch" || source.directory.generation.ignored.length === 0) {
    return undefined;
  }
  const { path, generation } = source.directory;
  return `generation_config.json of ${path} also asks for ${generation.ignored.join(", ")}, which the engine does not do`;
}

function requireRowsFitContext({ scaffold }: Config, path: string, contextLength: number): void {
  if (scaffold.maxTokens <= contextLength) return;
  throw new BowlineError(
    "config",
    `scaffold.maxTokens: expected at most ${contextLength}, the context of ${path}, got ${scaffold.maxTokens}`,
  );
}
