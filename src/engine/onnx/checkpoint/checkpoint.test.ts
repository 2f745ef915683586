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
  type Checkpointed,
  digestOf,
  digestOfFolder,
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

function trained(seed: number, config: ModelConfig = QWEN2): Checkpointed {
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

const snapshot = ({ parameters, optimizer }: Checkpointed) => ({
  weights: parameters.data.slice(),
  first: optimizer.firstMoment.slice(),
  second: optimizer.secondMoment.slice(),
  step: optimizer.step,
});

const published = { policyVersion: 3, unpublished: false };

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(BowlineError.is(error) && error.code).toBe("checkpoint");
    return (error as Error).message;
  }
  throw new Error("it was not refused");
}

test.each([
  ["qwen2", QWEN2],
  ["qwen3", QWEN3],
  ["llama", LLAMA],
  ["qwen3", { ...QWEN3, qkvBias: true }],
])("%s: what is saved is loaded bit by bit", (family, config) => {
  const source = trained(1, config);
  saveCheckpoint(directory, source, published);
  const target = trained(2, config);
  expect(loadCheckpoint(directory, target)).toEqual({ version: 1, step: 7, ...published });
  expect(snapshot(target)).toEqual(snapshot(source));
  expect(loadModelConfig(directory)).toEqual(config);
  const json = JSON.parse(readFileSync(join(directory, "config.json"), "utf8"));
  expect(json).toMatchObject({ model_type: family, num_hidden_layers: 2, head_dim: 4 });
});

test("tensors carry Hugging Face names and shapes", () => {
  saveCheckpoint(directory, trained(1), published);
  const file = new SafetensorsFile(join(directory, "model.safetensors"));
  const shape = (name: string) => file.tensors.get(name)?.shape;
  file.close();
  expect(shape("model.embed_tokens.weight")).toEqual([11, 8]);
  expect(shape("model.layers.1.self_attn.k_proj.weight")).toEqual([8, 8]);
  expect(shape("model.layers.1.self_attn.q_proj.bias")).toEqual([16]);
  expect(shape("model.layers.0.mlp.down_proj.weight")).toEqual([8, 12]);
  expect(shape("lm_head.weight")).toBeUndefined();
});

test("weights alone load with fresh moments, sharded or not", () => {
  const source = trained(1);
  saveCheckpoint(directory, source, published);
  for (const name of ["optimizer.safetensors", "trainer-state.json"]) rmSync(join(directory, name));
  const target = trained(2);
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
  const again = trained(3);
  loadCheckpoint(directory, again);
  expect(again.parameters.data).toEqual(source.parameters.data);
});

describe("a checkpoint that is not whole is refused by name and changes nothing", () => {
  const names = ["config.json", "model.safetensors", "optimizer.safetensors", "trainer-state.json"];
  const damages: [string, (path: string) => void][] = [
    ["missing", (path) => rmSync(path)],
    ["empty", (path) => truncateSync(path, 0)],
    ["cut", (path) => truncateSync(path, readFileSync(path).length - 5)],
    ["cut in the header", (path) => truncateSync(path, 20)],
    ["longer than it says", (path) => appendFileSync(path, "xxxx")],
  ];
  test.each(names.flatMap((name) => damages.map(([how, damage]) => ({ name, how, damage }))))(
    "$name is $how",
    ({ name, damage }) => {
      saveCheckpoint(directory, trained(1), published);
      damage(join(directory, name));
      const target = trained(2);
      const before = snapshot(target);
      expect(refusal(() => loadCheckpoint(directory, target))).toContain(name);
      expect(snapshot(target)).toEqual(before);
    },
  );

  test("no folder at all", () => {
    expect(refusal(() => loadCheckpoint(directory, trained(1)))).toContain(directory);
  });
});

describe("a checkpoint of another model is refused by field or tensor", () => {
  test("another config", () => {
    saveCheckpoint(directory, trained(1, { ...QWEN2, intermediateSize: 16 }), published);
    const message = refusal(() => loadCheckpoint(directory, trained(2)));
    expect(message).toMatch(/intermediateSize is 16.*12/);
  });

  test("a longer context is none", () => {
    saveCheckpoint(directory, trained(1, { ...QWEN2, contextLength: 64 }), published);
    loadCheckpoint(directory, trained(2));
    const longer = trained(2, { ...QWEN2, contextLength: 128 });
    expect(refusal(() => loadCheckpoint(directory, longer))).toContain("contextLength");
  });

  test("another shape, a missing tensor, an unknown tensor", () => {
    const { parameters } = trained(1);
    const tensors = parameters.parameters.map(({ name, shape }) => ({
      name,
      shape,
      data: parameters.view(name),
    }));
    const write = (list: typeof tensors) => {
      saveCheckpoint(directory, trained(1), published);
      writeSafetensors(join(directory, "model.safetensors"), list);
      return refusal(() => loadCheckpoint(directory, trained(2)));
    };
    expect(write(tensors.slice(1))).toContain(tensors[0]!.name);
    expect(write([{ ...tensors[0]!, shape: [8, 11] }, ...tensors.slice(1)])).toMatch(
      /model\.embed_tokens\.weight should have shape \[11,8\], but has \[8,11\]/,
    );
    const foreign = {
      name: "model.layers.0.self_attn.o_proj.bias",
      shape: [8],
      data: new Float32Array(8),
    };
    expect(write([...tensors, foreign])).toContain(foreign.name);
  });

  test.each([
    ["model_type", "gpt2"],
    ["rope_scaling", { rope_type: "yarn", factor: 4 }],
    ["use_sliding_window", true],
    ["attention_bias", true],
    ["hidden_act", "gelu"],
    ["hidden_size", "8"],
  ])("a config with %s %o", (field, value) => {
    saveCheckpoint(directory, trained(1), published);
    const path = join(directory, "config.json");
    const json = { ...JSON.parse(readFileSync(path, "utf8")), [field]: value };
    writeFileSync(path, JSON.stringify(json));
    const message = refusal(() => loadModelConfig(directory));
    expect(message).toContain(field);
    expect(message).toContain(path);
  });
});

