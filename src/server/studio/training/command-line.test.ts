/** Tests the command lines that start a run from a request and resume a run from its record. */
import { describe, expect, test } from "vitest";
import { startRunSchema } from "../../../spec/studio/index.ts";
import { configLeaves, recipes, resolveConfig } from "../../../train/index.ts";
import { buildResumeArguments, buildStartArguments, chooseRunName } from "./command-line.ts";

const SMOKE = { setting: "smoke", method: "rloo", seed: 3, fields: {} };

describe("the command line of a new run", () => {
  test("has one argument per field, whatever the value contains", () => {
    const fields = { "algo.group-size": "4", "engine.url": "; rm -rf $HOME --out=/etc" };
    expect(buildStartArguments({ ...SMOKE, fields }, "/runs/a b")).toEqual([
      ...["train", "smoke", "--method", "rloo", "--seed", "3", "--out=/runs/a b"],
      "--algo.group-size=4",
      "--engine.url=; rm -rf $HOME --out=/etc",
    ]);
  });

  test.each([
    [{ setting: "smokey" }, /unknown setting "smokey" \(did you mean smoke\?\)/],
    [{ setting: "--out=/etc" }, /unknown setting/],
    [{ method: "./mine.ts" }, /your own module in a terminal/],
    [{ fields: { "world.name": "./w.ts" } }, /world.name: .* is code/],
    [{ fields: { "engine.name": "/w" } }, /is code/],
    [{ fields: { "extensions.rewards": '["../r.js"]' } }, /is code/],
    [{ fields: { "extensions.rewards": '["reward"]' } }, /is code/],
    [{ fields: { "participants.user": "person" } }, /is code/],
    [{ fields: { "schedule.stages": '[{"patch":{"algo.reward":"r.mjs"}}]' } }, /is code/],
  ])("is refused for %j", (change, message) => {
    expect(() => buildStartArguments({ ...SMOKE, ...change }, "/runs/a")).toThrow(message);
  });

  test("may name a folder of weights", () => {
    expect(
      buildStartArguments({ ...SMOKE, fields: { "engine.model": "/models/a" } }, "/a"),
    ).toContain("--engine.model=/models/a");
  });

  test("names the run by setting, method and seed, or as requested", () => {
    expect(chooseRunName(SMOKE)).toBe("smoke-rloo-seed3");
    expect(chooseRunName({ ...SMOKE, setting: "qwen2.5-32b", name: "mine" })).toBe("mine");
  });

  test.each(["", "..", ".hidden", "a/b", "a\\b", "-x", "a\0", "a\n", "x".repeat(200)])(
    "is refused for the run name %j",
    (name) => {
      expect(startRunSchema.safeParse({ ...SMOKE, name }).success).toBe(false);
    },
  );

  test.each([{ out: "/etc" }, { "run.seed\n": "1" }, { "a.b": "x\ny" }, { "-a.b": "1" }])(
    "is refused for the fields %j",
    (fields) => {
      expect(startRunSchema.safeParse({ ...SMOKE, fields }).success).toBe(false);
    },
  );
});

describe("the command line that resumes a run", () => {
  test.each(Object.keys(recipes))("gives the same configuration again: %s", (recipe) => {
    const config = resolveConfig({ recipe, overrides: { "run.seed": 5, "algo.iterations": 3 } });
    const words = buildResumeArguments(JSON.parse(JSON.stringify(config)), "/runs/a");
    // Only seed and iterations differ from the values of the setting.
    expect(words.length).toBeLessThan(8);
    expect(words.slice(0, 5)).toEqual([
      ...["train", config.setting, "--method", config.method, "--out=/runs/a"],
    ]);
    expect(configLeaves(parseArguments(words))).toEqual(configLeaves(config));
  });

  test("gives the same configuration if a field has set others", () => {
    const overrides = { "scaffold.name": "react", "engine.lora": true, "algo.stragglers": true };
    const config = resolveConfig({ recipe: "starter", overrides });
    const words = buildResumeArguments(JSON.parse(JSON.stringify(config)), "/runs/a");
    expect(configLeaves(parseArguments(words))).toEqual(configLeaves(config));
  });

  test("leaves out limits that were fitted, and names those that somebody set", () => {
    const config = resolveConfig({ recipe: "starter", overrides: { "scaffold.maxTokens": 2000 } });
    const scaffold = { ...config.scaffold, maxTurns: config.scaffold.maxTurns + 5 };
    const words = buildResumeArguments({ ...config, scaffold }, "/runs/a");
    expect(words.join(" ")).toContain(" --scaffold.maxTokens=2000 ");
    expect(words.join(" ")).not.toContain("maxTurns");
    expect(parseArguments(words).fitting).toEqual(config.fitting);
  });

  test.each([null, [], {}, { setting: "smoke" }])("is refused for the record %j", (config) => {
    expect(() => buildResumeArguments(config, "/a")).toThrow(/names no setting and method/);
  });

  test("is refused if the method's module is missing", () => {
    expect(() => buildResumeArguments({ setting: "smoke", method: "./gone.ts" }, "/a")).toThrow(
      /gone/,
    );
  });
});

/** Resolves the configuration that the command line reads from these arguments. */
function parseArguments([, recipe = "", , method = "", , ...fields]: readonly string[]) {
  const overrides = Object.fromEntries(
    fields.map((word) => {
      const [, name, value] = /^--([\w.]+)=(.*)$/.exec(word)!;
      return [name!, value!];
    }),
  );
  return resolveConfig({ recipe, method, overrides });
}
