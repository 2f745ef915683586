/** Tests that model folders of transformers (tests/golden/hf-*) can be opened, and that damaged ones are rejected. */
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BowlineError } from "../../core/index.ts";
import { openTextDirectory } from "../../text/index.ts";
import { describeIgnoredFields } from "./model-source.ts";
import { openModelDirectory } from "./open-model-directory.ts";

const goldenPath = (name: string) =>
  fileURLToPath(new URL(`../../../tests/golden/${name}`, import.meta.url));

interface GoldenTokenizer {
  readonly cases: readonly {
    readonly text: string;
    readonly ids: number[];
    readonly decoded: string;
    readonly plain: number[];
    readonly plainDecoded: string;
  }[];
}
const tokenizers = JSON.parse(readFileSync(goldenPath("hf-tokenizers.json"), "utf8")) as Record<
  string,
  GoldenTokenizer
>;

let folder: string;
let directory: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bowline-model-"));
  directory = join(folder, "model");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("opening a model folder", () => {
  it("reads a Qwen2 model with tied embeddings and a chat template in tokenizer_config.json", async () => {
    const { config, generation, hasChatTemplate, files } = await openModelDirectory(
      goldenPath("hf-qwen2"),
    );
    expect(config).toMatchObject({
      qkvBias: true,
      qkNorm: false,
      tieEmbeddings: true,
      headSize: 8,
    });
    expect(generation).toEqual({
      stopIds: [332, 330],
      temperature: 0.7,
      ignored: ["repetition_penalty 1.05", "top_k 20", "top_p 0.8"],
    });
    expect(hasChatTemplate).toBe(true);
    expect(Object.keys(files).sort()).toEqual(["generation_config.json", "tokenizer_config.json"]);
  });

  it("reads a Qwen3 model with sharded weights, untied embeddings and wider heads", async () => {
    const { config } = await openModelDirectory(goldenPath("hf-qwen3"));
    expect(config).toMatchObject({ qkNorm: true, tieEmbeddings: false, headSize: 16 });
  });

  it("reads a Llama model that has one stop id and is greedy by default", async () => {
    const { generation, tokenizer } = await openModelDirectory(goldenPath("hf-llama"));
    expect(generation).toEqual({ stopIds: [2], temperature: 0, ignored: [] });
    expect(tokenizer.special("<s>")).toBe(1);
  });

  it("reads a Llama 3 model with scaled positions", async () => {
    const { config } = await openModelDirectory(goldenPath("hf-llama3"));
    expect(config.ropeTheta).toBe(500_000);
    expect(config.ropeScaling).toEqual({
      factor: 8,
      lowFrequencyFactor: 1,
      highFrequencyFactor: 4,
      originalContextLength: 32,
    });
  });

  it("without generation_config.json, samples as config.json says, which transformers reads then", async () => {
    copyGoldenModel("qwen2");
    const sampling = { do_sample: true, temperature: 0.7, repetition_penalty: 1.05 };
    changeJsonFile("config.json", { ...sampling, eos_token_id: [332, 330] });
    const { generation: fromOwnFile } = await openModelDirectory(directory);
    expect(fromOwnFile.ignored).toContain("repetition_penalty 1.05");
    rmSync(join(directory, "generation_config.json"));
    const { generation, files } = await openModelDirectory(directory);
    expect(generation).toEqual({
      stopIds: [332, 330],
      temperature: 0.7,
      ignored: ["repetition_penalty 1.05"],
    });
    expect(JSON.parse(files["generation_config.json"]!)).toMatchObject(sampling);
  });

  it("lists fields of config.json that are not known", async () => {
    copyGoldenModel("qwen2");
    changeJsonFile("config.json", { logits_scaling: 2, auto_map: { x: "y" }, temperature: null });
    const model = await openModelDirectory(directory);
    expect(model.namedFields).toEqual(["logits_scaling", "auto_map"]);
    expect(describeIgnoredFields({ from: "directory", directory: model })).toContain(
      `${join(directory, "config.json")} has logits_scaling, auto_map, which the engine does not read`,
    );
  });

  it("without generation_config.json, takes stop ids from config.json or else from the tokenizer", async () => {
    copyGoldenModel("qwen2");
    rmSync(join(directory, "generation_config.json"));
    expect((await openModelDirectory(directory)).generation).toEqual({
      stopIds: [332],
      ignored: [],
    });
    changeJsonFile("config.json", { eos_token_id: null });
    const { generation, files } = await openModelDirectory(directory);
    expect(generation.stopIds).toEqual([332]);
    expect(JSON.parse(files["generation_config.json"]!)).toEqual({ eos_token_id: [332] });
  });

  it("reads the same texts from a folder without weights", async () => {
    const whole = await openModelDirectory(goldenPath("hf-qwen2"));
    for (const file of ["config.json", "tokenizer.json", "tokenizer_config.json"]) {
      cpSync(join(goldenPath("hf-qwen2"), file), join(directory, file));
    }
    const texts = openTextDirectory(directory);
    expect(texts.vocabularySize).toBe(whole.config.vocabularySize);
    expect(texts.contextLength).toBe(whole.config.contextLength);
    expect(texts.tokenizer.encode("print(1)")).toEqual(whole.tokenizer.encode("print(1)"));
    expect(texts.generation.stopIds).toEqual([texts.tokenizer.special("<|im_end|>")]);
    await expect(openModelDirectory(directory)).rejects.toThrow(/safetensors/);
  });
});

