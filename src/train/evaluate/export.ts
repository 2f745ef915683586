/**
 * Exports a policy for other programs: its adapter, or the whole model with the adapter merged in, as a folder (in the
 * layout of PEFT or Hugging Face) or as one GGUF file, with tokenizer, chat template and generation defaults.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import {
  assert,
  BowlineError,
  listNames,
  readText,
  requireParentFolder,
  writeFileAtomic,
} from "../../core/index.ts";
import type { BaseName, OnnxEngine } from "../../engine/index.ts";
import type { Tokenizer } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { createEngineRequest } from "../parts/engine-request.ts";
import { createTokenizer, publishedModelText } from "../parts/model-source.ts";
import { recognisePolicyWithWeights } from "../policy/recognise-policy.ts";
import {
  createGgufExport,
  type ExportDtype,
  type ExportFormat,
  requireDtype,
} from "./export-gguf.ts";
import { downloadServedWeights } from "./export-served.ts";
import { makeExportTexts } from "./export-texts.ts";
import { findPolicyWeights, type PolicyWeights, withWholeContext } from "./find-policy.ts";
import { hasLoadedWeights } from "./open-weights.ts";

/** The options of `exportPolicy()`. */
export interface ExportOptions {
  /** The path of a run directory, a checkpoint, a Hugging Face folder, a PEFT folder or a GGUF file. */
  readonly policy: string;
  /** The folder or GGUF file of an adapter's base. The default is what the adapter names, if it is on this machine. */
  readonly base?: string | undefined;
  /** The path to write to: a new or empty folder, or with format `gguf` a new file. */
  readonly out: string;
  /** True to export the whole model, false to export the adapter. */
  readonly merged: boolean;
  /** `hf`, the default, is a folder for transformers, PEFT and vLLM. `gguf` is a file for llama.cpp. */
  readonly format?: ExportFormat | undefined;
  /** The type of the exported numbers; the default is float32. */
  readonly dtype?: ExportDtype | undefined;
}

/** The result of `exportPolicy()`. */
export interface ExportResult {
  /** The checkpoint that was exported; for a policy that is no run, its path. */
  readonly checkpoint: string;
  readonly form: "adapter" | "merged";
  readonly format: ExportFormat;
  readonly dtype: ExportDtype;
  /**
   * The base model of an adapter, as the adapter's configuration names it; absent if training began from random
   * weights.
   */
  readonly base?: BaseName;
  readonly out: string;
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
}

/** Files of a checkpoint that are not exported. */
const PRIVATE_FILES = new Set(["policy.json", "trainer.json"]);

/**
 * Exports a policy. Throws a `config` error for wrong options before any work, and a `checkpoint` error for wrong
 * files.
 */
export async function exportPolicy(options: ExportOptions): Promise<ExportResult> {
  const { policy, out, merged, format = "hf", dtype = "f32" } = options;
  const recognised = recognisePolicyWithWeights(policy);
  requireDtype(format, dtype);
  if (format === "gguf") requireNewFile(out);
  else requireNewFolder(out);
  const found = withWholeContext(await findPolicyWeights(recognised, options.base));
  const { config, checkpoint } = found;
  if (config.engine.name !== "tinker" && !merged) requireAdapter(config, policy);
  const tokenizer = readTokenizer(found);
  const asked: ExportRequest = { policy, found, merged, dtype, out, tokenizer };
  const base = format === "gguf" ? await writeGgufFile(asked) : await writeExportFolder(asked);
  const form = merged ? "merged" : "adapter";
  const source = { checkpoint: checkpoint ?? policy, ...(base && { base }) };
  return { ...source, form, format, dtype, out, files: listFiles(out) };
}

interface ExportRequest {
  readonly policy: string;
  readonly found: PolicyWeights;
  readonly merged: boolean;
  readonly dtype: ExportDtype;
  readonly out: string;
  readonly tokenizer: Tokenizer;
}

/** Returns the tokenizer of an exported policy, with the markers of its scaffold if it was trained with some. */
function readTokenizer({ source, checkpoint, config }: PolicyWeights): Tokenizer {
  if (checkpoint !== undefined) {
    return createTokenizer(source, readText(join(checkpoint, "tokenizer.json")), config);
  }
  assert(source.from === "directory", "a policy without a checkpoint is a model on this machine");
  const { tokenizer, config: model } = source.directory;
  return { ...tokenizer, vocabularySize: model.vocabularySize };
}

