/** Tests exports of a run's checkpoint to folders and files that other programs can load. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compactRenderer } from "../../agent/index.ts";
import { BowlineError } from "../../core/index.ts";
import { createOnnxEngine } from "../../engine/index.ts";
import { loop } from "../../methods/index.ts";
import type { Engine, Row, TokenOutputs } from "../../spec/index.ts";
import { loadTokenizer, openTextDirectory, trainTokenizer } from "../../text/index.ts";
import { optimizerStep } from "../iterate/optimizer-step.ts";
import { createEngineRequest } from "../parts/engine-request.ts";
import { findModelSource } from "../parts/model-source.ts";
import { openModelDirectory } from "../parts/open-model-directory.ts";
import { saveCheckpoint } from "../run/checkpoint.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { type ExportOptions, exportPolicy } from "./export.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-export-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tinyModel = {
  "model.hiddenSize": 16,
  "model.layers": 1,
  "model.heads": 2,
  "model.contextLength": 512,
  "engine.threads": 1,
};
const withLora = { ...tinyModel, "engine.lora.rank": 2 };
const words = Array.from({ length: 8 }, () => "print(apis.notes.search(query=1))").join("\n");
const tokenizer = trainTokenizer([words], resolveConfig().tokenizer);
const { vocabularySize } = loadTokenizer(tokenizer);
const row: Row = { tokens: [5, 90, 31, 7, 200, 12], at: [1, 2, 3, 4, 5] };
let expectedOutputs: readonly TokenOutputs[];

async function trainAndSave(name: string, overrides: Record<string, unknown>): Promise<void> {
  const config = resolveConfig({ recipe: "starter", overrides });
  const engine: Engine = await createOnnxEngine(
    createEngineRequest({ config, method: loop }, vocabularySize),
  );
  for (let step = 0; step < 3; step++) {
    await engine.accumulate([row], [{ logprobs: [-1, -1, -1, -1, -1] }]);
    await engine.update({ ...optimizerStep(1, config), learningRate: 0.02 });
  }
  expectedOutputs = await engine.evaluate([row]);
  mkdirSync(join(folder, name, "checkpoints"), { recursive: true });
  const content = { engine, tokenizer, config, trainer: {} };
  await saveCheckpoint(join(folder, name, "checkpoints", "final"), content);
  await engine.close();
}

beforeAll(async () => {
  await trainAndSave("full", tinyModel);
  await trainAndSave("lora", withLora);
});

async function expectExportError(policy: string, out: string, merged: boolean, ...parts: string[]) {
  const run = exportPolicy({ policy: join(folder, policy), out: join(folder, out), merged });
  const error: unknown = await run.catch((cause: unknown) => cause);
  expect(BowlineError.is(error)).toBe(true);
  for (const part of parts) expect((error as Error).message).toContain(part);
}

test("exports a run's adapter together with the texts that describe the policy", async () => {
  const out = join(folder, "adapter");
  const { form, files } = await exportPolicy({ policy: join(folder, "lora"), out, merged: false });
  expect(form).toBe("adapter");
  expect(files.map(({ name }) => name)).toEqual([
    "README.md",
    "adapter_config.json",
    "adapter_model.safetensors",
    "chat_template.jinja",
    "generation_config.json",
    "sha256sums.txt",
    "tokenizer.json",
    "tokenizer_config.json",
  ]);
  expect(readFileSync(join(out, "tokenizer.json"), "utf8")).toBe(tokenizer);
});

test("exports a checkpoint's whole model, which an engine without LoRA can load", async () => {
  const out = join(folder, "merged");
  const policy = join(folder, "lora", "checkpoints", "final");
  const { files } = await exportPolicy({ policy, out, merged: true });
  expect(files.map(({ name }) => name)).toEqual([
    "README.md",
    "chat_template.jinja",
    "config.json",
    "generation_config.json",
    "model.safetensors",
    "sha256sums.txt",
    "tokenizer.json",
    "tokenizer_config.json",
  ]);
  const config = resolveConfig({ recipe: "starter", overrides: tinyModel });
  const engine = await createOnnxEngine({
    ...createEngineRequest({ config, method: loop }, vocabularySize),
    seed: 99,
  });
  await engine.load(out);
  const [merged] = await engine.evaluate([row]);
  await engine.close();
  merged!.logprobs.forEach((value, i) => {
    expect(value).toBeCloseTo(expectedOutputs[0]!.logprobs[i]!, 5);
  });
});

test("the export of a new model describes its tokenizer, stop token and prompt format", async () => {
  const out = join(folder, "said");
  await exportPolicy({ policy: join(folder, "full"), out, merged: true });
  const readExportedFile = (name: string) => readFileSync(join(out, name), "utf8");
  const runner = loadTokenizer(tokenizer);
  expect(JSON.parse(readExportedFile("generation_config.json"))).toEqual({
    eos_token_id: runner.special("<|run|>"),
    pad_token_id: runner.special("<|pad|>"),
  });
  expect(JSON.parse(readExportedFile("tokenizer_config.json"))).toMatchObject({
    tokenizer_class: "PreTrainedTokenizerFast",
    model_max_length: 512,
    eos_token: "<|run|>",
    pad_token: "<|pad|>",
    chat_template: readExportedFile("chat_template.jinja"),
  });
  const text = openTextDirectory(out);
  const messages = [
    { role: "user", content: "do it" },
    { role: "assistant", content: "print(1)" },
    { role: "user", content: "1\n" },
  ];
  const rendered = text.chatTemplate().render(messages, { addGenerationPrompt: true });
  expect(rendered).toBe("<|task|>do it<|code|>print(1)<|run|>1\n<|code|>");
  const renderer = compactRenderer(runner);
  const start = renderer.start([{ role: "user", content: "do it" }]);
  const next = renderer.next({ role: "environment", content: "1\n" });
  const row = [...start, ...renderer.turn("print(1)"), ...next];
  expect(text.tokenizer.encodeRendered(rendered)).toEqual(row);
  const card = readExportedFile("README.md");
  expect(card).toMatch(/^---\nlibrary_name: transformers\n/);
  expect(card).toMatch(/method `loop`.*## How it is prompted.*Scaffold `compact`.*`<\|run\|>` 3/s);
  expect(card).not.toContain(folder);
});

test("an export as bf16 has half the bytes and nearly the same log-probs", async () => {
  const [policy, out] = [join(folder, "full"), join(folder, "half")];
  const { dtype, files } = await exportPolicy({ policy, out, merged: true, dtype: "bf16" });
  expect(dtype).toBe("bf16");
  const whole = join(folder, "whole");
  const all = await exportPolicy({ policy, out: whole, merged: true });
  const weightsSizeBytes = (of: typeof files) =>
    of.find(({ name }) => name === "model.safetensors")!.sizeBytes;
  expect(weightsSizeBytes(files) / weightsSizeBytes(all.files)).toBeLessThan(0.6);
  expect(JSON.parse(readFileSync(join(out, "config.json"), "utf8")).torch_dtype).toBe("bfloat16");
  const config = resolveConfig({ recipe: "starter", overrides: tinyModel });
  const engine = await createOnnxEngine(
    createEngineRequest({ config, method: loop }, vocabularySize),
  );
  await engine.load(whole);
  const [exact] = await engine.evaluate([row]);
  await engine.load(out);
  const [rounded] = await engine.evaluate([row]);
  await engine.close();
  const gaps = Array.from(exact!.logprobs, (value, i) => Math.abs(value - rounded!.logprobs[i]!));
  expect(Math.max(...gaps)).toBeGreaterThan(0);
  expect(Math.max(...gaps)).toBeLessThan(0.05);
});

test("an exported adapter names its base model by id on the hub or by folder name, never by a local path", async () => {
  const base = join(folder, "Small-1B");
  await exportPolicy({ policy: join(folder, "full"), out: base, merged: true });
  const overrides = { "engine.lora.rank": 2, "engine.model": base, "model.contextLength": 512 };
  const config = resolveConfig({ recipe: "starter", overrides });
  const source = await findModelSource(config);
  const request = createEngineRequest({ config, method: loop }, vocabularySize, source);
  const engine = await createOnnxEngine(request);
  const directory = join(folder, "on-base", "checkpoints", "final");
  mkdirSync(dirname(directory), { recursive: true });
  await saveCheckpoint(directory, { engine, tokenizer, config, trainer: {} });
  await engine.close();
  const exportAdapter = async (out: string) => {
    const result = await exportPolicy({ policy: directory, out: join(folder, out), merged: false });
    const path = join(folder, out, "adapter_config.json");
    return { ...result.base, written: JSON.parse(readFileSync(path, "utf8")) };
  };
  const plain = await exportAdapter("plain-name");
  expect(plain).toMatchObject({ name: "Small-1B", isHubId: false });
  expect(plain.written.base_model_name_or_path).toBe("Small-1B");
  expect(readFileSync(join(folder, "plain-name", "README.md"), "utf8")).toContain(
    "after its folder",
  );
  writeFileSync(
    join(base, "README.md"),
    "# Small\nhttps://huggingface.co/acme/Small-1B/blob/main/x",
  );
  const named = await exportAdapter("hub-name");
  expect(named).toMatchObject({ name: "acme/Small-1B", isHubId: true });
  expect(named.written.base_model_name_or_path).toBe("acme/Small-1B");
  expect(readFileSync(join(folder, "hub-name", "README.md"), "utf8")).toContain(
    "base_model: acme/Small-1B\n",
  );
});

test("a policy that cannot be exported is rejected before any work", async () => {
  await expectExportError(
    "nothing",
    "x",
    false,
    "unknown policy",
    "nothing: expected",
    "a PEFT folder",
  );
  await expectExportError("full", "x", false, "no adapter", "--merged");
  mkdirSync(join(folder, "taken"));
  writeFileSync(join(folder, "taken", "diary.txt"), "mine");
  await expectExportError("lora", "taken", false, "taken is not empty");
  await expectExportError("taken", "x", false, "holds no checkpoint");
  await expectExportError(
    "lora",
    "nowhere/x",
    false,
    "there is no folder",
    "nowhere; create it first",
  );
  expect(existsSync(join(folder, "nowhere"))).toBe(false);
  expect(existsSync(join(folder, "x"))).toBe(false);
  expect(readFileSync(join(folder, "taken", "diary.txt"), "utf8")).toBe("mine");
});

/** Exports a policy as GGUF and returns the path and the result. */
async function exportGguf(policy: string, name: string, more: Partial<ExportOptions> = {}) {
  const out = join(folder, name);
  const wanted = {
    policy: join(folder, policy),
    out,
    merged: true,
    format: "gguf",
    ...more,
  } as const;
  return { out, result: await exportPolicy(wanted) };
}

