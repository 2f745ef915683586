/** Tests which kind of policy a path or name means. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recognisePolicy, recognisePolicyWithWeights } from "./recognise-policy.ts";

const root = mkdtempSync(join(tmpdir(), "bowline-kinds-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Makes a folder with empty files. Returns its path. */
function makeFolder(name: string, ...files: string[]): string {
  const folder = join(root, name);
  for (const file of ["", ...files]) mkdirSync(join(folder, file, ".."), { recursive: true });
  mkdirSync(folder, { recursive: true });
  for (const file of files) writeFileSync(join(folder, file), "{}");
  return folder;
}

let run: string;
beforeAll(() => {
  run = makeFolder("run", "run.json", "checkpoints/latest/policy.json");
  cpSync(join(run, "checkpoints/latest"), join(run, "checkpoints/final"), { recursive: true });
  makeFolder("run/checkpoints/final/engine", "config.json");
});

describe("recognisePolicy", () => {
  it.each([
    ["solution", { kind: "script", name: "solution" }],
    ["hosted:qwen3:8b", { kind: "hosted", model: "hosted:qwen3:8b" }],
  ])("recognises %s without looking for files", (policy, expected) => {
    expect(recognisePolicy(policy)).toEqual(expected);
  });

  it("recognises a run by its newest checkpoint, and a checkpoint by its folder or that of its engine", () => {
    const checkpoint = join(run, "checkpoints/final");
    expect(recognisePolicy(run)).toEqual({ kind: "run", path: run, checkpoint });
    for (const path of [checkpoint, join(checkpoint, "engine")]) {
      expect(recognisePolicy(path)).toEqual({ kind: "checkpoint", path, checkpoint });
    }
  });

  it.each([
    ["model", ["config.json"]],
    ["adapter", ["adapter_config.json", "adapter_model.safetensors"]],
    ["adapter", ["adapter_config.json", "config.json", "model.safetensors"]],
    ["checkpoint", ["policy.json", "config.json", "adapter_config.json"]],
  ])("recognises a folder as %s by its files %j", (kind, files) => {
    const path = makeFolder(`${kind}-${files.length}`, ...files);
    expect(recognisePolicy(path)).toMatchObject({ kind, path });
  });

  it("recognises a GGUF file by its name or its first bytes", () => {
    makeFolder(".", "empty.gguf");
    writeFileSync(join(root, "blob"), "GGUF, and more");
    for (const name of ["empty.gguf", "blob"]) {
      expect(recognisePolicy(join(root, name))).toEqual({ kind: "gguf", path: join(root, name) });
    }
  });

  it("lists the kinds for a path that is none, and names what may have been meant", () => {
    const kinds = "a run directory, .* a PEFT folder .* a GGUF file; hosted:<model>";
    const expectRefusal = (path: string, code: string, text: string) => {
      const refusal = expect.objectContaining({
        code,
        message: expect.stringMatching(`${text}.*${kinds}`),
      });
      expect(() => recognisePolicy(path)).toThrow(refusal);
    };
    expectRefusal("noopp", "config", "unknown policy noopp \\(did you mean noop\\?\\): expected");
    expectRefusal(
      makeFolder("none", "a.txt"),
      "checkpoint",
      "holds no checkpoint, adapter or model",
    );
    expectRefusal(
      makeFolder("begun", "run.json"),
      "checkpoint",
      "is a run that has no checkpoint yet",
    );
    const quantised = makeFolder("quantised", "b.gguf", "a.gguf");
    expectRefusal(quantised, "checkpoint", "did you mean its file .*a\\.gguf");
    makeFolder("model-1", "model.safetensors");
    expectRefusal(
      join(root, "model-1/model.safetensors"),
      "checkpoint",
      "give its folder .*model-1",
    );
  });
});

describe("recognisePolicyWithWeights", () => {
  it("refuses a script and a hosted model, but takes a folder of the same name", () => {
    expect(() => recognisePolicyWithWeights("noop")).toThrow(/noop is a script without weights/);
    expect(() => recognisePolicyWithWeights("hosted:x")).toThrow(/hosted:x is a model on a server/);
    expect(() => recognisePolicyWithWeights("none")).toThrow(
      /unknown policy none: [^;]*GGUF file$/,
    );
    expect(recognisePolicyWithWeights(run).kind).toBe("run");
  });
});