test("a failed save leaves the old checkpoint, and one that was interrupted is found again", () => {
  saveCheckpoint(directory, trained(1), published);
  // Killed between the two renames: the old folder has stepped aside, the new one is not in place.
  renameSync(directory, `${directory}.old`);
  mkdirSync(`${directory}.partial`);
  const target = trained(2);
  loadCheckpoint(directory, target);
  expect(target.parameters.data).toEqual(trained(1).parameters.data);
  saveCheckpoint(directory, trained(3), published);
  expect(existsSync(`${directory}.partial`)).toBe(false);
  expect(existsSync(`${directory}.old`)).toBe(false);

  writeFileSync(join(folder, "file"), "");
  expect(refusal(() => saveCheckpoint(join(folder, "file", "x"), target, published))).toContain(
    "file",
  );
  loadCheckpoint(directory, target);
  expect(target.parameters.data).toEqual(trained(3).parameters.data);
});

describe("safetensors", () => {
  /** A file as another program would write it. */
  function foreign(header: unknown, data: Uint8Array): string {
    const text = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
    const prefix = Buffer.alloc(8);
    prefix.writeBigUInt64LE(BigInt(text.length));
    const path = join(folder, "foreign.safetensors");
    writeFileSync(path, Buffer.concat([prefix, text, data]));
    return path;
  }

  test("half and bfloat16 are widened exactly", () => {
    const halves = Uint16Array.of(0x3c00, 0xc000, 0x3555, 0x0001, 0x7bff, 0x7c00, 0x8000, 0x7e00);
    const brains = Uint16Array.of(0x3f80, 0xc0a0, 0x0000, 0xff80);
    const path = foreign(
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

  test("more than one chunk of 16-bit floats", () => {
    const count = 5 * 2 ** 20;
    const source = new Uint16Array(count).map((_, i) => (i % 0x7f00) & 0xffff);
    const entry = { dtype: "BF16", shape: [count], data_offsets: [0, 2 * count] };
    const file = new SafetensorsFile(foreign({ x: entry }, new Uint8Array(source.buffer)));
    const target = new Float32Array(count);
    file.read("x", target);
    file.close();
    const bits = new Uint32Array(target.buffer);
    expect(bits.every((value, i) => value >>> 16 === source[i])).toBe(true);
  });

  const entry = { dtype: "F32", shape: [2], data_offsets: [0, 8] };
  test.each([
    ["a header that is no JSON", "{nope", /not a JSON object/],
    ["a header that is a list", "[]", /not a JSON object/],
    ["a malformed entry", { x: { dtype: "F32" } }, /header of x is malformed/],
    ["a type we do not read", { x: { ...entry, dtype: "I64" } }, /x is I64.*F32, F16, BF16/],
    ["a range of another size", { x: { ...entry, shape: [3] } }, /x should have 12 bytes.*8/],
    ["tensors that overlap", { x: entry, y: entry }, /gap or overlap/],
    ["a gap", { x: { ...entry, data_offsets: [4, 12] } }, /gap or overlap/],
  ])("%s is refused", (_, header, message) => {
    const path = foreign(header, new Uint8Array(8));
    const error = refusal(() => new SafetensorsFile(path));
    expect(error).toMatch(message);
    expect(error).toContain(path);
  });
});

test.each([
  ["loads", {}, undefined],
  [
    "is that of another model where the two are apart",
    { tieEmbeddings: false },
    /lacks model\.embed_tokens/,
  ],
])("a table that stands under the head's name alone %s", (_, change, refused) => {
  const config = { ...QWEN2, ...change };
  const { parameters, optimizer } = trained(3, config);
  saveCheckpoint(directory, { parameters, optimizer }, published);
  rmSync(join(directory, "optimizer.safetensors"));
  rmSync(join(directory, "trainer-state.json"));
  const names = parameters.parameters.filter(({ name }) => name !== "lm_head.weight");
  const tensors = names.map(({ name, shape }) => ({
    name: name === "model.embed_tokens.weight" ? "lm_head.weight" : name,
    shape,
    data: parameters.view(name).slice(),
  }));
  writeSafetensors(join(directory, "model.safetensors"), tensors);
  const other = trained(4, config);
  if (refused) expect(refusal(() => loadCheckpoint(directory, other))).toMatch(refused);
  else {
    loadCheckpoint(directory, other);
    expect(other.parameters.data).toEqual(parameters.data);
    expect(digestOfFolder(directory, config)).toBe(digestOf(parameters));
  }
});