test("a GGUF export opens as a model with the same tokenizer, template and outputs", async () => {
  const { out, result } = await exportGguf("full", "policy.gguf");
  expect(result).toMatchObject({ format: "gguf", form: "merged", dtype: "f32", out });
  expect(result.files.map(({ name }) => name)).toEqual(["policy.gguf"]);
  const opened = await openModelDirectory(out);
  expect(opened.tokenizerJson).toBe(tokenizer);
  expect(opened.generation.stopIds).toEqual([opened.tokenizer.special("<|run|>")]);
  const rendered = opened.chatTemplate().render([{ role: "user", content: "do it" }]);
  expect(rendered).toBe("<|task|>do it");
  const hf = join(folder, "policy-hf");
  await exportPolicy({ policy: join(folder, "full"), out: hf, merged: true });
  const { config } = opened;
  expect(config).toEqual((await openModelDirectory(hf)).config);
  const request = { model: config, seed: 9, threads: 1 };
  const [file, whole] = await Promise.all(
    [out, hf].map((weights) => createOnnxEngine({ ...request, weights })),
  );
  expect(await file!.evaluate([row])).toEqual(await whole!.evaluate([row]));
  await file!.close();
  await whole!.close();
});

test("an adapter on the weights of a GGUF file can be saved, loaded again and exported", async () => {
  const { out: base } = await exportGguf("full", "Small-1B.gguf", { dtype: "q8_0" });
  const overrides = { "engine.lora.rank": 2, "engine.model": base, "model.contextLength": 512 };
  const config = resolveConfig({ recipe: "starter", overrides });
  const source = await findModelSource(config);
  const request = createEngineRequest({ config, method: loop }, vocabularySize, source);
  const engine = await createOnnxEngine(request);
  await engine.accumulate([row], [{ logprobs: [-1, -1, -1, -1, -1] }]);
  await engine.update({ ...optimizerStep(1, config), learningRate: 0.02 });
  const [trained] = await engine.evaluate([row]);
  const directory = join(folder, "on-file", "checkpoints", "final");
  mkdirSync(dirname(directory), { recursive: true });
  await saveCheckpoint(directory, { engine, tokenizer, config, trainer: {} });
  await engine.close();
  const again = await createOnnxEngine(request);
  await again.load(join(directory, "engine"));
  expect(await again.evaluate([row])).toEqual([trained]);
  await again.close();
  const { out, result } = await exportGguf("on-file", "adapter.gguf", { merged: false });
  expect(result.base).toEqual({ name: "Small-1B.gguf", isHubId: false });
  await expect(openModelDirectory(out)).rejects.toThrow(/adapter\.gguf holds a LoRA adapter/);
});

test("rejects a GGUF export with a number type that GGUF lacks, with a wrong file name, or of an adapter that does not exist", async () => {
  const expectGgufError = async (more: Partial<ExportOptions>, ...parts: string[]) => {
    const wanted = { policy: join(folder, "full"), out: join(folder, "no.gguf"), merged: true };
    const run = exportPolicy({ ...wanted, format: "gguf", ...more });
    const error: unknown = await run.catch((cause: unknown) => cause);
    expect(BowlineError.is(error) && error.code).toBe("config");
    for (const part of parts) expect((error as Error).message).toContain(part);
  };
  await expectGgufError({ dtype: "bf16" }, "--dtype bf16 is for --format hf", "f32, f16, q8_0");
  await expectGgufError(
    { format: "hf", dtype: "q8_0" },
    "--dtype q8_0 is for --format gguf",
    "f32, bf16",
  );
  await expectGgufError({ out: join(folder, "model") }, "FILE.gguf");
  await expectGgufError({ out: join(folder, "policy.gguf") }, "exists already");
  await expectGgufError({ merged: false }, "--merged");
  expect(existsSync(join(folder, "no.gguf"))).toBe(false);
});
