/** Scores and trains models from folders that transformers wrote, with the built command line. */
import { cpSync, existsSync, readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test, vi } from "vitest";
import { summarySchema } from "../../src/spec/index.ts";
import { createTemporaryFolder, runBowline } from "../e2e/support/cli.ts";

vi.setConfig({ testTimeout: 240_000 });

const folder = createTemporaryFolder();
afterAll(folder.remove);

const modelFolder = (name: string) =>
  fileURLToPath(new URL(`../golden/hf-${name}`, import.meta.url));
// Options with the scaffold `compact`, because prompts of other scaffolds do not fit into a context of 256 tokens.
const SMALL = [
  ["--scaffold", "compact"],
  ["--scaffold.max-tokens", "250"],
  ["--scaffold.max-turn-tokens", "120"],
  ["--algo.iterations", "1"],
  ["--algo.tasks-per-iteration", "4"],
  ["--evaluation.scenarios", "1"],
].flat();
const trainSmall = (name: string, out: string, ...more: readonly string[]) =>
  runBowline([
    "train",
    "smoke",
    "--json",
    "--engine.model",
    modelFolder(name),
    "--out",
    out,
    ...SMALL,
    ...more,
  ]);

describe("published models", () => {
  test("eval scores a published model, and names the sampling settings of its folder that the engine does not have", async () => {
    const { code, stdout, stderr } = await runBowline([
      ...[
        "eval",
        modelFolder("qwen2"),
        "--scaffold",
        "compact",
        "--world",
        "toy",
        "--split",
        "dev",
        "--scenarios",
        "1",
        "--json",
      ],
    ]);
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ tasks: 3, tgc: 0 });
    expect(stderr).toContain("also asks for repetition_penalty 1.05, top_k 20, top_p 0.8");
  });

  test("a published model is trained without a warm start, and its checkpoint does not need the folder", async () => {
    const out = join(folder.path, "plain");
    const { code, stdout, stderr } = await trainSmall("qwen3", out, "--warm.demonstrations", "0");
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    expect(summarySchema.parse(JSON.parse(stdout)).warmStart.demonstrations).toBe(0);
    const final = join(out, "checkpoints", "final");
    expect(readdirSync(final)).toEqual(
      expect.arrayContaining(["chat_template.jinja", "generation_config.json", "tokenizer.json"]),
    );
    expect(existsSync(join(final, "engine", "config.json"))).toBe(true);
    const scored = await runBowline(["eval", out, "--split", "dev", "--scenarios", "1", "--json"]);
    expect(scored.code).toBe(0);
  });

  test("a published model is warmed up and trained with LoRA, and the adapter can be scored", async () => {
    const out = join(folder.path, "lora");
    const { code, stderr } = await trainSmall(
      ...(["llama3", out, "--warm.demonstrations", "64", "--engine.lora.rank", "4"] as const),
    );
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    expect(readdirSync(join(out, "checkpoints", "final", "engine"))).toContain(
      "adapter_config.json",
    );
    const scored = await runBowline(["eval", out, "--split", "dev", "--scenarios", "1", "--json"]);
    expect(scored.code).toBe(0);
  });

  test("a model that is damaged or missing, or that contradicts other fields, is refused before anything is written", async () => {
    const torn = join(folder.path, "torn");
    cpSync(modelFolder("llama"), torn, { recursive: true });
    truncateSync(join(torn, "model.safetensors"), 1000);
    const out = join(folder.path, "never");
    const cases = [
      [torn, [], "model.safetensors: its header should have"],
      [join(folder.path, "nowhere"), [], "there is no folder"],
      [
        modelFolder("llama"),
        ["--model.layers", "3"],
        "model.layers cannot be set together with engine.model",
      ],
      [
        modelFolder("llama"),
        ["--scaffold.max-tokens", "300", "--model.context-length", "512"],
        "the context of",
      ],
    ] as const;
    for (const [path, more, message] of cases) {
      const { code, stderr } = await runBowline([
        ...["train", "smoke", "--engine.model", path, "--out", out, ...more],
      ]);
      expect(code).toBeGreaterThan(0);
      expect(stderr).toContain(message);
      expect(existsSync(out)).toBe(false);
    }
  });
});
