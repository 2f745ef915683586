import { resolve } from "node:path";
import { expect, test } from "vitest";
import { resolveConfig } from "../train/index.ts";
import { defaultRunDirectory } from "./default-run-directory.ts";

const directoryFor = (recipe: string, world?: string) =>
  defaultRunDirectory(
    resolveConfig({ recipe, overrides: world === undefined ? {} : { "world.name": world } }),
  );

test.each([
  ["smoke", undefined, "runs/smoke-seed1"],
  ["smoke", "toy", "runs/smoke-seed1"],
  ["smoke", "./my-world.ts", "runs/smoke-my-world-seed1"],
  ["smoke", resolve("worlds/mine.mjs"), "runs/smoke-worlds-mine-seed1"],
  ["smoke", "../mine.ts", "runs/smoke-mine-seed1"],
  ["smoke", "everyday", "runs/smoke-everyday-seed1"],
  ["smoke/grpo", "./my-world.ts", "runs/smoke-grpo-my-world-seed1"],
  ["starter", undefined, "runs/starter-seed1"],
  ["starter", "everyday/starter", "runs/starter-seed1"],
  ["starter", "toy", "runs/starter-toy-seed1"],
  ["smoke", "openenv:http://w1:80,http://w2:80", "runs/smoke-openenv-http-w1-80-http-w2-80-seed1"],
])("by default, a run of %s in the world %s is in the folder %s", (recipe, world, directory) => {
  expect(directoryFor(recipe, world)).toBe(directory);
});
