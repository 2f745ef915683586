/** Runs that were begun when the configuration was one flat list of fields: they are read, and mean what they meant. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { parseConfig } from "../config/parse.ts";
import { resolveConfig } from "../config/resolve.ts";
import { merged, type Tree } from "../config/tree.ts";
import { currentState, freshState } from "../run/trainer-state.ts";

/** What the recipes were: `starter` whole, of the others what they set differently. */
const { starter, changes } = JSON.parse(
  readFileSync(join(import.meta.dirname, "fixtures/configs-v1.json"), "utf8"),
) as { readonly starter: Tree; readonly changes: { readonly [recipe: string]: Tree } };

describe("a configuration of version 1 is what its recipe is now", () => {
  it.each(["starter", ...Object.keys(changes)])("%s", (recipe) => {
    const old = merged(starter, changes[recipe] ?? {});
    // Rates, and LOOP's clip, were chosen again since, and AdamW went on from the warm start.
    const rates = Object.entries(old["optimizer"] as Tree).map(([name, value]) => [
      `optimizer.${name}`,
      value,
    ]);
    const overrides = {
      ...Object.fromEntries(rates),
      "optimizer.moments": "kept",
      ...(recipe === "starter" && { "algo.clip": 0.1 }),
    };
    expect(parseConfig(old)).toEqual(resolveConfig({ recipe, overrides }));
  });
});

test("a trainer's state of version 1: what the method remembers goes to the method, what is known of tasks to the tasks", () => {
  const { tasks: _, method: __, usage: ___, ceiling: ____, ...rest } = freshState();
  const own = { buffer: [{ iteration: 1 }], memory: { items: [] }, heads: { ranking: 1 } };
  const old = {
    ...rest,
    version: 1,
    iteration: 3,
    mixedShares: { 1: 0.5 },
    taskTable: { "train/0/0": 0.25 },
    ...own,
  };
  expect(currentState(old)).toEqual({
    ...freshState(),
    iteration: 3,
    tasks: { mixedShares: { 1: 0.5 }, table: { "train/0/0": 0.25 } },
    method: own,
  });
  expect(currentState(freshState())).toEqual(freshState());
});