describe.each(Object.keys(tokenizers).filter((name) => name !== "made"))(
  "tokenizer: %s",
  (name) => {
    it("encodes and decodes like transformers", async () => {
      const { tokenizer } = await openModelDirectory(goldenPath(`hf-${name}`));
      for (const { text, ids, decoded, plain, plainDecoded } of tokenizers[name]!.cases) {
        expect(tokenizer.encodeRendered(text)).toEqual(ids);
        expect(tokenizer.encode(text)).toEqual(plain);
        expect(tokenizer.decode(ids)).toBe(decoded);
        expect(tokenizer.decode(plain)).toBe(plainDecoded);
      }
    });

    it("encodes the names of special tokens in a text as plain text", async () => {
      const { tokenizer } = await openModelDirectory(goldenPath(`hf-${name}`));
      for (const [token, id] of tokenizer.specials) {
        expect(tokenizer.encodeRendered(token)).toEqual([id]);
        expect(tokenizer.encode(token)).not.toContain(id);
      }
    });
  },
);

/** Copies a golden folder to a temporary place, where a test can damage it. */
function copyGoldenModel(name: string): void {
  cpSync(goldenPath(`hf-${name}`), directory, { recursive: true });
}
const filePath = (name: string) => join(directory, name);
const readJsonFile = (name: string) =>
  JSON.parse(readFileSync(filePath(name), "utf8")) as Record<string, unknown>;
function changeJsonFile(name: string, fields: Readonly<Record<string, unknown>>): void {
  writeFileSync(filePath(name), JSON.stringify({ ...readJsonFile(name), ...fields }));
}
function changeWeightsHeader(
  name: string,
  edit: (header: Record<string, { shape: number[] }>) => void,
) {
  const bytes = readFileSync(filePath(name));
  const length = Number(bytes.readBigUInt64LE());
  const header = JSON.parse(bytes.subarray(8, 8 + length).toString());
  edit(header);
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  writeFileSync(filePath(name), Buffer.concat([size, text, bytes.subarray(8 + length)]));
}

