import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BowlineError, Rng } from "../../../core/index.ts";
import {
  initializeParameters,
  type ModelConfig,
  ParameterStore,
  parseModelConfig,
} from "../model/index.ts";
import { createOptimizerState } from "../train/index.ts";
import {
  type CheckpointContents,
  hashWeightFiles,
  hashWeights,
  loadCheckpoint,
  loadModelConfig,
  SafetensorsFile,
  saveCheckpoint,
  writeSafetensors,
} from "./index.ts";

const QWEN2 = parseModelConfig({
  vocabularySize: 11,
  hiddenSize: 8,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  headSize: 4,
  intermediateSize: 12,
  contextLength: 32,
  qkvBias: true,
});
const QWEN3 = { ...QWEN2, qkvBias: false, qkNorm: true, tieEmbeddings: false };
const LLAMA = { ...QWEN2, qkvBias: false, tieEmbeddings: false, ropeTheta: 500_000 };

let folder: string;
let directory: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bowline-checkpoint-"));
  directory = join(folder, "checkpoint");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function createContents(seed: number, config: ModelConfig = QWEN2): CheckpointContents {
  const parameters = new ParameterStore(config);
  initializeParameters(parameters, seed);
  const optimizer = createOptimizerState(parameters);
  const rng = new Rng(seed);
  for (const { name, offset, size } of parameters.parameters) {
    for (let i = offset; i < offset + size; i++) {
      optimizer.firstMoment[i] = rng.normal() * name.length;
      optimizer.secondMoment[i] = rng.uniform();
    }
  }
  optimizer.step = 7;
  return { parameters, optimizer };
}

const copyContents = ({ parameters, optimizer }: CheckpointContents) => ({
  weights: parameters.data.slice(),
  first: optimizer.firstMoment.slice(),
  second: optimizer.secondMoment.slice(),
  step: optimizer.step,
});

const publishedState = { policyVersion: 3, unpublished: false };

function catchCheckpointError(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(BowlineError.is(error) && error.code).toBe("checkpoint");
    return (error as Error).message;
  }
  throw new Error("nothing was thrown");
}

test.each([
  ["qwen2", QWEN2],
  ["qwen3", QWEN3],
  ["llama", LLAMA],
  ["qwen3", { ...QWEN3, qkvBias: true }],
])("a saved %s checkpoint loads with the same bits", (family, config) => {
  const source = createContents(1, config);
  saveCheckpoint(directory, source, publishedState);
  const target = createContents(2, config);
  expect(loadCheckpoint(directory, target)).toEqual({ version: 1, step: 7, ...publishedState });
  expect(copyContents(target)).toEqual(copyContents(source));
  expect(loadModelConfig(directory)).toEqual(config);
  const json = JSON.parse(readFileSync(join(directory, "config.json"), "utf8"));
  expect(json).toMatchObject({ model_type: family, num_hidden_layers: 2, head_dim: 4 });
});

test("saved tensors have Hugging Face's names and shapes", () => {
  saveCheckpoint(directory, createContents(1), publishedState);
  const file = new SafetensorsFile(join(directory, "model.safetensors"));
  const tensorShape = (name: string) => file.tensors.get(name)?.shape;
  file.close();
  expect(tensorShape("model.embed_tokens.weight")).toEqual([11, 8]);
  expect(tensorShape("model.layers.1.self_attn.k_proj.weight")).toEqual([8, 8]);
  expect(tensorShape("model.layers.1.self_attn.q_proj.bias")).toEqual([16]);
  expect(tensorShape("model.layers.0.mlp.down_proj.weight")).toEqual([8, 12]);
  expect(tensorShape("lm_head.weight")).toBeUndefined();
});

test("a folder with weights alone loads with fresh moments, in one file or in shards", () => {
  const source = createContents(1);
  saveCheckpoint(directory, source, publishedState);
  for (const name of ["optimizer.safetensors", "trainer-state.json"]) rmSync(join(directory, name));
  const target = createContents(2);
  expect(loadCheckpoint(directory, target)).toBeUndefined();
  expect(target.parameters.data).toEqual(source.parameters.data);
  expect(target.optimizer.firstMoment.every((value) => value === 0)).toBe(true);
  expect(target.optimizer.step).toBe(0);

  const [whole, part] = [
    join(directory, "model.safetensors"),
    join(directory, "model-2.safetensors"),
  ];
  renameSync(whole, part);
  const names = source.parameters.parameters.map(({ name }) => [name, "model-2.safetensors"]);
  const index = { metadata: {}, weight_map: Object.fromEntries(names) };
  writeFileSync(`${whole}.index.json`, JSON.stringify(index));
  const again = createContents(3);
  loadCheckpoint(directory, again);
  expect(again.parameters.data).toEqual(source.parameters.data);
});

