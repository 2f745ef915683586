/**
 * Finds where a policy's first weights come from. A new model has random weights in the shape of the section `model`,
 * and its tokenizer is trained on the demonstrations. A published model (`engine.model`) has its own weights, shape and
 * tokenizer.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { COMPACT_TEMPLATE } from "../../agent/index.ts";
import { BowlineError, isFile } from "../../core/index.ts";
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

/** The source of a policy's weights and tokenizer. */
export type ModelSource =
  /**
   * A new model. `shape` is the shape of its weights if they exist already; otherwise the configuration decides the
   * shape.
   */
  | { readonly from: "scratch"; readonly shape?: ModelConfig }
  | { readonly from: "directory"; readonly directory: ModelDirectory }
  /** A server has the weights. Only the tokenizer and texts of the folder are read. */
  | { readonly from: "texts"; readonly directory: TextDirectory };

/**
 * Finds the source of a run's weights. Tokenizer and chat template are those of `textFolder` if it has some. Throws a
 * `checkpoint` error when the folder holds no model that can be run, and a `config` error when the model's context is
 * too short.
 */
export async function findModelSource(config: Config, textFolder?: string): Promise<ModelSource> {
  if (config.engine.model === null) return { from: "scratch" };
  const source: ModelSource =
    config.engine.name === "onnx"
      ? {
          from: "directory",
          directory: await openModelDirectory(config.engine.model, textFolder),
        }
      : { from: "texts", directory: openTextDirectory(config.engine.model) };
  requireSourceFitsConfig(source, config);
  return source;
}

/**
 * Returns the model's folder as the source. Throws a `checkpoint` error when the scaffold cannot be used with the
 * model.
 */
export function useDirectoryAsSource(
  directory: ModelDirectory,
  config: Pick<Config, "scaffold">,
): ModelSource {
  requireScaffoldFitsModel(config, directory, directory.config.vocabularySize);
  return { from: "directory", directory };
}

/** Throws like `findModelSource` when a configuration's scaffold or rows do not fit the source. */
export function requireSourceFitsConfig(source: ModelSource, config: Config): void {
  if (source.from === "scratch") return;
  const { directory } = source;
  const { contextLength, vocabularySize } = "config" in directory ? directory.config : directory;
  requireRowsFitContext(config, directory.path, contextLength);
  requireScaffoldFitsModel(config, directory, vocabularySize);
}

/**
 * Throws if the scaffold needs a chat template and the model has none, or if it needs markers and the vocabulary has no
 * room for them.
 */
function requireScaffoldFitsModel(
  { scaffold }: Pick<Config, "scaffold">,
  text: ModelText,
  vocabularySize: number,
): void {
  if (scaffoldUsesChatTemplate(scaffold.name)) text.chatTemplate();
  else addCompactMarkers(text, vocabularySize);
}

/**
 * Returns the template, stop token and limits of a new model. The template is a chat template, or bare code between
 * markers.
 */
export function chatFormatOfNewModel({
  scaffold,
  model,
}: Pick<Config, "scaffold" | "model">): ChatFormat {
  const { contextLength } = model;
  if (scaffoldUsesChatTemplate(scaffold.name)) return defaultChatFormat(contextLength);
  return { template: COMPACT_TEMPLATE, end: "<|run|>", pad: "<|pad|>", contextLength };
}

/** Returns the special tokens of a new model's tokenizer, in the order of their ids, which begin at 0. */
export function newModelSpecialTokens({ scaffold }: Pick<Config, "scaffold">): readonly string[] {
  return scaffoldUsesChatTemplate(scaffold.name) ? CHAT_TOKENS : SPECIAL_TOKENS;
}

/** Returns the tokenizer and chat template of a policy: those of a published model, or those of a new model. */
export function readModelTextOfPolicy(
  source: ModelSource,
  tokenizerJson: string,
  config: Pick<Config, "scaffold" | "model">,
): ModelText {
  return (
    publishedModelText(source) ?? createNewModelText(tokenizerJson, chatFormatOfNewModel(config))
  );
}

/** Returns the tokenizer and chat template of a published model; undefined for a new model. */
export function publishedModelText(source: ModelSource | undefined): ModelText | undefined {
  return source === undefined || source.from === "scratch" ? undefined : source.directory;
}

/** Returns true if the model has a chat template but the scaffold uses markers instead. */
export function ignoresChatTemplate(source: ModelSource, { scaffold }: Config): boolean {
  return scaffoldUsesMarkers(scaffold.name) && publishedModelText(source)?.hasChatTemplate === true;
}

/**
 * Finds the source of a checkpoint's model. The folder of the base model is needed only if the checkpoint is an
 * adapter.
 */
export async function findCheckpointSource(
  config: Config,
  checkpoint: string,
): Promise<ModelSource> {
  const path = join(checkpoint, "engine");
  if (!existsSync(join(path, "config.json"))) return findModelSource(config, checkpoint);
  const { loadModelConfig } = await import("../../engine/index.ts");
  const model = loadModelConfig(path);
  if (config.engine.model === null) return { from: "scratch", shape: model };
  const text = readModelText(checkpoint, model.vocabularySize);
  return { from: "directory", directory: { ...text, path, config: model } };
}

/** Creates the tokenizer from the text of a `tokenizer.json`. It adds markers if the scaffold uses them. */
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

/** Returns the shape of the model that the engine is asked for. Its context is at most that of the configuration. */
export function requestedModelShape(
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
    // The server decides the rest of the shape.
    const contextLength = Math.min(source.directory.contextLength, model.contextLength);
    return { ...modelShape(model, vocabularySize), contextLength };
  }
  const { config } = source.directory;
  return { ...config, contextLength: Math.min(config.contextLength, model.contextLength) };
}

/**
 * Names what the files of a model ask for and the engine ignores: options of `generation_config.json`, and unknown
 * fields of the model's own file. Returns undefined if there is nothing.
 */
export function describeIgnoredFields(source: ModelSource): string | undefined {
  if (source.from === "scratch") return undefined;
  const { path, generation, namedTokenizerFields } = source.directory;
  const fields = source.from === "directory" ? (source.directory.namedFields ?? []) : [];
  const sentences = [
    generation.ignored.length > 0 &&
      `generation_config.json of ${path} also asks for ${generation.ignored.join(", ")}, which the engine ignores`,
    namedTokenizerFields.length > 0 &&
      `tokenizer_config.json or special_tokens_map.json of ${path} has ${namedTokenizerFields.join(", ")}, which nothing reads`,
    fields.length > 0 &&
      `${isFile(path) ? path : join(path, "config.json")} has ${fields.join(", ")}, which the engine does not read`,
  ];
  return sentences.filter((sentence) => sentence !== false).join("; ") || undefined;
}

function requireRowsFitContext({ scaffold }: Config, path: string, contextLength: number): void {
  if (scaffold.maxTokens <= contextLength) return;
  throw new BowlineError(
    "config",
    `scaffold.maxTokens: expected at most ${contextLength}, the context of ${path}, got ${scaffold.maxTokens}`,
  );
}
