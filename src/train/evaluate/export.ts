/**
 * A trained policy as a folder that other programs load: its adapter in PEFT's layout, or its whole model in Hugging
 * Face's, with the adapter merged in. Tokenizer, chat template and generation defaults come along.
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
import { join, resolve } from "node:path";
import { BowlineError, requireFolderOf, writeFileAtomic } from "../../core/index.ts";
import type { BaseName } from "../../engine/index.ts";
import type { Config } from "../config/config.ts";
import { type EngineRequest, engineRequest } from "../open/makers.ts";
import { checkpointSourceOf, tokenizerOf } from "../open/model-source.ts";
import { type ServedExport, writeServed } from "./export-served.ts";
import { exportTexts } from "./export-texts.ts";
import { checkpointOf, phaseOf } from "./subject.ts";

export interface ExportOptions {
  /** A run or checkpoint directory. */
  readonly policy: string;
  /** A folder that is not there yet, or empty. */
  readonly out: string;
  /** The whole model in place of the adapter. */
  readonly merged: boolean;
  /** How numbers are written; default float32. */
  readonly dtype?: "f32" | "bf16" | undefined;
}

export interface ExportResult {
  readonly checkpoint: string;
  readonly form: "adapter" | "merged";
  readonly dtype: "f32" | "bf16";
  /** What an adapter goes on, as its config names it; absent where the weights came from a seed. */
  readonly base?: BaseName;
  readonly out: string;
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
}

/** What is in a checkpoint for ourselves alone. */
const OWN_FILES = new Set(["policy.json", "trainer.json"]);

/** Throws `config` errors on what is asked for wrongly, before any work, and `checkpoint` errors on what is on disk. */
export async function exportPolicy({
  policy,
  out,
  merged,
  dtype = "f32",
}: ExportOptions): Promise<ExportResult> {
  const checkpoint = checkpointNamed(policy);
  requireEmpty(out);
  const phase = await phaseOf(checkpoint);
  const { config } = phase;
  const isServed = config.engine.name === "tinker";
  if (!isServed && !merged) requireAdapter(config, policy);
  const source = await checkpointSourceOf(config, checkpoint);
  const json = readFileSync(join(checkpoint, "tokenizer.json"), "utf8");
  const tokenizer = tokenizerOf(source, json, config);
  // Whoever sees the folder sees all of it.
  const partial = `${resolve(out)}.writing`;
  const asked = { policy, checkpoint, config, merged, dtype };
  const base = isServed
    ? await writeServed(asked, partial)
    : await writeHeld(asked, engineRequest(phase, tokenizer.vocabularySize, source), partial);
  const form = merged ? "merged" : "adapter";
  const isOwn = source.from === "scratch";
  writeTexts(checkpoint, partial, exportTexts({ config, form, base, isOwn, tokenizer, out }));
  rmSync(out, { recursive: true, force: true });
  renameSync(partial, out);
  return { checkpoint, form, dtype, ...(base && { base }), out, files: filesOf(out) };
}

function requireAdapter({ engine }: Config, policy: string): void {
  if ("lora" in engine && engine.lora !== null) return;
  throw new BowlineError(
    "config",
    `${policy} has no adapter, because all its weights were trained; --merged exports the whole model`,
  );
}

/** From a checkpoint that holds its weights. */
async function writeHeld(
  { checkpoint, config, merged, dtype }: ServedExport,
  request: EngineRequest,
  folder: string,
): Promise<BaseName | undefined> {
  const { baseNameOf, createOnnxEngine } = await import("../../engine/index.ts");
  const engine = await createOnnxEngine({ ...request, maxLiveRows: 1 });
  try {
    const weights = join(checkpoint, "engine");
    if (weights !== request.weights) await engine.load(weights);
    const written = dtype === "bf16" ? "BF16" : "F32";
    if (merged) await engine.exportMerged(folder, written);
    else await engine.exportAdapter(folder, written);
  } finally {
    await engine.close();
  }
  return config.engine.model === null ? undefined : baseNameOf(resolve(config.engine.model));
}

function checkpointNamed(policy: string): string {
  if (existsSync(policy)) return checkpointOf(policy);
  throw new BowlineError("config", `there is no run or checkpoint ${policy}`);
}

/** An export replaces its folder as a whole, so this must not be one that holds anything. */
function requireEmpty(out: string): void {
  if (!existsSync(out)) {
    requireFolderOf(out);
    return;
  }
  const isFolder = statSync(out).isDirectory();
  if (isFolder && readdirSync(out).length === 0) return;
  throw new BowlineError(
    "config",
    `--out ${out} is ${isFolder ? "not empty" : "a file"}; name a folder that is not there yet`,
  );
}

/** The checkpoint's, which came with its model, go before those that are made here. */
function writeTexts(
  checkpoint: string,
  folder: string,
  made: Readonly<Record<string, string>>,
): void {
  for (const [name, text] of Object.entries(made)) writeFileAtomic(join(folder, name), text);
  for (const { name } of filesOf(checkpoint)) {
    if (!OWN_FILES.has(name)) copyFileSync(join(checkpoint, name), join(folder, name));
  }
}

function filesOf(folder: string): { name: string; sizeBytes: number }[] {
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, stats: statSync(join(folder, name)) }))
    .filter(({ stats }) => stats.isFile())
    .map(({ name, stats }) => ({ name, sizeBytes: stats.size }));
}