test("a single file is read also beside an index and its shards, as transformers does", () => {
  saveCheckpoint(directory, createContents(1), publishedState);
  const old = join(folder, "old");
  saveCheckpoint(old, createContents(2), publishedState);
  renameSync(join(old, "model.safetensors"), join(directory, "model-1.safetensors"));
  const names = createContents(1).parameters.parameters.map(({ name }) => name);
  const weight_map = Object.fromEntries(names.map((name) => [name, "model-1.safetensors"]));
  writeFileSync(
    join(directory, "model.safetensors.index.json"),
    JSON.stringify({ metadata: {}, weight_map }),
  );
  const target = createContents(3);
  loadCheckpoint(directory, target);
  expect(target.parameters.data).toEqual(createContents(1).parameters.data);
  rmSync(join(directory, "model.safetensors"));
  loadCheckpoint(directory, target);
  expect(target.parameters.data).toEqual(createContents(2).parameters.data);
});

test("a tied head is read beside the embedding when both are the same, and rejected when they differ", () => {
  const { parameters, optimizer } = createContents(1);
  const writeBoth = (head: Float32Array) => {
    saveCheckpoint(directory, { parameters, optimizer }, publishedState);
    const tensors = parameters.parameters.map(({ name, shape }) => ({
      name,
      shape,
      data: parameters.view(name),
    }));
    const [embedding] = tensors.filter(({ name }) => name === "model.embed_tokens.weight");
    const both = [...tensors, { ...embedding!, name: "lm_head.weight", data: head }];
    writeSafetensors(join(directory, "model.safetensors"), both);
  };
  const embedding = parameters.view("model.embed_tokens.weight");
  writeBoth(embedding);
  const target = createContents(2);
  loadCheckpoint(directory, target);
  expect(target.parameters.data).toEqual(parameters.data);
  writeBoth(embedding.map((x, i) => (i === 80 ? x + 1 : x)));
  const before = copyContents(target);
  expect(catchCheckpointError(() => loadCheckpoint(directory, target))).toMatch(
    /lm_head\.weight differs from model\.embed_tokens\.weight, but the config ties them/,
  );
  expect(copyContents(target)).toEqual(before);
});

test("a tensor that is in two shards is rejected", () => {
  saveCheckpoint(directory, createContents(1), publishedState);
  const [whole, part] = ["model.safetensors", "model-2.safetensors"].map((name) =>
    join(directory, name),
  ) as [string, string];
  renameSync(whole, part);
  const { parameters } = createContents(1);
  const [{ name, shape }] = parameters.parameters as [(typeof parameters.parameters)[number]];
  writeSafetensors(join(directory, "model-1.safetensors"), [
    { name, shape, data: parameters.view(name) },
  ]);
  const weight_map = { [name]: "model-1.safetensors", x: "model-2.safetensors" };
  writeFileSync(`${whole}.index.json`, JSON.stringify({ weight_map }));
  expect(catchCheckpointError(() => loadCheckpoint(directory, createContents(2)))).toMatch(
    new RegExp(`has the tensor ${name} in two files`),
  );
});

describe("damaged checkpoints", () => {
  const names = ["config.json", "model.safetensors", "optimizer.safetensors", "trainer-state.json"];
  const damages: [string, (path: string) => void][] = [
    ["missing", (path) => rmSync(path)],
    ["empty", (path) => truncateSync(path, 0)],
    ["cut", (path) => truncateSync(path, readFileSync(path).length - 5)],
    ["cut in the header", (path) => truncateSync(path, 20)],
    ["longer than it says", (path) => appendFileSync(path, "xxxx")],
  ];
  test.each(names.flatMap((name) => damages.map(([how, damage]) => ({ name, how, damage }))))(
    "a checkpoint is rejected and nothing changes when $name is $how",
    ({ name, damage }) => {
      saveCheckpoint(directory, createContents(1), publishedState);
      damage(join(directory, name));
      const target = createContents(2);
      const before = copyContents(target);
      expect(catchCheckpointError(() => loadCheckpoint(directory, target))).toContain(name);
      expect(copyContents(target)).toEqual(before);
    },
  );

  test("a checkpoint is rejected when its folder does not exist", () => {
    expect(catchCheckpointError(() => loadCheckpoint(directory, createContents(1)))).toContain(
      directory,
    );
  });
});

