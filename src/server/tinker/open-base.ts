/**
 * Opens the base model of a server: the policy at a path (a model, a run or checkpoint, an adapter), or a small model
 * with random weights. The result is a path from which every engine of the server reads its weights, and a folder
 * with a tokenizer that clients can load. Files that do not exist yet are written first.
 */
import { rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createFolder, isFile } from "../../core/index.ts";
import type { ModelConfig } from "../../engine/index.ts";
import type { Config, ModelDirectory, PolicyWithWeights } from "../../train/index.ts";
import type { BaseModel } from "./backend.ts";

export type BaseSource =
  /** The source is a policy with weights. `base` is the base model of an adapter, if the user named one. */
  | { readonly from: "policy"; readonly path: string; readonly base?: string }
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
  /** A folder for files that have to be written. It is created when it is missing. */
  readonly stateDirectory: string;
  /** The longest row in tokens. A model's own context may be shorter. */
  readonly contextLength: number;
}

/** Throws a `checkpoint` error when the model cannot be run, and a `config` error when the source does not exist. */
export async function openBase(source: BaseSource, options: OpenBaseOptions): Promise<OpenedBase> {
  const { openModelDirectory, recognisePolicyWithWeights } = await import("../../train/index.ts");
  const policy = source.from === "policy" ? recognisePolicyWithWeights(source.path) : undefined;
  createFolder(options.stateDirectory);
  const written = join(options.stateDirectory, "base");
  const directory =
    source.from === "policy"
      ? await preparePolicy(source, policy!, written)
      : await writeRandomModel(source.config, written);
  const opened = await openModelDirectory(directory);
  const contextLength = Math.min(opened.config.contextLength, options.contextLength);
  const model = { ...opened.config, contextLength };
  const base = {
    name: baseModelName(policy),
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

/** Returns the path of a whole model with a policy's weights, which is written to `folder` if there is none yet. */
async function preparePolicy(
  { path, base }: Extract<BaseSource, { readonly from: "policy" }>,
  { kind }: PolicyWithWeights,
  folder: string,
): Promise<string> {
  if ((kind === "model" || kind === "gguf") && base === undefined) return resolve(path);
  const { exportPolicy } = await import("../../train/index.ts");
  rmSync(folder, { recursive: true, force: true });
  await exportPolicy({ policy: path, base, out: folder, merged: true });
  return resolve(folder);
}

async function writeRandomModel(
  { model, run }: Pick<Config, "model" | "run">,
  folder: string,
): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  const { createOnnxEngine } = await import("../../engine/index.ts");
  const { trainTokenizer } = await import("../../text/index.ts");
  const { modelShape: shapeOf } = await import("../../train/index.ts");
  const shape = shapeOf(model, BYTE_VOCABULARY_SIZE);
  const engine = await createOnnxEngine({ model: shape, seed: run.seed, maxLiveRows: 1 });
  try {
    await engine.exportMerged(resolve(folder));
  } finally {
    await engine.close();
  }
  const bytes = trainTokenizer([], { vocabularySize: BYTE_VOCABULARY_SIZE, minimumCount: 2 });
  writeFileSync(join(folder, "tokenizer.json"), bytes);
  return resolve(folder);
}

/** Writes the tokenizer files of a GGUF file into a folder, so that other programs can load them. Returns its path. */
function writeTokenizerFiles({ tokenizerJson, files }: ModelDirectory, folder: string): string {
  createFolder(folder);
  for (const [name, text] of Object.entries({ "tokenizer.json": tokenizerJson, ...files })) {
    writeFileSync(join(folder, name), text);
  }
  return resolve(folder);
}

/** Returns the name of the base model for clients: that of its run, folder or file. */
function baseModelName(policy: PolicyWithWeights | undefined): string {
  if (policy === undefined) return "bowline-small";
  return policy.kind === "checkpoint"
    ? basename(resolve(policy.checkpoint, "..", ".."))
    : basename(resolve(policy.path));
}
