/** What the engine holds, without its thread: references, checkpoints that name their base, exports. */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { BowlineError, Rng } from "../../../core/index.ts";
import type { Row, TokenOutputs } from "../../../spec/index.ts";
import { SafetensorsFile } from "../checkpoint/index.ts";
import { type LoraConfig, parseModelConfig } from "../model/index.ts";
import { Trainer } from "../train/index.ts";
import { HeldWeights } from "./held-weights.ts";

const model = parseModelConfig({
  vocabularySize: 24,
  hiddenSize: 16,
  layers: 2,
  heads: 2,
  kvHeads: 1,
  headSize: 8,
  intermediateSize: 24,
  contextLength: 64,
  qkvBias: true,
});
const lora: LoraConfig = { rank: 2, alpha: 6, targetModules: ["q_proj", "v_proj", "down_proj"] };
const step = {
  learningRate: 0.02,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradientNorm: 1,
};
const version = { policyVersion: 3, unpublished: true };
const rows: Row[] = Array.from({ length: 5 }, (_, row) => {
  const rng = new Rng(row);
  const tokens = Array.from({ length: 6 + 3 * row }, () => rng.integer(0, 23));
  return { tokens, at: tokens.flatMap((_, i) => (i > 0 ? [i] : [])) };
});

const folder = mkdtempSync(join(tmpdir(), "bowline-lora-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const open: Learner[] = [];
afterEach(async () => {
  for (const learner of open.splice(0)) await learner.trainer.close();
});

/** What the engine's host does with what it holds. */
class Learner {
  readonly held: HeldWeights;
  readonly trainer: Trainer;

  constructor(own: LoraConfig | "none" = lora, seed = 1) {
    this.held = new HeldWeights({ model, seed, lora: own === "none" ? undefined : own });
    this.trainer = new Trainer(this.held.parameters, { threads: 1, adapter: this.held.adapter });
    open.push(this);
  }

  async learn(times: number): Promise<TokenOutputs[]> {
    const cotangents = rows.map(({ at }) => ({ logprobs: Array.from(at, () => -0.1) }));
    for (let i = 0; i < times; i++) {
      await this.trainer.accumulate(rows, cotangents);
      this.trainer.update(step);
    }
    return this.evaluate();
  }

  evaluate(weights: "live" | "base" | "ref" = "live"): Promise<TokenOutputs[]> {
    return this.trainer.evaluate(rows, this.held.choose(weights));
  }

  save(directory: string): void {
    this.held.save(directory, this.trainer, version);
  }

  load(directory: string) {
    return this.held.load(directory, this.trainer);
  }
}

function largestGap(a: readonly TokenOutputs[], b: readonly TokenOutputs[]): number {
  const gaps = a.map(({ logprobs }, row) =>
    logprobs.map((value, i) => Math.abs(value - b[row]!.logprobs[i]!)),
  );
  return Math.max(...gaps.flatMap((list) => [...list]));
}

function refused(run: () => unknown, code: string, ...words: readonly string[]): void {
  let error: unknown;
  try {
    run();
  } catch (cause) {
    error = cause;
  }
  expect(BowlineError.is(error) && error.code).toBe(code);
  for (const word of words) expect((error as Error).message).toContain(word);
}

describe("checkpoints", () => {
  test("hold a PEFT adapter, and training goes on bit by bit", async () => {
    const directory = join(folder, "resume");
    const [engine, other] = [new Learner(), new Learner()];
    await engine.learn(3);
    engine.save(directory);
    expect(readdirSync(directory).sort()).toEqual([
      "adapter_config.json",
      "adapter_model.safetensors",
      "optimizer.safetensors",
      "trainer-state.json",
    ]);
    const expected = await engine.learn(3);
    await other.learn(1);
    expect(other.load(directory)).toMatchObject(version);
    expect(await other.learn(3)).toEqual(expected);
  });

  test("do not go on another rank, alpha, modules or base, nor without LoRA", async () => {
    const directory = join(folder, "other");
    const engine = new Learner();
    await engine.learn(1);
    engine.save(directory);
    const attempts: [ConstructorParameters<typeof Learner>, string][] = [
      [[{ ...lora, rank: 3 }], "rank is 2, the engine's is 3"],
      [[{ ...lora, alpha: 1 }], "alpha is 6, the engine's is 1"],
      [[{ ...lora, targetModules: ["q_proj"] }], "targetModules is q_proj,v_proj,down_p"],
      [[lora, 2], "another base"],
      [["none"], "engine.lora"],
    ];
    for (const [options, words] of attempts) {
      const target = new Learner(...options);
      const before = await target.evaluate();
      refused(() => target.load(directory), "checkpoint", directory, words);
      expect(await target.evaluate()).toEqual(before);
    }
  });

  test("that are torn, or of PEFT options that are not offered, change nothing", async () => {
    const directory = join(folder, "torn");
    const engine = new Learner();
    await engine.learn(1);
    engine.save(directory);
    const expected = await engine.learn(1);
    const path = (name: string) => join(directory, name);
    const config = readFileSync(path("adapter_config.json"), "utf8");
    writeFileSync(
      path("adapter_config.json"),
      JSON.stringify({ ...JSON.parse(config), use_dora: true }),
    );
    refused(() => engine.load(directory), "checkpoint", "use_dora");
    writeFileSync(path("adapter_config.json"), config);
    const moments = readFileSync(path("optimizer.safetensors"));
    truncateSync(path("optimizer.safetensors"), moments.length - 4);
    refused(() => engine.load(directory), "checkpoint", "optimizer.safetensors", "torn");
    writeFileSync(path("optimizer.safetensors"), moments);
    truncateSync(path("adapter_model.safetensors"), 40);
    refused(() => engine.load(directory), "checkpoint", "adapter_model.safetensors");
    expect(await engine.evaluate()).toEqual(expected);
  });

  test("a model is taken as the base, and the adapter starts afresh", async () => {
    const directory = join(folder, "model");
    const full = new Learner("none", 7);
    const expected = await full.learn(2);
    full.save(directory);
    const engine = new Learner();
    await engine.learn(1);
    engine.load(directory);
    expect(await engine.evaluate()).toEqual(expected);
    expect(await engine.evaluate("base")).toEqual(expected);
    engine.save(join(folder, "on-model"));
    const config = readFileSync(join(folder, "on-model", "adapter_config.json"), "utf8");
    expect(JSON.parse(config)).toMatchObject({ base_model_name_or_path: directory });
  });
});

describe("the base of a checkpoint", () => {
  test("is looked for where it came from, and must be as it was", async () => {
    const [base, directory] = [join(folder, "moved"), join(folder, "on-moved")];
    new Learner("none", 7).held.exportMerged(base);
    const learner = new Learner();
    learner.load(base);
    const expected = await learner.learn(2);
    learner.save(directory);
    const other = new Learner();
    expect(other.load(directory)).toMatchObject(version);
    expect(await other.evaluate()).toEqual(expected);
    new Learner("none", 8).held.exportMerged(base);
    const third = new Learner();
    const before = await third.evaluate();
    refused(() => third.load(directory), "checkpoint", base, "that folder has changed");
    rmSync(base, { recursive: true });
    refused(() => third.load(directory), "checkpoint", base, "another base");
    expect(await third.evaluate()).toEqual(before);
  });
});

describe("exports", () => {
  test("the adapter has PEFT's names and shapes, and goes on the same base again", async () => {
    const directory = join(folder, "adapter");
    const engine = new Learner();
    const expected = await engine.learn(2);
    engine.held.exportAdapter(directory);
    expect(readdirSync(directory).sort()).toEqual([
      "adapter_config.json",
      "adapter_model.safetensors",
    ]);
    const config = JSON.parse(readFileSync(join(directory, "adapter_config.json"), "utf8"));
    expect(config).toMatchObject({
      peft_type: "LORA",
      task_type: "CAUSAL_LM",
      r: 2,
      lora_alpha: 6,
      target_modules: ["q_proj", "v_proj", "down_proj"],
    });
    // As PEFT writes it for "all-linear".
    const paths = [0, 1].flatMap((layer) =>
      config.target_modules.map((name: string) => `model.layers.${layer}.x.${name}`),
    );
    writeFileSync(
      join(directory, "adapter_config.json"),
      JSON.stringify({ ...config, target_modules: paths, peft_version: "0.21.2" }),
    );
    const file = new SafetensorsFile(join(directory, "adapter_model.safetensors"));
    file.close();
    const shape = (name: string) =>
      file.tensors.get(`base_model.model.model.layers.1.${name}.weight`)?.shape;
    expect(shape("mlp.down_proj.lora_A")).toEqual([2, 24]);
    expect(shape("mlp.down_proj.lora_B")).toEqual([16, 2]);
    expect(shape("self_attn.v_proj.lora_B")).toEqual([8, 2]);
    expect(file.tensors.size).toBe(2 * 2 * 3);
    const other = new Learner();
    other.load(directory);
    expect(await other.evaluate()).toEqual(expected);
  });

  test("the merged model is the adapted one without LoRA, with what its base folder has", async () => {
    const base = join(folder, "with-tokenizer");
    const directory = join(folder, "merged");
    const plain = new Learner("none", 4);
    plain.held.exportMerged(base);
    writeFileSync(join(base, "tokenizer.json"), "{}");
    const engine = new Learner();
    engine.load(base);
    const expected = await engine.learn(3);
    engine.held.exportMerged(directory);
    expect(readdirSync(directory).sort()).toEqual([
      "config.json",
      "model.safetensors",
      "tokenizer.json",
    ]);
    plain.load(directory);
    const merged = await plain.evaluate();
    expect(largestGap(merged, expected)).toBeLessThan(1e-5);
    expect(largestGap(merged, await engine.evaluate("base"))).toBeGreaterThan(0.01);
    expect(await engine.evaluate()).toEqual(expected);
  });

  test("full training has no adapter to export", async () => {
    const engine = new Learner("none");
    refused(() => engine.held.exportAdapter(join(folder, "none")), "engine", "exportMerged");
  });
});