describe("checkpoints of another model", () => {
  test("the checkpoint of another model is rejected by the field that differs", () => {
    saveCheckpoint(
      directory,
      createContents(1, { ...QWEN2, intermediateSize: 16 }),
      publishedState,
    );
    const message = catchCheckpointError(() => loadCheckpoint(directory, createContents(2)));
    expect(message).toMatch(/intermediateSize is 16.*12/);
  });

  test("a checkpoint with a longer context is accepted, and one with a shorter context is rejected", () => {
    saveCheckpoint(directory, createContents(1, { ...QWEN2, contextLength: 64 }), publishedState);
    loadCheckpoint(directory, createContents(2));
    const longer = createContents(2, { ...QWEN2, contextLength: 128 });
    expect(catchCheckpointError(() => loadCheckpoint(directory, longer))).toContain(
      "contextLength",
    );
  });

  test("a checkpoint with a missing tensor, an unknown tensor or one of another shape is rejected", () => {
    const { parameters } = createContents(1);
    const tensors = parameters.parameters.map(({ name, shape }) => ({
      name,
      shape,
      data: parameters.view(name),
    }));
    const catchLoadError = (list: typeof tensors) => {
      saveCheckpoint(directory, createContents(1), publishedState);
      writeSafetensors(join(directory, "model.safetensors"), list);
      return catchCheckpointError(() => loadCheckpoint(directory, createContents(2)));
    };
    expect(catchLoadError(tensors.slice(1))).toContain(tensors[0]!.name);
    expect(catchLoadError([{ ...tensors[0]!, shape: [8, 11] }, ...tensors.slice(1)])).toMatch(
      /model\.embed_tokens\.weight should have shape \[11,8\], but has \[8,11\]/,
    );
    const writeForeignFile = {
      name: "model.layers.0.self_attn.o_proj.bias",
      shape: [8],
      data: new Float32Array(8),
    };
    expect(catchLoadError([...tensors, writeForeignFile])).toContain(writeForeignFile.name);
  });

  test.each([
    ["model_type", "gpt2"],
    ["rope_scaling", { rope_type: "yarn", factor: 4 }],
    ["use_sliding_window", true],
    ["qkv_bias", false],
    ["per_layer_config", { 0: { num_attention_heads: 2 } }],
    ["transformers_weights", "other.safetensors"],
    ["hidden_act", "gelu"],
    ["hidden_size", "8"],
  ])("a checkpoint whose config has %s %o is rejected", (field, value) => {
    saveCheckpoint(directory, createContents(1), publishedState);
    const path = join(directory, "config.json");
    const json = { ...JSON.parse(readFileSync(path, "utf8")), [field]: value };
    writeFileSync(path, JSON.stringify(json));
    const message = catchCheckpointError(() => loadModelConfig(directory));
    expect(message).toContain(field);
    expect(message).toContain(path);
  });
});

test("a failed save keeps the old checkpoint, and an interrupted save is recovered at the next load", () => {
  saveCheckpoint(directory, createContents(1), publishedState);
  // The process was killed between the two renames: the old folder has its other name, and the new one is not in
  // place.
  renameSync(directory, `${directory}.old`);
  mkdirSync(`${directory}.partial`);
  const target = createContents(2);
  loadCheckpoint(directory, target);
  expect(target.parameters.data).toEqual(createContents(1).parameters.data);
  saveCheckpoint(directory, createContents(3), publishedState);
  expect(existsSync(`${directory}.partial`)).toBe(false);
  expect(existsSync(`${directory}.old`)).toBe(false);

  writeFileSync(join(folder, "file"), "");
  expect(
    catchCheckpointError(() => saveCheckpoint(join(folder, "file", "x"), target, publishedState)),
  ).toContain("file");
  loadCheckpoint(directory, target);
  expect(target.parameters.data).toEqual(createContents(3).parameters.data);
});