const WEIGHTS = "model.safetensors";
const DAMAGES: readonly (readonly [
  what: string,
  model: string,
  damage: () => void,
  message: RegExp,
])[] = [
  [
    "no folder",
    "qwen2",
    () => rmSync(directory, { recursive: true }),
    /there is no folder .*not downloaded/,
  ],
  ["no config", "qwen2", () => rmSync(filePath("config.json")), /config\.json is missing/],
  [
    "a torn config",
    "qwen2",
    () => truncateSync(filePath("config.json"), 99),
    /config\.json is not JSON/,
  ],
  [
    "Mistral",
    "llama",
    () => changeJsonFile("config.json", { model_type: "mistral" }),
    /model_type "mistral" is not supported; expected one of qwen2, qwen3, llama/,
  ],
  [
    "GPT-2, whose fields have other names",
    "llama",
    () => writeFileSync(filePath("config.json"), '{"model_type":"gpt2","n_embd":8}'),
    /model_type "gpt2" is not supported/,
  ],
  [
    "a classifier",
    "qwen2",
    () => changeJsonFile("config.json", { architectures: ["Qwen2ForSequenceClassification"] }),
    /architectures names "Qwen2ForSequenceClassification"; expected Qwen2ForCausalLM/,
  ],
  [
    "an architecture whose name has a line break, which stays one line",
    "qwen2",
    () => changeJsonFile("config.json", { architectures: ["Qwen2\nForCausalLM"] }),
    /^[^\n]*architectures names "Qwen2\\nForCausalLM"; expected Qwen2ForCausalLM$/,
  ],
  [
    "quantised weights",
    "qwen2",
    () => changeJsonFile("config.json", { quantization_config: { bits: 4 } }),
    /quantization_config/,
  ],
  [
    "sliding windows",
    "qwen2",
    () => changeJsonFile("config.json", { use_sliding_window: true }),
    /use_sliding_window/,
  ],
  [
    "sliding windows by layer",
    "qwen2",
    () => changeJsonFile("config.json", { layer_types: ["full_attention", "sliding_attention"] }),
    /layer_types/,
  ],
  [
    "biases everywhere",
    "llama",
    () => changeJsonFile("config.json", { attention_bias: true }),
    /attention_bias/,
  ],
  [
    "yarn scaling of positions",
    "llama3",
    () => changeJsonFile("config.json", { rope_parameters: { rope_type: "yarn", factor: 4 } }),
    /rope_parameters: rope_type "yarn" is not supported; expected default or llama3/,
  ],
  [
    "linear scaling of positions in the old layout",
    "llama",
    () => changeJsonFile("config.json", { rope_scaling: { type: "linear", factor: 2 } }),
    /rope_scaling: rope_type "linear" is not supported/,
  ],
  [
    "half a llama3 scaling",
    "llama3",
    () => changeJsonFile("config.json", { rope_parameters: { rope_type: "llama3", factor: 8 } }),
    /rope_parameters: [\s\S]*low_freq_factor/,
  ],
  [
    "partly rotated heads",
    "llama",
    () => changeJsonFile("config.json", { partial_rotary_factor: 0.5 }),
    /partial_rotary_factor/,
  ],
  ["no weights", "llama", () => rmSync(filePath(WEIGHTS)), /model\.safetensors is missing/],
  [
    "weights of PyTorch",
    "llama",
    () => renameSync(filePath(WEIGHTS), filePath("pytorch_model.bin")),
    /pytorch_model\.bin is not read; save the model with safetensors/,
  ],
  [
    "a missing tensor",
    "llama",
    () =>
      changeWeightsHeader(WEIGHTS, (header) => {
        header["spare"] = header["model.norm.weight"]!;
        delete header["model.norm.weight"];
      }),
    /lacks model\.norm\.weight \[32\]/,
  ],
  [
    "an unknown tensor",
    "qwen2",
    () => changeJsonFile("config.json", { num_hidden_layers: 1, layer_types: null }),
    /has a tensor model\.layers\.1\..* unknown to its config/,
  ],
  [
    "a wrong shape",
    "llama",
    () =>
      changeWeightsHeader(WEIGHTS, (header) => {
        header["model.layers.0.mlp.up_proj.weight"]!.shape.reverse();
      }),
    /up_proj\.weight should have shape \[48,32\], but has \[32,48\]/,
  ],
  [
    "fewer bytes than the header says",
    "llama",
    () => truncateSync(filePath(WEIGHTS), 50_000),
    /model\.safetensors: it should have \d+ bytes, but has 50000; it is probably incomplete/,
  ],
  [
    "a torn header",
    "llama",
    () => truncateSync(filePath(WEIGHTS), 100),
    /its header should have \d+ bytes, but the file has 100/,
  ],
  [
    "a missing shard",
    "qwen3",
    () => rmSync(filePath("model-00003-of-00004.safetensors")),
    /model-00003-of-00004\.safetensors is missing, but .*index\.json names it/,
  ],
  [
    "a shard outside of the folder",
    "qwen3",
    () => changeJsonFile("model.safetensors.index.json", { weight_map: { x: "../../etc/x" } }),
    /is missing, but .* names it/,
  ],
  [
    "an index without weights",
    "qwen3",
    () => writeFileSync(filePath("model.safetensors.index.json"), "{}"),
    /index\.json: weight_map: .*expected record/,
  ],
  [
    "no tokenizer",
    "qwen2",
    () => rmSync(filePath("tokenizer.json")),
    /tokenizer\.json is missing: a model folder needs this file/,
  ],
  [
    "a slow tokenizer",
    "llama",
    () => renameSync(filePath("tokenizer.json"), filePath("tokenizer.model")),
    /tokenizer\.model is not supported/,
  ],
  [
    "a foreign tokenizer",
    "qwen2",
    () => cpSync(join(goldenPath("hf-llama"), "tokenizer.json"), filePath("tokenizer.json")),
    /tokenizer\.json belongs to another model: it has \d+ ids, but the embedding has 342 rows/,
  ],
  [
    "a tokenizer of an unknown type",
    "qwen2",
    () => writeFileSync(filePath("tokenizer.json"), '{"model":{"type":"Unigram"}}'),
    /not a tokenizer\.json/,
  ],
  [
    "a broken template",
    "llama3",
    () => writeFileSync(filePath("chat_template.jinja"), "{% for x in %}"),
    /chat_template\.jinja: the template is broken/,
  ],
  [
    "a stop id beyond the vocabulary",
    "llama",
    () => changeJsonFile("generation_config.json", { eos_token_id: [2, 9999] }),
    /eos_token_id 9999 is not below/,
  ],
  [
    "a negative temperature",
    "llama",
    () => changeJsonFile("generation_config.json", { temperature: -1 }),
    /generation_config\.json: [\s\S]*temperature/,
  ],
];

