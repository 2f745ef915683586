/**
 * Damaged model files: a model of Hugging Face or a GGUF file either loads, and its numbers are finite or refused, or
 * it is refused in one clear line. A change that touches nothing computed (spaces, the order of fields, notes for
 * people) changes no number.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Rng } from "../../src/core/index.ts";
import { createOnnxEngine } from "../../src/engine/index.ts";
import { openModelDirectory } from "../../src/train/parts/open-model-directory.ts";
import { findErrorProblem } from "./clear-error.ts";
import { damageFile, joinSafetensors, splitSafetensors } from "./damage-file.ts";
import type { CaseOutcome, Part, StepFilter } from "./part.ts";

const MODELS = [
  "hf-llama",
  "hf-llama3",
  "hf-qwen2",
  "hf-qwen3",
  "gguf-llama.gguf",
  "gguf-qwen2.gguf",
];
const DAMAGES_PER_CASE = 5;
/** A model that is opened takes less time than this, also on a busy machine. */
const OPEN_LIMIT_MS = 60_000;

interface GoldenModel {
  readonly name: string;
  /** Contents by the name of the file. A GGUF model has one file. */
  readonly files: ReadonlyMap<string, Buffer>;
}

const goldenPath = (name: string) => fileURLToPath(new URL(`../golden/${name}`, import.meta.url));

function readModel(name: string): GoldenModel {
  const path = goldenPath(name);
  const isFile = name.endsWith(".gguf");
  const names = isFile ? [name] : readdirSync(path);
  return {
    name,
    files: new Map(names.map((file) => [file, readFileSync(isFile ? path : join(path, file))])),
  };
}

interface DrawnDamage {
  readonly model: GoldenModel;
  readonly file: string;
  readonly kind: string;
  readonly content: Buffer;
  /** Whether no number may change. */
  readonly isNeutral: boolean;
}

function drawDamage(rng: Rng, models: readonly GoldenModel[]): DrawnDamage {
  const model = rng.pick(models);
  const file = rng.pick([...model.files.keys()]);
  const original = model.files.get(file)!;
  const neutral = rng.chance(0.2) ? changeNothingComputed(rng, file, original) : undefined;
  if (neutral) return { model, file, kind: "neutral", content: neutral, isNeutral: true };
  return { model, file, isNeutral: false, ...damageFile(rng, file, original) };
}

/** Returns the file with a change that changes no number; undefined for kinds of files that have no such change. */
function changeNothingComputed(rng: Rng, file: string, content: Buffer): Buffer | undefined {
  if (file.endsWith(".safetensors")) {
    const { header, data } = splitSafetensors(content);
    const noted = {
      ...(header as object),
      __metadata__: { format: "pt", note: "x".repeat(rng.integer(0, 99)) },
    };
    return joinSafetensors(
      JSON.stringify(reorderFields(rng, noted)) + " ".repeat(rng.integer(0, 63)),
      data,
    );
  }
  if (!file.endsWith(".json")) return undefined;
  const value = JSON.parse(content.toString()) as object;
  const notes = file === "config.json" ? { _name_or_path: "x", transformers_version: "9.9.9" } : {};
  // The order of a vocabulary and of merges is the tokenizer's.
  const changed =
    file === "tokenizer.json" ? value : { ...(reorderFields(rng, value) as object), ...notes };
  return Buffer.from(JSON.stringify(changed, null, rng.integer(0, 4)));
}

function reorderFields(rng: Rng, value: object): object {
  return Object.fromEntries(rng.shuffle(Object.entries(value)));
}

const CHAT = [{ role: "user" as const, content: "hello world, 12 things" }];
const TOKENS = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];

/** Opens a model and computes what depends on its files. */
async function describeModel(path: string): Promise<string> {
  const model = await openModelDirectory(path);
  const { tokenizer, generation, config } = model;
  const ids = tokenizer.encode(CHAT[0]!.content);
  const chat = model.hasChatTemplate
    ? model.chatTemplate().render(CHAT, { addGenerationPrompt: true })
    : "";
  const engine = await createOnnxEngine({ model: config, seed: 1, threads: 1, weights: path });
  try {
    const row = { tokens: TOKENS, at: TOKENS.flatMap((_, i) => (i === 0 ? [] : [i])) };
    const [outputs] = await engine.evaluate([row]);
    const logprobs = [...outputs!.logprobs];
    const ignored = [...generation.ignored].sort();
    const numbers = { config, ids, generation: { ...generation, ignored }, logprobs };
    return JSON.stringify({ ...numbers, text: tokenizer.decode(ids), chat });
  } finally {
    await engine.close();
  }
}

async function tryDamage(
  { model, file, content, isNeutral }: DrawnDamage,
  expected: string,
  folder: string,
): Promise<{ readonly ending: string; readonly problem?: string | undefined }> {
  const path = writeModel(folder, model, file, content);
  const startMs = performance.now();
  try {
    const description = await describeModel(path);
    const isSame = description === expected;
    const problem =
      isNeutral && !isSame ? `other numbers: ${description.slice(0, 300)}` : findSlowness(startMs);
    return { ending: isSame ? "same" : "other", problem };
  } catch (error) {
    const problem = isNeutral
      ? `refused: ${String(error)}`
      : (findErrorProblem(error) ?? findSlowness(startMs));
    return { ending: "refused", problem };
  }
}

function findSlowness(startMs: number): string | undefined {
  const ms = performance.now() - startMs;
  return ms > OPEN_LIMIT_MS ? `it took ${Math.round(ms / 1000)} s` : undefined;
}

/** Writes the model with one changed file and returns its path. */
function writeModel(
  folder: string,
  { name, files }: GoldenModel,
  changed: string,
  content: Buffer,
): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, original] of files)
    writeFileSync(join(folder, file), file === changed ? content : original);
  return name.endsWith(".gguf") ? join(folder, name) : folder;
}

async function runDamages(
  models: readonly GoldenModel[],
  expected: ReadonlyMap<string, string>,
  {
    rng,
    steps,
    folder,
  }: { readonly rng: Rng; readonly steps: StepFilter; readonly folder: string },
): Promise<CaseOutcome> {
  const drawn = Array.from({ length: DAMAGES_PER_CASE }, () => drawDamage(rng, models));
  const counts: Record<string, number> = { files: 0 };
  const failures: string[] = [];
  for (const damage of steps.choose(drawn)) {
    const { ending, problem } = await tryDamage(damage, expected.get(damage.model.name)!, folder);
    for (const name of ["files", ending]) counts[name] = (counts[name] ?? 0) + 1;
    if (problem) failures.push(`${damage.model.name}/${damage.file} (${damage.kind}): ${problem}`);
  }
  return { counts, failures };
}

export const modelFiles: Part = {
  name: "model",
  summary: "damaged files of models",
  weight: 1,
  caseLimitMs: 400_000,
  async open(folder) {
    const models = MODELS.map(readModel);
    const whole = join(folder, "whole");
    mkdirSync(whole, { recursive: true });
    const expected = new Map<string, string>();
    for (const { name } of models) {
      cpSync(goldenPath(name), join(whole, name), { recursive: true });
      expected.set(name, await describeModel(join(whole, name)));
    }
    const damaged = join(folder, "damaged");
    return {
      runCase: (rng, steps) => runDamages(models, expected, { rng, steps, folder: damaged }),
      close: async () => {},
    };
  },
};