async function writeExportFolder(asked: ExportRequest): Promise<BaseName | undefined> {
  const { policy, found, out, merged, dtype } = asked;
  const { config, origin, checkpoint } = found;
  // The folder is written under a temporary name and then renamed, so nobody ever sees an incomplete export.
  const partial = `${resolve(out)}.writing`;
  const written = dtype === "bf16" ? "BF16" : "F32";
  const base =
    config.engine.name === "tinker" && checkpoint !== undefined
      ? await downloadServedWeights({ policy, checkpoint, config, origin, merged, dtype }, partial)
      : await withLoadedEngine(asked, (engine) =>
          merged ? engine.exportMerged(partial, written) : engine.exportAdapter(partial, written),
        );
  for (const [name, text] of Object.entries(collectTexts(asked, base))) {
    writeFileAtomic(join(partial, name), text);
  }
  rmSync(out, { recursive: true, force: true });
  renameSync(partial, out);
  return base;
}

/** Returns the texts of an export by file name. Those that came with the policy replace those that are made here. */
function collectTexts(
  { found, merged, out, tokenizer }: ExportRequest,
  base: BaseName | undefined,
): Readonly<Record<string, string>> {
  const { config, source, checkpoint } = found;
  const form = merged ? "merged" : "adapter";
  const isOwn = source.from === "scratch";
  const isTrained = checkpoint !== undefined;
  const made = makeExportTexts({ config, form, base, isOwn, isTrained, tokenizer, out });
  if (checkpoint !== undefined) return { ...made, ...readExportedTexts(checkpoint) };
  const { tokenizerJson, files } = publishedModelText(source)!;
  return { ...made, "tokenizer.json": tokenizerJson, ...files };
}

async function writeGgufFile(asked: ExportRequest): Promise<BaseName | undefined> {
  const { policy, found, out, tokenizer, merged, dtype } = asked;
  const { config, checkpoint } = found;
  if (config.engine.name === "tinker") {
    throw new BowlineError(
      "config",
      `the weights of ${policy} are on a server, which can export only folders: use --format hf`,
    );
  }
  return withLoadedEngine(asked, (engine, base) =>
    engine.exportGguf(
      resolve(out),
      createGgufExport({
        form: merged ? "merged" : "adapter",
        dtype,
        out,
        policy: checkpoint ?? policy,
        rows: tokenizer.vocabularySize,
        texts: collectTexts(asked, base),
        base,
        ...(checkpoint !== undefined && { world: config.world.name }),
      }),
    ),
  );
}

function requireAdapter({ engine }: Config, policy: string): void {
  if ("lora" in engine && engine.lora !== null) return;
  throw new BowlineError(
    "config",
    `${policy} has no adapter but is a whole model; --merged exports the whole model`,
  );
}

/** Calls `write` with an engine that holds the policy's weights. Returns the name of the base model, if any. */
async function withLoadedEngine(
  { found, tokenizer }: ExportRequest,
  write: (engine: OnnxEngine, base: BaseName | undefined) => Promise<void>,
): Promise<BaseName | undefined> {
  const { findBaseName, createOnnxEngine } = await import("../../engine/index.ts");
  const { config, source, weights } = found;
  const { model } = config.engine;
  const base = model === null ? undefined : findBaseName(resolve(model));
  const request = createEngineRequest(found, tokenizer.vocabularySize, source);
  const engine = await createOnnxEngine({ ...request, maxLiveRows: 1 });
  try {
    if (weights !== undefined && !hasLoadedWeights(found, request)) await engine.load(weights);
    await write(engine, base);
  } finally {
    await engine.close();
  }
  return base;
}

/** Throws a `config` error if the folder is not empty, because an export replaces the whole folder. */
function requireNewFolder(out: string): void {
  if (!existsSync(out)) {
    requireParentFolder(out);
    return;
  }
  const isFolder = statSync(out).isDirectory();
  if (isFolder && readdirSync(out).length === 0) return;
  throw new BowlineError(
    "config",
    `--out ${out} is ${isFolder ? "not empty" : "a file"}; name a folder that does not exist`,
  );
}

/** Throws a `config` error if the file exists or does not end in `.gguf`. */
function requireNewFile(out: string): void {
  if (existsSync(out)) {
    throw new BowlineError("config", `--out ${out} exists already; name another file`);
  }
  if (!out.endsWith(".gguf")) {
    throw new BowlineError("config", `--out ${out}: with --format gguf name a file, FILE.gguf`);
  }
  requireParentFolder(out);
}

/** Returns the texts of a checkpoint that are exported, by file name. */
function readExportedTexts(checkpoint: string): Readonly<Record<string, string>> {
  const names = listFiles(checkpoint).flatMap(({ name }) =>
    PRIVATE_FILES.has(name) ? [] : [name],
  );
  return Object.fromEntries(names.map((name) => [name, readText(join(checkpoint, name))]));
}

/** Lists the files of a folder, or the file itself, with their sizes. */
function listFiles(path: string): { name: string; sizeBytes: number }[] {
  const whole = statSync(path);
  if (whole.isFile()) return [{ name: basename(path), sizeBytes: whole.size }];
  return listNames(path)
    .map((name) => ({ name, stats: statSync(join(path, name)) }))
    .filter(({ stats }) => stats.isFile())
    .map(({ name, stats }) => ({ name, sizeBytes: stats.size }));
}
