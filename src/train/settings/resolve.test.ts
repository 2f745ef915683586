import { describe, expect, it } from "vitest";
import { loop, methods } from "../../methods/index.ts";
import { activeFields, configFields, configLeaves, readDials } from "../config/config.ts";
import { parseConfig } from "../config/parse-config.ts";
import { resolveWorld } from "../config/resolve-world.ts";
import { recipeName, recipes } from "./recipes.ts";
import { resolveConfig } from "./resolve.ts";

const resolveWith = (overrides: Record<string, unknown>) => () => resolveConfig({ overrides });

describe("resolveConfig", () => {
  it("uses the recipe starter by default, and resolves every recipe", () => {
    expect(resolveConfig().recipe).toBe("starter");
    for (const [recipe, pair] of Object.entries(recipes)) {
      expect(resolveConfig({ recipe })).toMatchObject({
        setting: pair.setting,
        method: pair.method,
        recipe: recipeName(pair.setting, pair.method),
      });
    }
  });

  it("gives the recipe `loop` the paper's numbers", () => {
    const { algo, optimizer, scaffold, warm } = resolveConfig({ recipe: "loop" });
    expect(algo).toMatchObject({
      groupSize: 6,
      tasksPerIteration: 40,
      epochs: 2,
      minibatch: 32,
      clip: 0.1,
    });
    expect(algo).toMatchObject({
      stragglers: { share: 0.9, groupShare: 0.75 },
    });
    expect(algo).toMatchObject({
      advantageThreshold: 0.01,
      temperature: 1,
      unfinished: "fail",
    });
    expect(optimizer).toMatchObject({ learningRate: 5e-5, maxGradientNorm: 1 });
    expect(scaffold).toMatchObject({
      maxTurns: 40,
      evaluationTurns: 50,
      maxTurnTokens: 1500,
      maxObservationCharacters: 9000,
    });
    expect(warm.demonstrations).toBe(0);
  });

  it("overrides replace values of the recipe, in camelCase or kebab-case, as text or values, with dotted paths or nested", () => {
    const written: Record<string, unknown> = {
      "algo.group-size": "8",
      "algo.stragglers": "on",
      "run.minutes": 2.5,
      warm: { hastyShare: "0.25" },
      "world.name": "./mine.ts",
    };
    const config = resolveConfig({ recipe: "smoke", overrides: written });
    expect(config.algo.groupSize).toBe(8);
    expect(config.algo.stragglers).toEqual({ share: 0.9, groupShare: 0.75 });
    expect(config.run.minutes).toBe(2.5);
    expect(config.warm.hastyShare).toBe(0.25);
    expect(config.world.name).toBe("./mine.ts");
    expect(resolveWith({ "run.minutes": "none" })().run.minutes).toBeNull();
    expect(config.algo.tasksPerIteration).toBe(
      resolveConfig({ recipe: "smoke" }).algo.tasksPerIteration,
    );
  });

  it("accepts a list of names or numbers that is separated by commas", () => {
    const written = { "world.difficulties": "1, 2", "warm.parts": "plan,mark" };
    const { world, warm } = resolveWith(written)();
    expect(world.difficulties).toEqual([1, 2]);
    expect(warm.parts).toEqual(["plan", "mark"]);
    expect(resolveWith({ "optimizer.betas": "0.9,0.99" })().optimizer.betas).toEqual([0.9, 0.99]);
    expect(resolveWith({ "optimizer.betas": "0.9" })).toThrow(/expected a list of two numbers/);
    expect(resolveWith({ "evaluation.scores": "dev,test" })).toThrow(
      /evaluation\.scores\.1: expected .*dev@T1.*, got "test"/,
    );
  });

  it("has the world's dials off by default, and can set one dial without the others", () => {
    expect(resolveConfig().world.dials).toBeNull();
    const off = readDials(resolveConfig());
    expect(off).toEqual({
      logins: true,
      paraphrase: 0,
      distractors: 1,
      apiErrors: 0,
      renamedParams: 0,
      docs: "normal",
      clockDriftMs: 0,
    });
    const overrides = { "world.dials.api-errors": "0.1", "world.dials.logins": "off" };
    const { world } = resolveWith(overrides)();
    expect(world.dials).toEqual({ ...off, apiErrors: 0.1, logins: false });
    const { dials: _, ...older } = world;
    expect(readDials(parseConfig({ ...resolveConfig(), world: older }))).toEqual(off);
    expect(resolveWith({ "world.dials.docs": "long" })).toThrow(
      'world.dials.docs: expected one of normal, terse, verbose, got "long"',
    );
    expect(resolveWith({ world: { dials: { aproErrors: 1 } } })).toThrow(
      /did you mean world\.dials\.apiErrors/,
    );
    const wrong = { ...resolveConfig(), world: { dials: { apiErors: 1 } } };
    expect(() => parseConfig(wrong)).toThrow(
      "unknown field world.dials.apiErors (did you mean world.dials.apiErrors?)",
    );
  });

  it("names the field, the expected value and the actual one when a value is wrong", () => {
    expect(resolveWith({ "algo.groupSize": "six" })).toThrow(
      'algo.groupSize: expected an integer from 2 to 1024, got "six"',
    );
    expect(resolveWith({ "algo.clip": -1 })).toThrow(
      "algo.clip: expected a number from 0 to 10, got -1",
    );
    expect(resolveWith({ "algo.reward": "sum" })).toThrow(
      'algo.reward: expected one of fraction, strict, progress, got "sum"',
    );
    expect(resolveWith({ "algo.stragglers": "maybe" })).toThrow("expected null, true or a group");
    expect(resolveWith({ "algo.groupSize": 2.5 })).toThrow("got 2.5");
    expect(resolveWith({ "run.minutes": "" })).toThrow('from 0.01 to 100000 or null, got ""');
  });

  it("names the nearest field or recipe when one does not exist", () => {
    expect(resolveWith({ "algo.groupsize": 6 })).toThrow("did you mean algo.groupSize?");
    expect(resolveWith({ "model.learningRate": 1 })).toThrow(
      /did you mean (warm|optimizer)\.learningRate/,
    );
    expect(resolveWith({ "algos.clip": 1 })).toThrow("did you mean algo.clip?");
    expect(resolveWith({ zzz: 1 })).toThrow("sections: run, world, engine, model");
    expect(() => resolveConfig({ recipe: "lop" })).toThrow(
      /unknown recipe "lop" \(did you mean loop\?\)/,
    );
    expect(() => resolveConfig({ recipe: "toString" })).toThrow(/unknown recipe/);
    expect(() => parseConfig({ ...resolveConfig(), algo: { grupSize: 6 } })).toThrow(
      /algo.grupSize.*groupSize/,
    );
  });

  it("rejects combinations of fields that cannot work", () => {
    expect(resolveWith({ "model.heads": 3 })).toThrow(/model.heads: .*model.hiddenSize \(128\)/);
    const longer = { "scaffold.maxTokens": 2000, "model.contextLength": 1000 };
    expect(resolveWith(longer)).toThrow(/model.contextLength/);
    expect(resolveWith({ "warm.demonstrations": 3, "warm.rows": 4 })).toThrow(/warm.rows/);
    expect(resolveWith({ "model.hiddenSize": 36 })).toThrow(/even width/);
    const shaped = { "engine.model": "some/folder", "tokenizer.vocabularySize": 300 };
    expect(resolveWith(shaped)).toThrow(
      "tokenizer.vocabularySize cannot be set together with engine.model",
    );
    const shorter = { "engine.model": "some/folder", "model.contextLength": 1024 };
    expect(resolveWith(shorter)).not.toThrow();
  });

  it("lets the warm start on a world of one's own go on until it suffices, unless it was set", () => {
    const autoOf = (overrides: object) => resolveConfig({ recipe: "smoke", overrides }).warm.auto;
    expect(autoOf({ "world.name": "./ward.ts" })).toEqual({ share: 0.2, maxEpochs: 12 });
    expect(autoOf({ "world.name": "./ward.ts", "warm.epochs": 1 })).toBeNull();
    expect(autoOf({ "world.name": "./ward.ts", "warm.auto": false })).toBeNull();
    expect(autoOf({ "world.name": "everyday/starter" })).toBeNull();
    expect(autoOf({})).toBeNull();
  });

  it("has at most sixty-eight active fields for LOOP on a setting", () => {
    for (const setting of ["starter", "smoke", "errands"]) {
      const config = resolveConfig({ recipe: setting });
      const present = activeFields(config, loop).map(({ path }) => path);
      expect(present.length, present.join(" ")).toBeLessThanOrEqual(68);
      for (const path of configLeaves(config).keys()) {
        if (path.includes(".")) expect(present).toContain(path);
      }
    }
  });

  it("gives every field a description, bounds and a default", () => {
    expect(configFields(loop).length).toBeGreaterThan(60);
    const fields = Object.values(methods).flatMap((method) => configFields(method));
    for (const { path, description, expected, default: value } of fields) {
      expect(description.length, path).toBeGreaterThan(10);
      expect(expected, path).not.toContain("undefined");
      expect(value, path).toBeDefined();
    }
  });
});

describe("resolveWorld", () => {
  it("finds built-in worlds and world modules, and names the nearest world for an unknown one", () => {
    expect(resolveWorld("toy").url).toMatch(/^file:.*toy/);
    expect(resolveWorld("./src/train/config/resolve-world.ts").url).toMatch(
      /^file:.*resolve-world.ts$/,
    );
    expect(() => resolveWorld("everyday/startr")).toThrow("did you mean everyday/starter?");
    expect(() => resolveWorld("./nowhere.ts")).toThrow(/no world module at .*nowhere.ts/);
  });
});
