/**
 * Compares GGUF with the `gguf` Python package (tests/golden/make_gguf.py), with the Hugging Face folders that
 * transformers wrote, and with itself. Invalid model files give a one-line error before a weight has changed.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import {
  type GgufEntry,
  GgufFile,
  type GgufTensorToWrite,
  writeGguf,
} from "../../../../core/gguf/index.ts";
import { BowlineError, Rng } from "../../../../core/index.ts";
import {
  AdapterStore,
  initializeAdapter,
  initializeParameters,
  type ModelConfig,
  ParameterStore,
  parseLoraOptions,
  parseModelConfig,
} from "../../model/index.ts";
import { checkWeightFiles, loadModelConfig, loadWeights, writeMergedModel } from "../index.ts";
import { dequantize, READABLE_TYPES } from "./dequantize.ts";
import { shortestDecimal } from "./gguf-format.ts";
import { encodeTensorData } from "./quantize.ts";
import { writeAdapterGguf, writeModelGguf } from "./write-gguf.ts";

const goldenPath = (name: string) =>
  fileURLToPath(new URL(`../../../../../tests/golden/${name}`, import.meta.url));
const blocks = JSON.parse(readFileSync(goldenPath("gguf-blocks.json"), "utf8")) as {
  read: Record<string, { bytes: string; values: string }>;
  write: Record<"values" | "F16" | "Q8_0", string>;
};
const decodeBase64 = (text: string) => Uint8Array.from(Buffer.from(text, "base64"));
const decodeFloats = (text: string) => new Float32Array(decodeBase64(text).buffer);

const folder = mkdtempSync(join(tmpdir(), "bowline-gguf-model-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "model.gguf");

test.each(READABLE_TYPES)("%s is unpacked to the same bits as by the gguf package", (type) => {
  const { bytes, values } = blocks.read[type]!;
  const expected = decodeFloats(values);
  const found = new Float32Array(expected.length);
  dequantize(type, decodeBase64(bytes), found);
  expect(found).toEqual(expected);
});

test.each(["F16", "Q8_0"] as const)(
  "%s is packed to the same bytes as by the gguf package",
  (type) => {
    const written = Buffer.concat([
      ...encodeTensorData(type, decodeFloats(blocks.write.values), "it"),
    ]);
    expect(written.toString("base64")).toBe(blocks.write[type]);
  },
);

test("a number too large for 16-bit floats is rejected", () => {
  const values = new Float32Array(32).fill(1e6);
  expect(() => [...encodeTensorData("F16", values, "blk.0.x")]).toThrow(
    /blk\.0\.x holds 1000000, which is too large/,
  );
});

test.each([
  [Math.fround(1e-5), 1e-5],
  [Math.fround(1e-6), 1e-6],
  [1e6, 1e6],
  [Math.fround(0.1), 0.1],
  [500_000, 500_000],
  [0.1, 0.1],
])("the shortest decimal of %d is %d", (stored, decimal) => {
  expect(shortestDecimal(stored)).toBe(decimal);
});

describe.each(["qwen2", "qwen3", "llama", "llama3"])("a GGUF file of %s", (name) => {
  const config = loadModelConfig(goldenPath(`hf-${name}`));
  const store = new ParameterStore(config);
  loadWeights(goldenPath(`hf-${name}`), store);

  test("a model that is written as GGUF and read back has the same bits", () => {
    writeModelGguf(path, store, undefined, { dtype: "F32", texts: [] });
    expect(loadModelConfig(path)).toEqual(config);
    checkWeightFiles(path, config);
    const again = new ParameterStore(config);
    loadWeights(path, again);
    expect(again.data).toEqual(store.data);
  });

  test("a model in 16-bit floats or Q8_0 reads back near the original, with unchanged vectors", () => {
    for (const [dtype, gap] of [
      ["F16", 1e-3],
      ["Q8_0", 0.02],
    ] as const) {
      writeModelGguf(path, store, undefined, { dtype, texts: [] });
      const again = new ParameterStore(config);
      loadWeights(path, again);
      const far = again.data.reduce(
        (most, x, i) => Math.max(most, Math.abs(x - store.data[i]!)),
        0,
      );
      expect(far).toBeLessThan(
        gap * store.data.reduce((most, x) => Math.max(most, Math.abs(x)), 0),
      );
      expect(again.view("model.norm.weight")).toEqual(store.view("model.norm.weight"));
    }
  });
});

const LLAMA = parseModelConfig({
  vocabularySize: 12,
  hiddenSize: 8,
  layers: 1,
  heads: 2,
  kvHeads: 1,
  headSize: 4,
  intermediateSize: 12,
  contextLength: 32,
  rmsNormEpsilon: 1e-5,
});

function createStore(config: ModelConfig = LLAMA): ParameterStore {
  const store = new ParameterStore(config);
  initializeParameters(store, 3);
  return store;
}

test("query and key rows have the order of llama.cpp's converter, with adjacent rotary pairs", () => {
  const store = createStore();
  writeModelGguf(path, store, undefined, { dtype: "F32", texts: [] });
  const file = new GgufFile(path);
  const { position, sizeBytes } = file.tensors.get("blk.0.attn_q.weight")!;
  const bytes = new Uint8Array(sizeBytes);
  file.readAt(position, bytes);
  file.close();
  const rows = new Float32Array(bytes.buffer);
  const ours = store.view("model.layers.0.self_attn.q_proj.weight");
  // There are two heads of size four. Rows 0 and 2 are a pair, and rows 1 and 3.
  const order = [0, 2, 1, 3, 4, 6, 5, 7];
  expect(rows).toEqual(
    Float32Array.from(order.flatMap((row) => [...ours.subarray(row * 8, row * 8 + 8)])),
  );
});

test("a GGUF adapter has llama.cpp's names and alpha, and the GGUF export of the merged model equals the Hugging Face one", () => {
  const store = createStore();
  const lora = parseLoraOptions(
    { rank: 2, alpha: 6, targetModules: ["q_proj", "down_proj"] },
    LLAMA,
  );
  const adapter = new AdapterStore(LLAMA, lora);
  initializeAdapter(adapter, 5);
  for (let i = 0; i < adapter.data.length; i++) adapter.data[i] = Math.sin(i);
  writeAdapterGguf(path, adapter, { dtype: "F32", texts: [] });
  const file = new GgufFile(path);
  expect([...file.tensors].map(([name, { dims }]) => `${name} ${dims}`)).toEqual([
    "blk.0.attn_q.weight.lora_a 8,2",
    "blk.0.attn_q.weight.lora_b 2,8",
    "blk.0.ffn_down.weight.lora_a 12,2",
    "blk.0.ffn_down.weight.lora_b 2,8",
  ]);
  const about = ["general.type", "adapter.type", "adapter.lora.alpha", "general.architecture"];
  expect(about.map((key) => file.metadata.get(key))).toEqual(["adapter", "lora", 6, "llama"]);
  file.close();
  expect(() => loadModelConfig(path)).toThrow(/holds a LoRA adapter, not a model/);

  const merged = new ParameterStore(LLAMA);
  writeMergedModel(join(folder, "hf"), store, adapter);
  loadWeights(join(folder, "hf"), merged);
  writeModelGguf(path, store, adapter, { dtype: "F32", texts: [] });
  const again = new ParameterStore(LLAMA);
  loadWeights(path, again);
  expect(again.data).toEqual(merged.data);
});

test.each([
  ["both norms and biases", { qkNorm: true, qkvBias: true }],
  [
    "Llama 3's rotary scaling in a Qwen model",
    {
      qkNorm: true,
      ropeScaling: {
        factor: 8,
        lowFrequencyFactor: 1,
        highFrequencyFactor: 4,
        originalContextLength: 16,
      },
    },
  ],
])(
  "exporting a model with %s is rejected, because llama.cpp has no architecture for it",
  (_, change) => {
    const store = createStore({ ...LLAMA, ...change });
    expect(() => writeModelGguf(path, store, undefined, { dtype: "F32", texts: [] })).toThrow(
      /llama\.cpp has no architecture with .*; export it as hf/,
    );
  },
);

/** Returns all entries and tensors of a file, so that a test can damage them. */
function readParts(config: ModelConfig = LLAMA): {
  entries: GgufEntry[];
  tensors: GgufTensorToWrite[];
} {
  writeModelGguf(path, createStore(config), undefined, { dtype: "F32", texts: [] });
  const file = new GgufFile(path);
  const entries = [...file.metadata].map(([key, value]): GgufEntry => {
    if (typeof value === "string") return { key, kind: "string", value };
    const kind = Number.isInteger(value) && !key.includes("freq_base") ? "uint32" : "float32";
    return { key, kind, value: value as number };
  });
  const tensors = [...file.tensors].map(([name, { type, dims, position, sizeBytes }]) => {
    const bytes = new Uint8Array(sizeBytes);
    file.readAt(position, bytes);
    return { name, type, dims, bytes: () => [bytes] };
  });
  file.close();
  return { entries, tensors };
}