describe("safetensors", () => {
  /** Writes a safetensors file as another program would. */
  function writeForeignFile(header: unknown, data: Uint8Array): string {
    const text = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
    const prefix = Buffer.alloc(8);
    prefix.writeBigUInt64LE(BigInt(text.length));
    const path = join(folder, "foreign.safetensors");
    writeFileSync(path, Buffer.concat([prefix, text, data]));
    return path;
  }

  test("F16 and BF16 tensors are widened exactly", () => {
    const halves = Uint16Array.of(0x3c00, 0xc000, 0x3555, 0x0001, 0x7bff, 0x7c00, 0x8000, 0x7e00);
    const brains = Uint16Array.of(0x3f80, 0xc0a0, 0x0000, 0xff80);
    const path = writeForeignFile(
      {
        half: { dtype: "F16", shape: [2, 4], data_offsets: [0, 16] },
        brain: { dtype: "BF16", shape: [4], data_offsets: [16, 24] },
      },
      Buffer.concat([Buffer.from(halves.buffer), Buffer.from(brains.buffer)]),
    );
    const file = new SafetensorsFile(path);
    const [half, brain] = [new Float32Array(8), new Float32Array(4)];
    file.read("half", half);
    file.read("brain", brain);
    expect(() => file.read("half", brain)).toThrow(/half has 8 numbers, not 4/);
    expect(() => file.read("other", brain)).toThrow(/no tensor other/);
    file.close();
    const expected = [1, -2, 0.333251953125, 2 ** -24, 65504, Infinity, -0, Number.NaN];
    expect([...half]).toEqual(expected);
    expect([...brain]).toEqual([1, -5, 0, -Infinity]);
  });

  test("a 16-bit tensor that is larger than one chunk is read whole", () => {
    const count = 5 * 2 ** 20;
    const source = new Uint16Array(count).map((_, i) => (i % 0x7f00) & 0xffff);
    const entry = { dtype: "BF16", shape: [count], data_offsets: [0, 2 * count] };
    const file = new SafetensorsFile(writeForeignFile({ x: entry }, new Uint8Array(source.buffer)));
    const target = new Float32Array(count);
    file.read("x", target);
    file.close();
    const bits = new Uint32Array(target.buffer);
    expect(bits.every((value, i) => value >>> 16 === source[i])).toBe(true);
  });

  const entry = { dtype: "F32", shape: [2], data_offsets: [0, 8] };
  test.each([
    ["a header that is not JSON", "{nope", /not a JSON object/],
    ["a header that is a list", "[]", /not a JSON object/],
    ["a malformed entry", { x: { dtype: "F32" } }, /header of x is malformed/],
    ["a type we do not read", { x: { ...entry, dtype: "I64" } }, /x is "I64".*F32, F16, BF16/],
    ["a byte range of another size", { x: { ...entry, shape: [3] } }, /x should have 12 bytes.*8/],
    ["tensors that overlap", { x: entry, y: entry }, /gap or overlap/],
    ["a gap between tensors", { x: { ...entry, data_offsets: [4, 12] } }, /gap or overlap/],
  ])("a safetensors file with %s is rejected", (_, header, message) => {
    const path = writeForeignFile(header, new Uint8Array(8));
    const error = catchCheckpointError(() => new SafetensorsFile(path));
    expect(error).toMatch(message);
    expect(error).toContain(path);
  });
});

test.each([
  ["loads when the two are tied", {}, undefined],
  ["is rejected when the two are not tied", { tieEmbeddings: false }, /lacks model\.embed_tokens/],
])("an embedding table that is stored under the head's name %s", (_, change, refused) => {
  const config = { ...QWEN2, ...change };
  const { parameters, optimizer } = createContents(3, config);
  saveCheckpoint(directory, { parameters, optimizer }, publishedState);
  rmSync(join(directory, "optimizer.safetensors"));
  rmSync(join(directory, "trainer-state.json"));
  const names = parameters.parameters.filter(({ name }) => name !== "lm_head.weight");
  const tensors = names.map(({ name, shape }) => ({
    name: name === "model.embed_tokens.weight" ? "lm_head.weight" : name,
    shape,
    data: parameters.view(name).slice(),
  }));
  writeSafetensors(join(directory, "model.safetensors"), tensors);
  const other = createContents(4, config);
  if (refused)
    expect(catchCheckpointError(() => loadCheckpoint(directory, other))).toMatch(refused);
  else {
    loadCheckpoint(directory, other);
    expect(other.parameters.data).toEqual(parameters.data);
    expect(hashWeightFiles(directory, config)).toBe(hashWeights(parameters));
  }
});

describe("digests of weights", () => {
  const overwrite = (name: string) => {
    const bytes = readFileSync(join(directory, name));
    bytes.fill(7, bytes.length - 8);
    writeFileSync(join(directory, name), bytes);
  };

  test.each(["model.safetensors", "optimizer.safetensors"])(
    "eight overwritten bytes in %s are found, and nothing is loaded",
    (name) => {
      saveCheckpoint(directory, createContents(1), publishedState);
      overwrite(name);
      const contents = createContents(2);
      const before = copyContents(contents);
      expect(catchCheckpointError(() => loadCheckpoint(directory, contents))).toMatch(
        new RegExp(`${name} is damaged: expected sha256 [0-9a-f]{16}\\.\\.\\. as in .*sha256sums`),
      );
      expect(copyContents(contents)).toEqual(before);
    },
  );

  test("a folder without digests is read, and a damaged list of digests is refused", () => {
    saveCheckpoint(directory, createContents(1), publishedState);
    const sums = join(directory, "sha256sums.txt");
    const text = readFileSync(sums, "utf8");
    expect(text).toMatch(/^[0-9a-f]{64} {2}model\.safetensors\n[0-9a-f]{64} {2}optimizer\.saf/);
    writeFileSync(sums, text.replace("  ", " *"));
    loadCheckpoint(directory, createContents(2));
    writeFileSync(sums, text.slice(3));
    expect(catchCheckpointError(() => loadCheckpoint(directory, createContents(2)))).toMatch(
      /sha256sums\.txt:1 is damaged: expected a sha256 and the name of a file/,
    );
    rmSync(sums);
    overwrite("model.safetensors");
    loadCheckpoint(directory, createContents(2));
  });
});
