/**
 * Compares tiny checkpoints that transformers wrote with what transformers computes with them
 * (tests/golden/hf_golden.py): Qwen2 in bfloat16 with a tied head, Qwen3 in float32 shards with an untied head, Llama
 * in float16, and Llama with Llama 3's scaling of positions.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { BowlineError } from "../../../core/index.ts";
import { ParameterStore, parseModelConfig, rotaryFrequency } from "../model/index.ts";
import { createOnnxEngine } from "../worker/index.ts";
import {
  loadModelConfig,
  loadWeights,
  parseHuggingFaceConfig,
  SafetensorsFile,
  toHuggingFaceConfig,
} from "./index.ts";

interface Golden {
  readonly rows: readonly { tokens: number[]; logprobs: number[] }[];
  readonly continuations: readonly { tokens: number[]; next: number[] }[];
}
const goldenPath = (name: string) =>
  fileURLToPath(new URL(`../../../../tests/golden/${name}`, import.meta.url));
const numbers = JSON.parse(readFileSync(goldenPath("hf-logprobs.json"), "utf8")) as Record<
  string,
  Golden
>;
const NAMES = ["qwen2", "qwen3", "llama", "llama3"];

const folder = mkdtempSync(join(tmpdir(), "bowline-huggingface-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function openEngine(name: string, weights = goldenPath(`hf-${name}`)) {
  return createOnnxEngine({ model: loadModelConfig(goldenPath(`hf-${name}`)), seed: 1, weights });
}

describe.each(NAMES)("a Hugging Face checkpoint of %s", (name) => {
  it("a loaded checkpoint has the same log-probs and greedy continuations as transformers", async () => {
    const engine = await openEngine(name);
    const { rows, continuations } = numbers[name]!;
    const outputs = await engine.evaluate(
      rows.map(({ tokens }) => ({ tokens, at: tokens.slice(1).map((_, i) => i + 1) })),
    );
    for (const [row, { logprobs }] of outputs.entries()) {
      const far = Math.max(...rows[row]!.logprobs.map((want, i) => Math.abs(want - logprobs[i]!)));
      expect(far).toBeLessThan(1e-4);
    }
    const samples = await engine.sample(
      continuations.map(({ tokens }, stream) => ({
        ...{ tokens, stream, maxTokens: 32, temperature: 0, stopIds: [] },
      })),
    );
    expect(samples.map(({ tokens }) => tokens)).toEqual(continuations.map(({ next }) => next));
    await engine.close();
  });
});

describe("Llama 3's scaling of positions", () => {
  const rope = JSON.parse(readFileSync(goldenPath("hf-rope.json"), "utf8")) as {
    cases: { headSize: number; factor: number; frequencies: number[] }[];
  };
  it.each(rope.cases)(
    "Llama 3's scaling gives the rotary frequencies of transformers for head size $headSize and factor $factor",
    ({ headSize, factor, frequencies }) => {
      const scaling = {
        lowFrequencyFactor: 1,
        highFrequencyFactor: 4,
        originalContextLength: 8192,
      };
      const config = parseModelConfig({
        ...loadModelConfig(goldenPath("hf-llama3")),
        headSize,
        ropeTheta: 500_000,
        ropeScaling: { factor, ...scaling },
      });
      expect(frequencies).toHaveLength(headSize / 2);
      for (const [pair, want] of frequencies.entries()) {
        // The frequencies of transformers are rounded to 32 bits at each of a dozen steps.
        expect(Math.abs(rotaryFrequency(config, pair) / want - 1)).toBeLessThan(2e-6);
      }
    },
  );
});

describe.each(NAMES)("the model config of %s", (name) => {
  it("a model config is unchanged after writing and reading it", () => {
    const config = loadModelConfig(goldenPath(`hf-${name}`));
    expect(parseHuggingFaceConfig(toHuggingFaceConfig(config), "written")).toEqual(config);
  });
});

it("absent fields have the defaults of the family's class in transformers", () => {
  const {
    head_dim: _,
    num_key_value_heads: __,
    ...rest
  } = toHuggingFaceConfig(loadModelConfig(goldenPath("hf-qwen3")));
  const wide = { ...rest, num_attention_heads: 64 };
  expect(parseHuggingFaceConfig(wide, "x")).toMatchObject({ headSize: 128, kvHeads: 32 });
  const nulls = { ...rest, head_dim: null, num_key_value_heads: null };
  expect(parseHuggingFaceConfig(nulls, "x")).toMatchObject({ headSize: 8, kvHeads: 4 });
});

it.each([
  [Number.NaN, 0],
  [Number.POSITIVE_INFINITY, 31],
  [Number.NEGATIVE_INFINITY, 7],
])("a weight of %f is rejected when it is read", async (bad, index) => {
  const directory = join(folder, `bad-${index}`);
  cpSync(goldenPath("hf-llama3"), directory, { recursive: true });
  const path = join(directory, "model.safetensors");
  const file = new SafetensorsFile(path);
  const { position } = file.tensors.get("model.norm.weight")!;
  file.close();
  const bytes = readFileSync(path);
  bytes.writeFloatLE(bad, position + 4 * index);
  writeFileSync(path, bytes);
  const error: unknown = await openEngine("llama3", directory).catch((reason: unknown) => reason);
  expect(BowlineError.is(error) && error.code).toBe("checkpoint");
  expect((error as Error).message).toContain(`model.norm.weight[${index}] is ${bad}; weights must`);
});

it("weights are widened through one small buffer, so a model is never held twice", () => {
  const config = parseModelConfig({
    ...loadModelConfig(goldenPath("hf-qwen2")),
    vocabularySize: 200_000,
    hiddenSize: 64,
  });
  const directory = join(folder, "large");
  cpSync(goldenPath("hf-qwen2"), directory, { recursive: true });
  writeZeros(join(directory, "model.safetensors"), new ParameterStore(config).parameters);
  const store = new ParameterStore(config);
  const before = process.memoryUsage().arrayBuffers;
  loadWeights(directory, store);
  const grown = process.memoryUsage().arrayBuffers - before;
  expect(store.data.byteLength).toBeGreaterThan(40 * 2 ** 20);
  expect(grown).toBeLessThan(6 * 2 ** 20);
});

/** Writes all tensors of a model as zeros in bfloat16. */
function writeZeros(path: string, parameters: ParameterStore["parameters"]): void {
  let end = 0;
  const entries = parameters.map(({ name, shape, size }) => {
    end += 2 * size;
    return [name, { dtype: "BF16", shape, data_offsets: [end - 2 * size, end] }];
  });
  const text = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(text.length));
  writeFileSync(path, Buffer.concat([prefix, text, Buffer.alloc(end)]));
}