type Parts = ReturnType<typeof readParts>;
const withEntry = (key: string, value: string | number) => (parts: Parts) => {
  const kind =
    typeof value === "string" ? "string" : Number.isInteger(value) ? "uint32" : "float32";
  const entries = parts.entries.filter((entry) => entry.key !== key);
  return { ...parts, entries: [...entries, { key, kind, value } as GgufEntry] };
};
const withoutEntry = (key: string) => (parts: Parts) => ({
  ...parts,
  entries: parts.entries.filter((entry) => entry.key !== key),
});
const withoutTensor = (name: string) => (parts: Parts) => ({
  ...parts,
  tensors: parts.tensors.filter((tensor) => tensor.name !== name),
});
const withTensor =
  (name: string, type: "F32" | "IQ4_NL", dims: readonly number[], values: Uint8Array) =>
  (parts: Parts) => ({
    ...parts,
    tensors: [
      ...parts.tensors.filter((old) => old.name !== name),
      { name, type, dims, bytes: () => [values] },
    ],
  });
const NORM = "blk.0.attn_norm.weight";
const infinite = new Uint8Array(new Float32Array(8).fill(Number.POSITIVE_INFINITY).buffer);
const odd = new Uint8Array(Float32Array.of(2, 3).buffer);

describe("invalid GGUF files", () => {
  test.each<[string, (parts: Parts) => Parts, RegExp]>([
    [
      "no architecture",
      withoutEntry("general.architecture"),
      /general\.architecture is missing; expected/,
    ],
    [
      "another architecture",
      withEntry("general.architecture", "gemma3"),
      /general\.architecture "gemma3" is not supported; expected one of llama, qwen2, qwen3/,
    ],
    [
      "the type of a projector",
      withEntry("general.type", "mmproj"),
      /holds a "mmproj", not a model/,
    ],
    ["no layers", withoutEntry("llama.block_count"), /lacks the key llama\.block_count/],
    [
      "more layers than tensors",
      withEntry("llama.block_count", 4e9),
      /block_count is 4000000000, but there/,
    ],
    [
      "heads that do not divide",
      withEntry("llama.attention.head_count_kv", 3),
      /heads must be a multiple/,
    ],
    [
      "no context",
      withEntry("llama.context_length", 0),
      /llama\.context_length: expected a number above 0/,
    ],
    [
      "a width that is a word",
      withEntry("llama.embedding_length", "wide"),
      /llama\.embedding_length: expected a whole number/,
    ],
    [
      "rotation of half a head",
      withEntry("llama.rope.dimension_count", 2),
      /dimension_count is 2, but heads have 4/,
    ],
    [
      "a value head size that differs from the key head size",
      withEntry("llama.attention.value_length", 8),
      /value_length is 8, but heads have 4/,
    ],
    [
      "YaRN scaling",
      withEntry("llama.rope.scaling.type", "yarn"),
      /llama\.rope\.scaling\.type: expected none or linear, got "yarn"/,
    ],
    [
      "linear scaling",
      withEntry("llama.rope.scaling.factor", 4),
      /llama\.rope\.scaling\.factor: expected 1 or 0, got 4/,
    ],
    [
      "an unknown key",
      withEntry("llama.attention.sinks", 4),
      /llama\.attention\.sinks: a key that/,
    ],
    [
      "experts",
      withEntry("llama.expert_count", 8),
      /llama\.expert_count: expected 0, got 8: the MLP has no experts/,
    ],
    [
      "a sliding window",
      withEntry("llama.attention.sliding_window", 8),
      /sliding_window is 8, which is not/,
    ],
    [
      "a missing tensor",
      withoutTensor(NORM),
      /lacks model\.layers\.0\.input_layernorm\.weight \[8\]/,
    ],
    ["no embedding", withoutTensor("token_embd.weight"), /lacks token_embd\.weight/],
    [
      "dimensions that do not match its tensors",
      withEntry("llama.feed_forward_length", 16),
      /mlp\.gate_proj\.weight should have shape \[16,8\], but has \[12,8\]/,
    ],
    [
      "a foreign tensor",
      withTensor("blk.0.ssm_a", "F32", [2], odd),
      /has a tensor blk\.0\.ssm_a unknown/,
    ],
    [
      "an unknown quantisation",
      withTensor(NORM, "IQ4_NL", [32], new Uint8Array(18)),
      /blk\.0\.attn_norm\.weight is IQ4_NL; expected one of F32/,
    ],
    [
      "an unknown rotary scaling",
      withTensor("rope_freqs.weight", "F32", [2], odd),
      /rope_freqs\.weight scales/,
    ],
    ["infinite weights", withTensor(NORM, "F32", [8], infinite), /weights must be finite/],
  ])(
    "a GGUF file with %s is rejected in one line before any weight is read",
    (_, change, message) => {
      const { entries, tensors } = change(readParts());
      writeGguf(path, entries, tensors);
      const store = new ParameterStore(LLAMA);
      let text = "";
      try {
        const config = loadModelConfig(path);
        checkWeightFiles(path, config);
        loadWeights(path, store);
      } catch (error) {
        if (!BowlineError.is(error) || error.code !== "checkpoint") throw error;
        text = error.message;
      }
      expect(text).toMatch(message);
      expect(text).not.toContain("\n");
      expect(text).toContain(path);
      if (!text.includes("finite")) expect(store.data.every((x) => x === 0)).toBe(true);
    },
  );
});

