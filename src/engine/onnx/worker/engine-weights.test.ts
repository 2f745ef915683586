/** Tests the weights of an engine without its thread: references, checkpoints that name their base, exports. */
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
import { EngineWeights } from "./engine-weights.ts";

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
const openLearners: Learner[] = [];
afterEach(async () => {
  for (const learner of openLearners.splice(0)) await learner.trainer.close();
});

/** Does with the weights what the engine's host does. */
class Learner {
  readonly held: EngineWeights;
  readonly trainer: Trainer;

  constructor(own: LoraConfig | "none" = lora, seed = 1) {
    this.held = new EngineWeights({ model, seed, lora: own === "none" ? undefined : own });
    this.trainer = new Trainer(this.held.parameters, { threads: 1, adapter: this.held.adapter });
    openLearners.push(this);
  }

  async trainSteps(times: number): Promise<TokenOutputs[]> {
    const cotangents = rows.map(({ at }) => ({ logprobs: Array.from(at, () => -0.1) }));
    for (let i = 0; i < times; i++) {
      await this.trainer.accumulate(rows, cotangents);
      await this.trainer.update(step);
    }
    return this.evaluate();
  }

  evaluate(weights: "live" | "base" | "ref" = "live"): Promise<TokenOutputs[]> {
    return this.trainer.evaluate(rows, this.held.chooseWeights(weights));
  }

  save(directory: string): void {
    this.held.save(directory, this.trainer, version);
  }

  load(directory: string) {
    return this.held.load(directory, this.trainer);
  }
}

function largestLogprobGap(a: readonly TokenOutputs[], b: readonly TokenOutputs[]): number {
  const gaps = a.map(({ logprobs }, row) =>
    logprobs.map((value, i) => Math.abs(value - b[row]!.logprobs[i]!)),
  );
  return Math.max(...gaps.flatMap((list) => [...list]));
}

function expectError(run: () => unknown, code: string, ...words: readonly string[]): void {
  let error: unknown;
  try {
    run();
  } catch (cause) {
    error = cause;
  }
  expect(BowlineError.is(error) && error.code).toBe(code);
  for (const word of words) expect((error as Error).message).toContain(word);
}

describe("LoRA checkpoints", () => {
  test("a LoRA checkpoint holds a PEFT adapter, and training resumes from it bit by bit", async () => {
    const directory = join(folder, "resume");
    const [engine, other] = [new Learner(), new Learner()];
    await engine.trainSteps(3);
    engine.save(directory);
    expect(readdirSync(directory).sort()).toEqual([
      "adapter_config.json",
      "adapter_model.safetensors",
      "optimizer.safetensors",
      "sha256sums.txt",
      "trainer-state.json",
    ]);
    const expected = await engine.trainSteps(3);
    await other.trainSteps(1);
    expect(other.load(directory)).toMatchObject(version);
    expect(await other.trainSteps(3)).toEqual(expected);
  });

  test("a LoRA checkpoint is rejected by an engine with another rank, alpha, modules or base, or without LoRA", async () => {
    const directory = join(folder, "other");
    const engine = new Learner();
    await engine.trainSteps(1);
    engine.save(directory);
    const attempts: [ConstructorParameters<typeof Learner>, string][] = [
      [[{ ...lora, rank: 3 }], "rank is 2, but the engine's is 3"],
      [[{ ...lora, alpha: 1 }], "alpha is 6, but the engine's is 1"],
      [[{ ...lora, targetModules: ["q_proj"] }], "targetModules is q_proj,v_proj,down_p"],
      [[lora, 2], "another base"],
      [["none"], "engine.lora"],
    ];
    for (const [options, words] of attempts) {
      const target = new Learner(...options);
      const before = await target.evaluate();
      expectError(() => target.load(directory), "checkpoint", directory, words);
      expect(await target.evaluate()).toEqual(before);
    }
  });

  test("a LoRA checkpoint that is damaged or has unsupported PEFT options changes nothing", async () => {
    const directory = join(folder, "torn");
    const engine = new Learner();
    await engine.trainSteps(1);
    engine.save(directory);
    const expected = await engine.trainSteps(1);
    const filePath = (name: string) => join(directory, name);
    const config = readFileSync(filePath("adapter_config.json"), "utf8");
    writeFileSync(
      filePath("adapter_config.json"),
      JSON.stringify({ ...JSON.parse(config), use_dora: true }),
    );
    expectError(() => engine.load(directory), "checkpoint", "use_dora");
    writeFileSync(filePath("adapter_config.json"), config);
    const moments = readFileSync(filePath("optimizer.safetensors"));
    truncateSync(filePath("optimizer.safetensors"), moments.length - 4);
    expectError(() => engine.load(directory), "checkpoint", "optimizer.safetensors", "incomplete");
    writeFileSync(filePath("optimizer.safetensors"), moments);
    truncateSync(filePath("adapter_model.safetensors"), 40);
    expectError(() => engine.load(directory), "checkpoint", "adapter_model.safetensors");
    expect(await engine.evaluate()).toEqual(expected);
  });

  test("a LoRA engine that loads a whole model takes it as the base and starts with a fresh adapter", async () => {
    const directory = join(folder, "model");
    const full = new Learner("none", 7);
    const expected = await full.trainSteps(2);
    full.save(directory);
    const engine = new Learner();
    await engine.trainSteps(1);
    engine.load(directory);
    expect(await engine.evaluate()).toEqual(expected);
    expect(await engine.evaluate("base")).toEqual(expected);
    engine.save(join(folder, "on-model"));
    const config = readFileSync(join(folder, "on-model", "adapter_config.json"), "utf8");
    expect(JSON.parse(config)).toMatchObject({ base_model_name_or_path: directory });
  });
});

