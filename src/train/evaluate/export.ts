/**
 * A trained policy as other programs load it: its adapter or its whole model, with the adapter merged in, as a folder
 * (PEFT's layout, Hugging Face's) or as one GGUF file. Tokenizer, chat template and generation defaults come along.
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
import { findCheckpoint, readCheckpointPhase } from "./find-policy.ts";

export interface ExportOptions {
  /** A run or checkpoint directory. */
  readonly policy: string;
  /** A folder that is not there yet, or empty; with `gguf` a file that is not there yet. */
  readonly out: string;
  /** The whole model in place of the adapter. */
  readonly merged: boolean;
  /** `hf`, the default: a folder, for transformers, PEFT and vLLM. `gguf`: a file, for llama.cpp. */
  readonly format?: ExportFormat | undefined;
  /** How numbers are written, by format; default float32. */
  readonly dtype?: ExportDtype | undefined;
}

export interface ExportResult {
  readonly checkpoint: string;
  readonly form: "adapter" | "merged";
  readonly format: ExportFormat;
  readonly dtype: ExportDtype;
  /** What an adapter goes on, as its config names it; absent where the weights came from a seed. */
  readonly base?: BaseName;
  readonly out: string;
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
}

/** What is in a checkpoint for ourselves alone. */
const PRIVATE_FILES = new Set(["policy.json", "trainer.json"]);

/** Throws `config` errors on what is asked for wrongly, before any work, and `checkpoint` errors on what is on disk. */
export async function exportPolicy(options: ExportOptions): Promise<ExportResult> {
  const { policy, out, merged, format = "hf", dtype = "f32" } = options;
  const checkpoint = requireCheckpoint(policy);
  requireDtype(format, dtype);
  if (format === "gguf") requireNewFile(out);
  else requireNewFolder(out);
  const phase = await readCheckpointPhase(checkpoint);
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
  const request = () => createEngineRequest(phase, tokenizer.vocabularySize, source);
  const base =
    format === "gguf"
      ? await writeGgufFile(asked, request())
      : await writeExportFolder(asked, request);
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
  // Whoever sees the folder sees all of it.
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
  // The checkpoint's, which came with its model, go before those that are made here.
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
      `the weights of ${policy} are at a service, which gives folders: export them with --format hf`,
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

/** With an engine that holds the checkpoint's weights, and the name of their base if they have one. */
async function withLoadedEngine(
  { checkpoint, config }: ExportRequest,
  request: EngineRequest,
  write: (engine: OnnxEngine, base: BaseName | undefined) => Promise<void>,
): Promise<BaseName | undefined> {
  const { findBaseName: findBaseName, createOnnxEngine } = await import("../../engine/index.ts");
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

/** An export replaces its folder as a whole, so this must not be one that holds anything. */
function requireNewFolder(out: string): void {
  if (!existsSync(out)) {
    requireParentFolder(out);
    return;
  }
  const isFolder = statSync(out).isDirectory();
  if (isFolder && readdirSync(out).length === 0) return;
  throw new BowlineError(
    "config",
    `--out ${out} is ${isFolder ? "not empty" : "a file"}; name a folder that is not there yet`,
  );
}

/** A file appears under a name that has its ending, and replaces nothing. */
function requireNewFile(out: string): void {
  if (existsSync(out)) {
    throw new BowlineError("config", `--out ${out} is there already; name a file that is not`);
  }
  if (!out.endsWith(".gguf")) {
    throw new BowlineError("config", `--out ${out}: with --format gguf name a file, FILE.gguf`);
  }
  requireParentFolder(out);
}

/** Files of a checkpoint that are for others too. */
function listExportedTexts(checkpoint: string): readonly string[] {
  return listFiles(checkpoint).flatMap(({ name }) => (PRIVATE_FILES.has(name) ? [] : [name]));
}

/** Of a folder, or the file itself. */
function listFiles(path: string): { name: string; sizeBytes: number }[] {
  const whole = statSync(path);
  if (whole.isFile()) return [{ name: basename(path), sizeBytes: whole.size }];
  return readdirSync(path)
    .sort()
    .map((name) => ({ name, stats: statSync(join(path, name)) }))
    .filter(({ stats }) => stats.isFile())
    .map(({ name, stats }) => ({ name, sizeBytes: stats.size }));
}