describe("a damaged model folder is rejected with an error that names the problem:", () => {
  it.each(DAMAGES)("%s", async (_, model, damage, message) => {
    copyGoldenModel(model);
    damage();
    const error: unknown = await openModelDirectory(directory).catch((reason: unknown) => reason);
    expect(BowlineError.is(error) && error.code).toBe("checkpoint");
    expect((error as Error).message).toMatch(message);
  });

  it("a missing chat template, which causes an error only when it is used", async () => {
    copyGoldenModel("qwen3");
    rmSync(filePath("chat_template.jinja"));
    const opened = await openModelDirectory(directory);
    expect(opened.hasChatTemplate).toBe(false);
    expect(() => opened.chatTemplate()).toThrow(/has no chat template/);
  });
});

it("reads the same model from config.json of older and newer versions of transformers", async () => {
  copyGoldenModel("llama3");
  const newer = (await openModelDirectory(directory)).config;
  const { rope_parameters, dtype, ...rest } = readJsonFile("config.json");
  const { rope_theta, ...rope_scaling } = rope_parameters as Record<string, unknown>;
  const older = { ...rest, rope_theta, rope_scaling, torch_dtype: dtype, sliding_window: 4096 };
  writeFileSync(filePath("config.json"), JSON.stringify(older));
  expect((await openModelDirectory(directory)).config).toEqual(newer);
  // Before version 4.43 the field was called `type`. If head_dim is null, the width of a head is computed from other
  // fields.
  const { rope_type: type, ...scaling } = rope_scaling;
  changeJsonFile("config.json", { rope_scaling: { ...scaling, type }, head_dim: null });
  expect((await openModelDirectory(directory)).config).toEqual(newer);
});
