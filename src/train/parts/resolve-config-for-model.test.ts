/** Tests which scaffold is chosen for a published model when the user names none. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeInstructModel } from "../../../tests/support/instruct-model.ts";
import type { ModelConfig } from "../../engine/index.ts";
import { createMemoryFolder } from "../../testing/fake-makers.ts";
import { SPECIAL_TOKENS } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import { modelShape } from "../config/model-shape.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { chooseScaffold, countParameters } from "./choose-scaffold.ts";
import { resolveConfigForModel } from "./resolve-config-for-model.ts";

let root: string;
let folder: string;
beforeAll(() => {
  root = createMemoryFolder("bowline-fit-");
  folder = writeInstructModel(join(root, "instruct"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const smallShape = (fields: Partial<ModelConfig> = {}): ModelConfig => ({
  ...modelShape(resolveConfig().model, 49_152),
  hiddenSize: 576,
  layers: 30,
  heads: 9,
  kvHeads: 3,
  headSize: 64,
  intermediateSize: 1536,
  contextLength: 8192,
  ...fields,
});
/** The shape of Qwen2.5-1.5B. */
const LARGE = smallShape({
  vocabularySize: 151_936,
  hiddenSize: 1536,
  layers: 28,
  heads: 12,
  kvHeads: 2,
  headSize: 128,
  intermediateSize: 8960,
  contextLength: 32_768,
});
const modelTextStub = (hasChatTemplate: boolean, specials: readonly string[] = ["<|im_end|>"]) =>
  ({
    hasChatTemplate,
    tokenizer: { specials: new Map(specials.map((name, id) => [name, id])) },
  }) as never;

describe("the scaffold that suits a model", () => {
  it.each([
    [
      "small, with a template",
      true,
      smallShape(),
      "fenced",
      /135M parameters .* 8,192; react needs at least 1B/,
    ],
    ["large, with a template", true, LARGE, "react", /1.5B parameters and a context of 32,768/],
    [
      "large, with a short context",
      true,
      { ...LARGE, contextLength: 4096 },
      "fenced",
      /4,096; react/,
    ],
    ["on a server", true, undefined, "react", /its weights are on a server/],
    ["without a template", false, LARGE, "compact", /no chat template/],
  ] as const)("%s", (_, hasTemplate, model, name, why) => {
    const fit = chooseScaffold(modelTextStub(hasTemplate), model);
    expect(fit.name).toBe(name);
    expect(fit.why).toMatch(why);
  });

  it("is compact for a model that bowline made, although its export has a chat template", () => {
    expect(chooseScaffold(modelTextStub(true, SPECIAL_TOKENS), smallShape()).name).toBe("compact");
  });

  it("depends on the number of weights, which is counted from the shape", () => {
    expect(countParameters(smallShape())).toBe(134_515_008);
  });
});

describe("the configuration of a run", () => {
  const resolveForFolder = (
    overrides: Record<string, unknown>,
    recipe = "starter",
    runOf?: () => string,
  ) =>
    resolveConfigForModel({ recipe, overrides: { "engine.model": folder, ...overrides } }, runOf);

  it("gets the chosen scaffold with its own limits, and a note that says so", async () => {
    const { config, note } = await resolveForFolder({});
    expect(config.scaffold).toEqual({
      name: "fenced",
      date: null,
      maxTurns: 12,
      evaluationTurns: 12,
      maxTurnTokens: 256,
      maxTokens: 2048,
      maxObservationTokens: 300,
    });
    expect(config.model.contextLength).toBe(2048);
    expect(note).toMatch(/^using scaffold fenced, because .*; choose another with --scaffold$/);
  });

  it("limits conversations to the model's context, and to a context length that the user set", async () => {
    const short = writeInstructModel(join(root, "short"), 1024);
    expect((await resolveForFolder({ "engine.model": short })).config.scaffold.maxTokens).toBe(
      1024,
    );
    const asked = await resolveForFolder({ "model.context-length": "1500" });
    expect(asked.config.scaffold.maxTokens).toBe(1500);
    expect((await resolveForFolder({ "scaffold.max-tokens": 900 })).config.scaffold.maxTokens).toBe(
      900,
    );
  });

  it("accepts fields of the chosen scaffold although the user did not name it", async () => {
    const { config } = await resolveForFolder({ "scaffold.maxObservationTokens": "99" });
    expect(config.scaffold).toMatchObject({ name: "fenced", maxObservationTokens: 99 });
  });

  it.each([
    ["by name", { "scaffold.name": "compact" }, "starter", "compact"],
    ["in kebab-case and nested", { scaffold: { name: "react" } }, "starter", "react"],
    [
      "by a field that one alone has",
      { "scaffold.max-observation-lines": 9 },
      "starter",
      "compact",
    ],
    ["by the setting", { "engine.url": "http://x" }, "qwen3-8b", "react"],
  ])("keeps a scaffold that was named: %s", async (_, overrides, recipe, name) => {
    const { config, note } = await resolveForFolder(overrides, recipe);
    expect([config.scaffold.name, note]).toEqual([name, undefined]);
  });

  it("equals that of resolveConfig when there is no model, and is rejected for a folder that holds no model", async () => {
    expect(await resolveConfigForModel({ recipe: "smoke" })).toEqual({
      config: resolveConfig({ recipe: "smoke" }),
    });
    await expect(resolveForFolder({ "engine.model": join(root, "none") })).rejects.toThrow(
      /no folder/,
    );
  });

  it("keeps the scaffold of an existing run, even when the model's folder is gone", async () => {
    const run = join(root, "run");
    mkdirSync(run, { recursive: true });
    const overrides = { "engine.model": join(root, "gone"), "scaffold.name": "compact" };
    const config = resolveConfig({ recipe: "starter", overrides });
    writeFileSync(
      join(run, "run.json"),
      JSON.stringify({ version: 2, seed: 1, config, versions: {} }),
    );
    const { config: again, note } = await resolveForFolder(
      { "engine.model": join(root, "gone") },
      "starter",
      () => run,
    );
    expect([again, note]).toEqual([config, undefined]);
  });
});

it("keeps the scaffold that a recipe names, and its limits", () => {
  const own: Record<string, Partial<Config["scaffold"]>> = {
    starter: { name: "compact", maxTurns: 8, maxTokens: 256 },
    "qwen2.5-32b": { name: "react", maxTurns: 40, maxTokens: 32_000 },
    "qwen3-8b": { name: "react", maxTurns: 40, maxTokens: 24_000 },
  };
  for (const [recipe, scaffold] of Object.entries(own)) {
    expect(resolveConfig({ recipe }).scaffold).toMatchObject(scaffold);
  }
  const named = resolveConfig({ recipe: "qwen3-8b", overrides: { "scaffold.name": "react" } });
  expect(named).toEqual(resolveConfig({ recipe: "qwen3-8b" }));
});
