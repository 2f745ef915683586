/** What a request makes of a command line, and that a run's own record makes the command that goes on with it. */
import { describe, expect, test } from "vitest";
import { startSchema } from "../../../spec/studio/index.ts";
import { configLeaves, recipes, resolveConfig } from "../../../train/index.ts";
import { buildResumeArguments, buildStartArguments, chooseRunName } from "./command-line.ts";

const SMOKE = { setting: "smoke", method: "rloo", seed: 3, fields: {} };

describe("a start", () => {
  test("is one word an argument, whatever a value holds", () => {
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
    [{ method: "./mine.ts" }, /started in a terminal/],
    [{ fields: { "world.name": "./w.ts" } }, /world.name: .* is code/],
    [{ fields: { "engine.name": "/w" } }, /is code/],
    [{ fields: { "extensions.rewards": '["../r.js"]' } }, /is code/],
    [{ fields: { "schedule.stages": '[{"patch":{"algo.reward":"r.mjs"}}]' } }, /is code/],
  ])("refuses %j", (change, message) => {
    expect(() => buildStartArguments({ ...SMOKE, ...change }, "/runs/a")).toThrow(message);
  });

  test("takes a folder of weights", () => {
    expect(
      buildStartArguments({ ...SMOKE, fields: { "engine.model": "/models/a" } }, "/a"),
    ).toContain("--engine.model=/models/a");
  });

  test("is named by what is asked for, or as one says", () => {
    expect(chooseRunName(SMOKE)).toBe("smoke-rloo-seed3");
    expect(chooseRunName({ ...SMOKE, setting: "qwen2.5-32b", name: "mine" })).toBe("mine");
  });

  test.each(["", "..", ".hidden", "a/b", "a\\b", "-x", "a\0", "a\n", "x".repeat(200)])(
    "has no name such as %j",
    (name) => {
      expect(startSchema.safeParse({ ...SMOKE, name }).success).toBe(false);
    },
  );

  test.each([{ out: "/etc" }, { "run.seed\n": "1" }, { "a.b": "x\ny" }, { "-a.b": "1" }])(
    "has no fields such as %j",
    (fields) => {
      expect(startSchema.safeParse({ ...SMOKE, fields }).success).toBe(false);
    },
  );
});

describe("a run that is resumed", () => {
  test.each(Object.keys(recipes))("has the configuration that it had: %s", (recipe) => {
    const config = resolveConfig({ recipe, overrides: { "run.seed": 5, "algo.iterations": 3 } });
    const words = buildResumeArguments(JSON.parse(JSON.stringify(config)), "/runs/a");
    // Seed and iterations differ from the setting's, and nothing else.
    expect(words.length).toBeLessThan(8);
    expect(words.slice(0, 5)).toEqual([
      ...["train", config.setting, "--method", config.method, "--out=/runs/a"],
    ]);
    expect(configLeaves(parseArguments(words))).toEqual(configLeaves(config));
  });

  test("has what a choice of its own brought with it", () => {
    const overrides = { "scaffold.name": "react", "engine.lora": true, "algo.stragglers": true };
    const config = resolveConfig({ recipe: "starter", overrides });
    const words = buildResumeArguments(JSON.parse(JSON.stringify(config)), "/runs/a");
    expect(configLeaves(parseArguments(words))).toEqual(configLeaves(config));
  });

  test.each([null, [], {}, { setting: "smoke" }])("is none with the record %j", (config) => {
    expect(() => buildResumeArguments(config, "/a")).toThrow(/names no setting and method/);
  });

  test("of a method that is not here is refused", () => {
    expect(() => buildResumeArguments({ setting: "smoke", method: "./gone.ts" }, "/a")).toThrow(
      /gone/,
    );
  });
});

/** As the command line reads them. */
function parseArguments([, recipe = "", , method = "", , ...fields]: readonly string[]) {
  const overrides = Object.fromEntries(
    fields.map((word) => {
      const [, name, value] = /^--([\w.]+)=(.*)$/.exec(word)!;
      return [name!, value!];
    }),
  );
  return resolveConfig({ recipe, method, overrides });
}