describe("the base of a checkpoint", () => {
  test("the base of a LoRA checkpoint is loaded from the folder that it came from, and must be unchanged", async () => {
    const [base, directory] = [join(folder, "moved"), join(folder, "on-moved")];
    new Learner("none", 7).held.exportMerged(base);
    const learner = new Learner();
    learner.load(base);
    const expected = await learner.trainSteps(2);
    learner.save(directory);
    const other = new Learner();
    expect(other.load(directory)).toMatchObject(version);
    expect(await other.evaluate()).toEqual(expected);
    new Learner("none", 8).held.exportMerged(base);
    const third = new Learner();
    const before = await third.evaluate();
    expectError(
      () => third.load(directory),
      "checkpoint",
      base,
      "the folder of that base has changed",
    );
    rmSync(base, { recursive: true });
    expectError(() => third.load(directory), "checkpoint", base, "another base");
    expect(await third.evaluate()).toEqual(before);
  });
});

describe("exports of an engine", () => {
  test("an exported adapter has PEFT's names and shapes and can be loaded on the same base", async () => {
    const directory = join(folder, "adapter");
    const engine = new Learner();
    const expected = await engine.trainSteps(2);
    engine.held.exportAdapter(directory);
    expect(readdirSync(directory).sort()).toEqual([
      "adapter_config.json",
      "adapter_model.safetensors",
      "sha256sums.txt",
    ]);
    const config = JSON.parse(readFileSync(join(directory, "adapter_config.json"), "utf8"));
    expect(config).toMatchObject({
      peft_type: "LORA",
      task_type: "CAUSAL_LM",
      r: 2,
      lora_alpha: 6,
      target_modules: ["q_proj", "v_proj", "down_proj"],
    });
    // PEFT writes paths like these for "all-linear".
    const paths = [0, 1].flatMap((layer) =>
      ["self_attn.q_proj", "self_attn.v_proj", "mlp.down_proj"].map(
        (name) => `model.layers.${layer}.${name}`,
      ),
    );
    writeFileSync(
      join(directory, "adapter_config.json"),
      JSON.stringify({ ...config, target_modules: paths, peft_version: "0.21.2" }),
    );
    const file = new SafetensorsFile(join(directory, "adapter_model.safetensors"));
    file.close();
    const tensorShape = (name: string) =>
      file.tensors.get(`base_model.model.model.layers.1.${name}.weight`)?.shape;
    expect(tensorShape("mlp.down_proj.lora_A")).toEqual([2, 24]);
    expect(tensorShape("mlp.down_proj.lora_B")).toEqual([16, 2]);
    expect(tensorShape("self_attn.v_proj.lora_B")).toEqual([8, 2]);
    expect(file.tensors.size).toBe(2 * 2 * 3);
    const other = new Learner();
    other.load(directory);
    expect(await other.evaluate()).toEqual(expected);
  });

  test("a merged model equals the adapted one, and has the tokenizer of its base folder", async () => {
    const base = join(folder, "with-tokenizer");
    const directory = join(folder, "merged");
    const plain = new Learner("none", 4);
    plain.held.exportMerged(base);
    writeFileSync(join(base, "tokenizer.json"), "{}");
    const engine = new Learner();
    engine.load(base);
    const expected = await engine.trainSteps(3);
    engine.held.exportMerged(directory);
    expect(readdirSync(directory).sort()).toEqual([
      "config.json",
      "model.safetensors",
      "sha256sums.txt",
      "tokenizer.json",
    ]);
    plain.load(directory);
    const merged = await plain.evaluate();
    expect(largestLogprobGap(merged, expected)).toBeLessThan(1e-5);
    expect(largestLogprobGap(merged, await engine.evaluate("base"))).toBeGreaterThan(0.01);
    expect(await engine.evaluate()).toEqual(expected);
  });

  test("exporting an adapter is rejected in full training", async () => {
    const engine = new Learner("none");
    expectError(() => engine.held.exportAdapter(join(folder, "none")), "engine", "exportMerged");
  });
});
