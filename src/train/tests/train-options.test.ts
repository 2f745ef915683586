/** Tests that `train()` checks its configuration and options before any work. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import { fakeWorld } from "../../testing/fake-world.ts";
import type { Config } from "../config/config.ts";
import type { TrainOptions } from "../open/check-request.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

const root = createMemoryFolder("bowline-door-");
afterAll(() => rmSync(root, { recursive: true, force: true }));
const out = join(root, "run");

const smokeConfig = resolveConfig({ recipe: "smoke" });

test.each<[string, unknown, RegExp]>([
  [
    "text for a number",
    { ...smokeConfig, algo: { ...smokeConfig.algo, groupSize: "six" } },
    /algo\.groupSize: expected an integer from 2 .*got "six"/,
  ],
  [
    "out of bounds",
    { ...smokeConfig, algo: { ...smokeConfig.algo, epochs: 0 } },
    /algo\.epochs: expected an integer from 1/,
  ],
  [
    "a misspelt field",
    { ...smokeConfig, algo: { ...smokeConfig.algo, clipp: 0.2 } },
    /unknown field algo\.clipp \(did you mean algo\.clip\?\)/,
  ],
  [
    "two fields at odds",
    { ...smokeConfig, world: { ...smokeConfig.world, difficulties: [4] } },
    /world\.difficulties\.0: expected number to be <=3, got 4/,
  ],
  ["no configuration", undefined, /configuration.*resolveConfig/],
  ["the name of a setting", "smoke", /configuration.*resolveConfig/],
])("train rejects a configuration that was changed by hand: %s", async (_, config, says) => {
  await expect(trainWith(fakeMakers(), config as Config, { out })).rejects.toThrow(says);
  expect(existsSync(out)).toBe(false);
});

test.each<[string, unknown, RegExp]>([
  ["none", undefined, /options of train\(\): expected an object with out/],
  ["no folder", {}, /out: expected the path of a run directory, got nothing/],
  ["an empty one", { out: "" }, /out: expected the path of a run directory, got ""/],
  ["a number", { out: 3 }, /out: expected the path .* got 3/],
  ["a misspelt one", { out, onEvnt: () => {} }, /got "onEvnt" \(did you mean onEvent\?\)/],
])("train rejects wrong options: %s", async (_, options, says) => {
  await expect(trainWith(fakeMakers(), smokeConfig, options as TrainOptions)).rejects.toThrow(says);
  expect(existsSync(out)).toBe(false);
});

test("a run says once, at the start, on which splits it evaluates nothing, and leaves them out", async () => {
  const world = fakeWorld();
  const makers = fakeMakers({
    ...world,
    tasks: (split, scenarios) => (split === "train" ? world.tasks(split, scenarios) : []),
  });
  const missing = async (overrides: Record<string, unknown>) => {
    const notes: string[] = [];
    let phases = "";
    const config = resolveConfig({ recipe: "smoke", overrides: { ...FAKE_RUN, ...overrides } });
    const summary = await trainWith(makers, config, {
      out: join(root, `missing-${Object.values(overrides).join("-")}`),
      onEvent: (event) => {
        if (event.type === "note" && event.text.includes("evaluated"))
          notes.push(`${phases} ${event.text}`);
        if (event.type === "phase-start") phases += event.phase;
      },
    });
    expect(summary.after).toEqual({});
    return notes;
  };
  expect(await missing({ "algo.iterations": 2, "evaluation.every": 1 })).toEqual([
    "world nothing is evaluated on dev and test-normal: the run asks for it (evaluation.scores, evaluation.every), but toy has none",
  ]);
  expect(
    await missing({ "world.name": "openenv:http://127.0.0.1:9", "algo.iterations": 0 }),
  ).toEqual([
    "world nothing is evaluated on dev and test-normal: the run asks for it (evaluation.scores, evaluation.every), but openenv:http://127.0.0.1:9 serves none; start its hosts with --splits that name what is to be evaluated",
  ]);
  expect(await missing({ "algo.iterations": 1, "evaluation.scores": [] })).toEqual([]);
});
