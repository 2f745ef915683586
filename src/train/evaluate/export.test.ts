/** From a checkpoint of a run to folders that other programs load. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BowlineError } from "../../core/index.ts";
import { createOnnxEngine } from "../../engine/index.ts";
import { loop } from "../../methods/index.ts";
import type { Engine, Row, TokenOutputs } from "../../spec/index.ts";
import { loadTokenizer, trainTokenizer } from "../../text/index.ts";
import { resolveConfig } from "../config/resolve.ts";
import { engineRequest } from "../open/makers.ts";
import { saveCheckpoint } from "../run/checkpoint.ts";
import { exportPolicy } from "./export.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-export-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tiny = {
  "model.hiddenSize": 16,
  "model.layers": 1,
  "model.heads": 2,
  "model.kvHeads": 1,
  "model.headSize": 8,
  "model.intermediateSize": 24,
  "model.contextLength": 512,
  "engine.threads": 1,
};
const adapted = { ...tiny, "engine.lora.rank": 2 };
const words = Array.from({ length: 8 }, () => "print(apis.notes.search(query=1))").join("\n");
const tokenizer = trainTokenizer([words], resolveConfig().tokenizer);
const { vocabularySize } = loadTokenizer(tokenizer);
const row: Row = { tokens: [5, 90, 31, 7, 200, 12], at: [1, 2, 3, 4, 5] };
let expected: readonly TokenOutputs[];

async function checkpoint(name: string, overrides: Record<string, unknown>): Promise<void> {
  const config = resolveConfig({ recipe: "starter", overrides });
  const engine: Engine = await createOnnxEngine(
    engineRequest({ config, method: loop }, vocabularySize),
  );
  for (let step = 0; step < 3; step++) {
    await engine.accumulate([row], [{ logprobs: [-1, -1, -1, -1, -1] }]);
    await engine.update({ ...config.optimizer, learningRate: 0.02 });
  }
  expected = await engine.evaluate([row]);
  const files = { "chat_template.jinja": "{{ messages }}" };
  mkdirSync(join(folder, name, "checkpoints"), { recursive: true });
  const content = { engine, tokenizer, config, files, trainer: {} };
  await saveCheckpoint(join(folder, name, "checkpoints", "final"), content);
  await engine.close();
}

beforeAll(async () => {
  await checkpoint("full", tiny);
  await checkpoint("lora", adapted);
});

async function refused(policy: string, out: string, merged: boolean, ...parts: string[]) {
  const run = exportPolicy({ policy: join(folder, policy), out: join(folder, out), merged });
  const error: unknown = await run.catch((cause: unknown) => cause);
  expect(BowlineError.is(error)).toBe(true);
  for (const part of parts) expect((error as Error).message).toContain(part);
}

test("a run's adapter, with the texts that belong to the policy", async () => {
  const out = join(folder, "adapter");
  const { form, files } = await exportPolicy({ policy: join(folder, "lora"), out, merged: false });
  expect(form).toBe("adapter");
  expect(files.map(({ name }) => name)).toEqual([
    "adapter_config.json",
    "adapter_model.safetensors",
    "chat_template.jinja",
    "tokenizer.json",
  ]);
  expect(readFileSync(join(out, "tokenizer.json"), "utf8")).toBe(tokenizer);
});

test("a checkpoint's whole model, which an engine without LoRA loads", async () => {
  const out = join(folder, "merged");
  const policy = join(folder, "lora", "checkpoints", "final");
  const { files } = await exportPolicy({ policy, out, merged: true });
  expect(files.map(({ name }) => name)).toEqual([
    "chat_template.jinja",
    "config.json",
    "model.safetensors",
    "tokenizer.json",
  ]);
  const config = resolveConfig({ recipe: "starter", overrides: tiny });
  const engine = await createOnnxEngine({
    ...engineRequest({ config, method: loop }, vocabularySize),
    seed: 99,
  });
  await engine.load(out);
  const [merged] = await engine.evaluate([row]);
  await engine.close();
  merged!.logprobs.forEach((value, i) => {
    expect(value).toBeCloseTo(expected[0]!.logprobs[i]!, 5);
  });
});

test("what cannot be exported is told before any work", async () => {
  await refused("nothing", "x", false, "there is no run or checkpoint", "nothing");
  await refused("full", "x", false, "no adapter", "--merged");
  mkdirSync(join(folder, "taken"));
  writeFileSync(join(folder, "taken", "diary.txt"), "mine");
  await refused("lora", "taken", false, "taken is not empty");
  await refused("taken", "x", false, "holds no checkpoint");
  await refused("lora", "nowhere/x", false, "there is no folder", "nowhere; make it first");
  expect(existsSync(join(folder, "nowhere"))).toBe(false);
  expect(existsSync(join(folder, "x"))).toBe(false);
  expect(readFileSync(join(folder, "taken", "diary.txt"), "utf8")).toBe("mine");
});
