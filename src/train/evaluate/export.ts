/**
 * Exports a trained policy for other programs, either its adapter or the whole model with the adapter merged in. The
 * result is a folder in the layout of PEFT or Hugging Face, or one GGUF file. It includes the tokenizer, the chat
 * template and the defaults for generation.
 */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { BowlineError, requireParentFolder, writeFileAtomic } from "../../core/index.ts";
import type { BaseName, OnnxEngine } from "../../engine/index.ts";
import type { Tokenizer } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { createEngineRequest, type EngineRequest } from "../parts/engine-request.ts";
import { createTokenizer, findCheckpointSource, type ModelSource } from "../parts/model-source.ts";
import {
  createGgufExport,
  type ExportDtype,
  type ExportFormat,
  requireDtype,
} from "./export-gguf.ts";
import { downloadServedWeights, type ServedExport } from "./export-served.ts";
import { makeExportTexts } from "./export-texts.ts";
import { findCheckpoint, readCheckpointConfig } from "./find-policy.ts";

/** The options of `exportPolicy()`. */
export interface ExportOptions {
  /** The path of a run or checkpoint directory. */
  readonly policy: string;
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
  const checkpoint = requireCheckpoint(policy);
  requireDtype(format, dtype);
  if (format === "gguf") requireNewFile(out);
  else requireNewFolder(out);
  const phase = await readCheckpointConfig(checkpoint);
  const { config } = phase;
  const isServed = config.engine.name === "tinker";
  if (!isServed && !merged) requireAdapter(config, policy);
  const source = await findCheckpointSource(config, checkpoint);
  const json = readFileSync(join(checkpoint, "tokenizer.json"), "utf8");
  const tokenizer = createTokenizer(source, json, config);
  const asked: ExportRequest = {
    policy,
    checkpoint,
    config,
    merged,
    dtype,
    out,
    source,
    tokenizer,
  };
  const createRequest = () => createEngineRequest(phase, tokenizer.vocabularySize, source);
  const base =
    format === "gguf"
      ? await writeGgufFile(asked, createRequest())
      : await writeExportFolder(asked, createRequest);
  const form = merged ? "merged" : "adapter";
  return { checkpoint, form, format, dtype, ...(base && { base }), out, files: listFiles(out) };
}

interface ExportRequest extends ServedExport {
  readonly out: string;
  readonly source: ModelSource;
  readonly tokenizer: Tokenizer;
}

async function writeExportFolder(
  asked: ExportRequest,
  request: () => EngineRequest,
): Promise<BaseName | undefined> {
  const { config, checkpoint, out, tokenizer, merged, dtype } = asked;
  // The folder is written under a temporary name and then renamed, so nobody ever sees an incomplete export.
  const partial = `${resolve(out)}.writing`;
  const written = dtype === "bf16" ? "BF16" : "F32";
  const base =
    config.engine.name === "tinker"
      ? await downloadServedWeights(asked, partial)
      : await withLoadedEngine(asked, request(), (engine) =>
          merged ? engine.exportMerged(partial, written) : engine.exportAdapter(partial, written),
        );
  const form = merged ? "merged" : "adapter";
  const isOwn = asked.source.from === "scratch";
  const made = makeExportTexts({ config, form, base, isOwn, tokenizer, out });
  for (const [name, text] of Object.entries(made)) writeFileAtomic(join(partial, name), text);
  // If the checkpoint has a text from its own model, this text replaces the one that is made here.
  for (const name of listExportedTexts(checkpoint))
    copyFileSync(join(checkpoint, name), join(partial, name));
  rmSync(out, { recursive: true, force: true });
  renameSync(partial, out);
  return base;
}

async function writeGgufFile(
  asked: ExportRequest,
  request: EngineRequest,
): Promise<BaseName | undefined> {
  const { policy, config, checkpoint, out, tokenizer, merged, dtype } = asked;
  if (config.engine.name === "tinker") {
    throw new BowlineError(
      "config",
      `the weights of ${policy} are on a server, which can export only folders: use --format hf`,
    );
  }
  const form = merged ? "merged" : "adapter";
  const isOwn = asked.source.from === "scratch";
  return withLoadedEngine(asked, request, (engine, base) => {
    const made = makeExportTexts({ config, form, base, isOwn, tokenizer, out });
    const kept = listExportedTexts(checkpoint).map((name) => [
      name,
      readFileSync(join(checkpoint, name), "utf8"),
    ]);
    const texts = { ...made, ...Object.fromEntries(kept) };
    const rows = tokenizer.vocabularySize;
    return engine.exportGguf(
      resolve(out),
      createGgufExport({
        form,
        dtype,
        out,
        checkpoint,
        rows,
        texts,
        base,
        world: config.world.name,
      }),
    );
  });
}

function requireAdapter({ engine }: Config, policy: string): void {
  if ("lora" in engine && engine.lora !== null) return;
  throw new BowlineError(
    "config",
    `${policy} has no adapter, because all its weights were trained; --merged exports the whole model`,
  );
}

/**
 * Calls `write` with an engine that holds the checkpoint's weights. Returns the name of the base model; undefined if
 * there is none.
 */
async function withLoadedEngine(
  { checkpoint, config }: ExportRequest,
  request: EngineRequest,
  write: (engine: OnnxEngine, base: BaseName | undefined) => Promise<void>,
): Promise<BaseName | undefined> {
  const { findBaseName, createOnnxEngine } = await import("../../engine/index.ts");
  const { model } = config.engine;
  const base = model === null ? undefined : findBaseName(resolve(model));
  const engine = await createOnnxEngine({ ...request, maxLiveRows: 1 });
  try {
    const weights = join(checkpoint, "engine");
    if (weights !== request.weights) await engine.load(weights);
    await write(engine, base);
  } finally {
    await engine.close();
  }
  return base;
}

function requireCheckpoint(policy: string): string {
  if (existsSync(policy)) return findCheckpoint(policy);
  throw new BowlineError("config", `there is no run or checkpoint ${policy}`);
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

/** Returns the names of the checkpoint's text files that are exported. */
function listExportedTexts(checkpoint: string): readonly string[] {
  return listFiles(checkpoint).flatMap(({ name }) => (PRIVATE_FILES.has(name) ? [] : [name]));
}

/** Lists the files of a folder, or the file itself, with their sizes. */
function listFiles(path: string): { name: string; sizeBytes: number }[] {
  const whole = statSync(path);
  if (whole.isFile()) return [{ name: basename(path), sizeBytes: whole.size }];
  return readdirSync(path)
    .sort()
    .map((name) => ({ name, stats: statSync(join(path, name)) }))
    .filter(({ stats }) => stats.isFile())
    .map(({ name, stats }) => ({ name, sizeBytes: stats.size }));
}