test("after random damage to its header a model reads as before, or a one-line error comes before any weight is read", () => {
  readParts();
  const original = readFileSync(path);
  const file = new GgufFile(path);
  const header = Math.min(...[...file.tensors.values()].map(({ position }) => position));
  file.close();
  const rng = new Rng(14);
  let refused = 0;
  for (let i = 0; i < 1500; i++) {
    const bytes = Buffer.from(original);
    const at = rng.integer(0, header - 8);
    if (rng.chance(0.7)) bytes[at] = rng.integer(0, 255);
    else bytes.writeBigUInt64LE(2n ** BigInt(rng.integer(0, 63)), at);
    writeFileSync(path, bytes);
    const store = new ParameterStore(LLAMA);
    try {
      const config = loadModelConfig(path);
      checkWeightFiles(path, config);
      if (JSON.stringify(config) === JSON.stringify(LLAMA)) loadWeights(path, store);
    } catch (error) {
      if (!BowlineError.is(error) || error.code !== "checkpoint") throw error;
      expect(error.message).not.toContain("\n");
      if (!error.message.includes("finite")) expect(store.data.every((x) => x === 0)).toBe(true);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(700);
}, 60_000);

const real = process.env["BOWLINE_SMOLLM2"];
test.skipIf(real === undefined || !existsSync(real))(
  "SmolLM2-135M as published has the expected config and weights",
  () => {
    const config = loadModelConfig(real!);
    expect(config).toMatchObject({
      vocabularySize: 49_152,
      layers: 30,
      heads: 9,
      kvHeads: 3,
      headSize: 64,
      ropeTheta: 100_000,
      rmsNormEpsilon: 1e-5,
      tieEmbeddings: true,
    });
    const store = new ParameterStore({ ...config, contextLength: 64 });
    loadWeights(real!, store);
    expect(store.view("model.embed_tokens.weight")[0]).toBe(-0.10654449462890625);
  },
  60_000,
);
