/** Configurations of version 2, as runs stored them: each is what its setting is now, or is refused by the field's name. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { parseConfig, storedPhase } from "./parse.ts";
import { resolveConfig } from "./resolve.ts";
import { merged, type Tree } from "./tree.ts";
import { pathsFromVersion2 } from "./version-2.ts";

/** `starter` whole; of the others, the sections that differ. */
const { starter, changes } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../tests/fixtures/configs-v2.json"), "utf8"),
) as { readonly starter: Tree; readonly changes: { readonly [recipe: string]: Tree } };

/** Numbers of recipes that trials have moved since; here as they were stored. */
const TUNED_SINCE: { readonly [recipe: string]: Tree } = {
  "ppo-critic": { "critic.warmIterations": 1 },
};

const stored = (recipe: string): Tree => ({ ...starter, ...changes[recipe] });
const withFields = (fields: Tree): Tree => merged(starter, fields);

describe("a configuration of version 2 is what its recipe is now", () => {
  const recipes = Object.keys(changes).filter((name) => name !== "with choices");
  it.each(["starter", ...recipes])("%s", (recipe) => {
    const overrides = TUNED_SINCE[recipe] ?? {};
    expect(parseConfig(stored(recipe))).toEqual(resolveConfig({ recipe, overrides }));
  });
});

test("two fields that are one now, in the run and in its stages", () => {
  const parsed = parseConfig(stored("with choices"));
  const overrides = {
    "world.dials.apiErrors": 0.1,
    "world.difficulties": [1, 2],
    "world.workers": 3,
    "optimizer.betas": [0.8, 0.99],
    "evaluation.scores": ["dev"],
    "warm.parts": ["plan"],
    "engine.threads": 1,
    "schedule.stages": [
      { iterations: 2, patch: { "world.difficulties": [1], "optimizer.betas": [0.8, 0.9] } },
      { iterations: 1, patch: { "algo.clip": 0.3 } },
    ],
  };
  expect(parsed).toEqual(resolveConfig({ recipe: "starter/on-policy", overrides }));
});

describe("a field that is none any more", () => {
  it.each<[Tree, string]>([
    [{ model: { ropeTheta: 5000 } }, "model.ropeTheta is 5000 there, and now it is 10000 in every"],
    [{ model: { kvHeads: 4 } }, "model.kvHeads is 4 there, and now it is half of model.heads"],
    [{ optimizer: { epsilon: 1e-6 } }, "optimizer.epsilon is 0.000001 there, and now it is 1e-8"],
    [{ warm: { rampShare: 0.1 } }, "warm.rampShare is 0.1 there, and now it is 0.05 in every warm"],
    [{ model: { headSize: 64 } }, "now it is model.hiddenSize / model.heads: go on with the"],
    [{ model: { intermediateSize: 353 } }, "now it is 8/3 of model.hiddenSize"],
  ])("refuses the run that had it otherwise: %o", (fields, says) => {
    expect(() => parseConfig(withFields(fields))).toThrow(says);
  });

  it("says nothing of a policy that is there already", async () => {
    const { config } = await storedPhase(withFields({ model: { headSize: 64, qkNorm: true } }));
    expect(config).toEqual(resolveConfig());
  });

  it.each([
    ["model.rope-theta", "(it is 10000 in every model that is made here; engine.model names one"],
    ["optimizer.beta2", "(it is now optimizer.betas)"],
    ["world.max-difficulty", "(it is now world.difficulties)"],
    ["evaluation.sampled", "(it is now evaluation.scores)"],
    ["warm.checkpointEvery", "(it is a tenth of the warm start, at most 100 steps)"],
    ["model.headSize", "(it is model.hiddenSize / model.heads)"],
  ])("%s is told what became of it where it is asked for", (path, says) => {
    expect(() => resolveConfig({ overrides: { [path]: 8 } as object })).toThrow(
      `unknown field ${path} ${says}`,
    );
  });
});

test("what is written in today's fields is left as it is", () => {
  const config = resolveConfig();
  expect(parseConfig(config)).toEqual(config);
});

test("fields by their paths, as files of results have them", () => {
  const fields = { "optimizer.beta2": 0.99, "model.headSize": 16, "algo.clip": 0.2 };
  expect(pathsFromVersion2(fields, { isDone: true })).toEqual({
    "optimizer.betas": [0.9, 0.99],
    "algo.clip": 0.2,
  });
});
