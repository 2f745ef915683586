/**
 * Opens the base model of a server: a published model's folder or GGUF file, a run or checkpoint of ours, or a small
 * model with random weights. The result is a path from which every engine of the server reads its weights, and a folder
 * with a tokenizer that clients can load. Files that do not exist yet are written first.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isFile } from "../../core/index.ts";
import type { ModelConfig } from "../../engine/index.ts";
import type { Config, ModelDirectory } from "../../train/index.ts";
import type { BaseModel } from "./backend.ts";

export type BaseSource =
  /** The source is a Hugging Face folder or a GGUF file. */
  | { readonly from: "folder"; readonly path: string }
  /** The source is a run or a checkpoint of a run. */
  | { readonly from: "checkpoint"; readonly path: string }
  /** The source is a model with random weights, drawn with `run.seed`. */
  | { readonly from: "scratch"; readonly config: Pick<Config, "model" | "run"> };

/** The vocabulary of a tokenizer without merges: four special tokens and 256 bytes. */
const BYTE_VOCABULARY_SIZE = 260;

export interface OpenedBase {
  readonly base: BaseModel;
  readonly model: ModelConfig;
  /** The folder or GGUF file with the weights. */
  readonly directory: string;
}

export interface OpenBaseOptions {
  /** An existing folder for files that have to be written. */
  readonly stateDirectory: string;
  /** The longest row in tokens. A model's own context may be shorter. */
  readonly contextLength: number;
}

/** Throws a `checkpoint` error when the model cannot be run, and a `config` error when the source does not exist. */
export async function openBase(source: BaseSource, options: OpenBaseOptions): Promise<OpenedBase> {
  const directory = await prepareModelPath(source, join(options.stateDirectory, "base"));
  const { openModelDirectory } = await import("../../train/index.ts");
  const opened = await openModelDirectory(directory);
  const contextLength = Math.min(opened.config.contextLength, options.contextLength);
  const model = { ...opened.config, contextLength };
  const base = {
    name: baseModelName(source),
    vocabularySize: model.vocabularySize,
    contextLength,
    stopIds: opened.generation.stopIds,
    tokenizer: opened.tokenizer,
    tokenizerDirectory: isFile(directory)
      ? writeTokenizerFiles(opened, join(options.stateDirectory, "tokenizer"))
      : directory,
  };
  return { base, model, directory };
}

async function prepareModelPath(source: BaseSource, targetDirectory: string): Promise<string> {
  if (source.from === "folder") return resolve(source.path);
  rmSync(targetDirectory, { recursive: true, force: true });
  if (source.from === "checkpoint") {
    const { exportPolicy } = await import("../../train/index.ts");
    await exportPolicy({ policy: source.path, out: targetDirectory, merged: true });
    return resolve(targetDirectory);
  }
  const { createOnnxEngine } = await import("../../engine/index.ts");
  const { trainTokenizer } = await import("../../text/index.ts");
  const { modelShape: shapeOf } = await import("../../train/index.ts");
  const { model, run } = source.config;
  const shape = shapeOf(model, BYTE_VOCABULARY_SIZE);
  const engine = await createOnnxEngine({ model: shape, seed: run.seed, maxLiveRows: 1 });
  try {
    await engine.exportMerged(resolve(targetDirectory));
  } finally {
    await engine.close();
  }
  const bytes = trainTokenizer([], { vocabularySize: BYTE_VOCABULARY_SIZE, minimumCount: 2 });
  writeFileSync(join(targetDirectory, "tokenizer.json"), bytes);
  return resolve(targetDirectory);
}

/** Writes the tokenizer files of a GGUF file into a folder, so that other programs can load them. Returns its path. */
function writeTokenizerFiles({ tokenizerJson, files }: ModelDirectory, folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries({ "tokenizer.json": tokenizerJson, ...files })) {
    writeFileSync(join(folder, name), text);
  }
  return resolve(folder);
}

function baseModelName(source: BaseSource): string {
  if (source.from === "scratch") return "bowline-small";
  const path = resolve(source.path);
  const isPart = existsSync(join(path, "policy.json"));
  return basename(isPart ? resolve(path, "..", "..") : path);
}
