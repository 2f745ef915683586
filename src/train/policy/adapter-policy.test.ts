/** Tests adapters that PEFT wrote as policies: what they compute, where their base is found, and mixed folders. */
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "../../spec/index.ts";
import { exportPolicy } from "../evaluate/export.ts";
import { loadPolicy } from "./load-policy.ts";

interface Answer {
  readonly ids: readonly number[];
  readonly logprobs: readonly number[];
}

const goldenPath = (name: string) =>
  fileURLToPath(new URL(`../../../tests/golden/${name}`, import.meta.url));
const { messages, promptTokens, answers } = JSON.parse(
  readFileSync(goldenPath("peft-logprobs.json"), "utf8"),
) as {
  readonly messages: readonly Message[];
  readonly promptTokens: number;
  readonly answers: Readonly<Record<string, Answer>>;
};
const [name, base] = ["peft-qwen2", "hf-qwen2"];

let root: string;
let adapter: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bowline-adapter-"));
  adapter = join(root, "adapters", "mine");
  cpSync(goldenPath(name), adapter, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Expects that the policy at `path` answers as PEFT does, to 1e-3 nats for every token. */
async function expectAnswer(
  path: string,
  expected: Answer,
  options: { base?: string } = {},
): Promise<readonly string[]> {
  await using policy = await loadPolicy(path, options);
  const { ids, logprobs, ...rest } = await policy.generate(messages, {
    temperature: 0,
    maxTokens: expected.ids.length,
  });
  expect(rest).toMatchObject({ promptTokens, stop: "length" });
  expect(ids).toEqual(expected.ids);
  for (const [i, logprob] of logprobs.entries()) {
    expect(Math.abs(logprob - expected.logprobs[i]!)).toBeLessThan(1e-3);
  }
  return policy.notes;
}

/** Changes fields of the adapter's configuration. */
function changeConfig(changes: object): void {
  const path = join(adapter, "adapter_config.json");
  const config: object = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...config, ...changes }));
}

const copyBase = (...folders: string[]) => {
  const path = join(root, ...folders);
  cpSync(goldenPath(base), path, { recursive: true });
  return path;
};

describe("log-probs", () => {
  it.each(Object.keys(answers))("of %s are those of transformers and PEFT", async (policy) => {
    const notes = await expectAnswer(goldenPath(policy), answers[policy]!);
    const isAdapter = policy !== base;
    expect(notes.some((note) => note.startsWith("the base of the adapter"))).toBe(isAdapter);
  });

  it("of an adapter stay the same when it is exported as an adapter, merged, or merged as GGUF", async () => {
    const policy = goldenPath("peft-qwen2-rslora");
    const expected = answers["peft-qwen2-rslora"]!;
    copyBase("hf-qwen2");
    const out = (file: string) => join(root, file);
    await exportPolicy({ policy, out: out("again"), merged: false });
    await exportPolicy({ policy, out: out("merged"), merged: true });
    await exportPolicy({ policy, out: out("m.gguf"), merged: true, format: "gguf" });
    for (const file of ["again", "merged", "m.gguf"]) await expectAnswer(out(file), expected);
    const config = JSON.parse(readFileSync(out("merged/config.json"), "utf8"));
    expect(config.max_position_embeddings).toBe(256);
    expect(readFileSync(out("again/README.md"), "utf8")).toContain("An adapter of `hf-qwen2`");
  });
});

describe("the base of an adapter", () => {
  it("is found by a path from the adapter, by its name next to it, or where the user says", async () => {
    const expected = answers[name]!;
    const other = copyBase("models", "other");
    await expectAnswer(adapter, expected, { base: other });
    changeConfig({ base_model_name_or_path: "../../models/other" });
    await expectAnswer(adapter, expected);
    changeConfig({ base_model_name_or_path: "Qwen/small" });
    copyBase("adapters", "small");
    expect(await expectAnswer(adapter, expected)).toContain(
      `the base of the adapter ${adapter} is ${join(root, "adapters", "small")}`,
    );
  });

  it("is asked for when it is not found, and is refused for a whole model or the wrong shape", async () => {
    changeConfig({ base_model_name_or_path: "Qwen/elsewhere" });
    const missing = /mine is an adapter whose base "Qwen\/elsewhere" .*--engine\.model PATH/;
    await expect(loadPolicy(adapter)).rejects.toThrow(missing);
    changeConfig({ base_model_name_or_path: null });
    await expect(loadPolicy(adapter)).rejects.toThrow(/names no base model/);
    const whole = copyBase("whole");
    await expect(loadPolicy(whole, { base: whole })).rejects.toThrow(/is a whole model and no/);
    await expect(loadPolicy(adapter, { base: goldenPath("hf-qwen3") })).rejects.toMatchObject({
      code: "checkpoint",
    });
  });

  it("decides the tokenizer, unless the adapter brings its own", async () => {
    copyBase("adapters", "hf-qwen2");
    cpSync(goldenPath("hf-qwen2/tokenizer.json"), join(adapter, "tokenizer.json"));
    // The adapter's tokenizer has no chat template, so that of the base, which belongs to another tokenizer, is not used.
    await using policy = await loadPolicy(adapter, { scaffold: "compact" });
    await expect(loadPolicy(adapter, { scaffold: "fenced" })).rejects.toThrow(/chat template/);
    expect(policy.scaffold).toBe("compact");
  });
});

describe("a folder with an adapter and a model", () => {
  it("is an adapter: its model is the base only when that is said", async () => {
    cpSync(goldenPath(base), adapter, { recursive: true });
    const expected = answers[name]!;
    changeConfig({ base_model_name_or_path: "Qwen/elsewhere" });
    await expect(loadPolicy(adapter)).rejects.toThrow(
      /also holds a model: if that is the base, give --engine\.model .*, and if the adapter is already merged into it, remove adapter_config\.json/,
    );
    await expectAnswer(adapter, expected, { base: adapter });
    changeConfig({ base_model_name_or_path: "." });
    await expectAnswer(adapter, expected);
    copyBase("adapters", "elsewhere");
    changeConfig({ base_model_name_or_path: "Qwen/elsewhere" });
    await expectAnswer(adapter, expected);
  });

  it("is refused when the adapter's weights are missing or in a format that can run code", async () => {
    cpSync(goldenPath(base), adapter, { recursive: true });
    const weights = join(adapter, "adapter_model.safetensors");
    renameSync(weights, join(adapter, "adapter_model.bin"));
    await expect(loadPolicy(adapter)).rejects.toThrow(/adapter_model\.bin is not read/);
    rmSync(join(adapter, "adapter_model.bin"));
    await expect(loadPolicy(adapter)).rejects.toThrow(/is missing.*remove adapter_config\.json/);
  });
});
