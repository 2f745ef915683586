/**
 * docs/algorithms/systems.md says nothing that is not so: its recipes resolve and train, its mechanisms have tests, and the tests
 * exist.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { type WatchedRun, watchedRun } from "../../../tests/support/watched-run.ts";
import { shapesOf } from "../../methods/index.ts";
import type { World } from "../../spec/index.ts";
import { fakeWorld } from "../../testing/fake-world.ts";
import { resolveConfig } from "../config/resolve.ts";
import { scheduleOf } from "../config/stages.ts";

const ROOT = join(import.meta.dirname, "../../..");
const page = readFileSync(join(ROOT, "docs/algorithms/systems.md"), "utf8");

/** Rows of the table under this heading cell, cells without their code marks. */
function tableOf(heading: string): string[][] {
  const lines = page.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  const end = lines.findIndex((line, i) => i > start && !line.startsWith("|"));
  return lines.slice(start + 2, end).map((line) =>
    line
      .slice(2, -2)
      .split(" | ")
      .map((cell) => cell.replace(/^`(.*)`$/, "$1")),
  );
}

/** Words of a command line; single quotes hold a word together. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

/** The method that a row names (LOOP without one), on `starter`, and its fields. */
function readRecipe(line: string) {
  const flags = words(line);
  const fields: Record<string, string> = {};
  for (let i = 0; i < flags.length; i += 2) fields[flags[i]!.replace(/^--/, "")] = flags[i + 1]!;
  const { method = "loop", ...overrides } = fields;
  return { recipe: `starter/${method}`, overrides };
}

/** Four tasks of all difficulties, and an iteration for each stage. */
async function trained(line: string): Promise<WatchedRun> {
  const { recipe, overrides } = readRecipe(line);
  const config = resolveConfig({ recipe, overrides });
  const stages = scheduleOf(config).stages.map((stage) => ({ ...stage, iterations: 1 }));
  const plain = fakeWorld();
  const world: World = {
    ...plain,
    tasks: (...asked) =>
      plain
        .tasks(...asked)
        .map((task, i) => ({ ...task, difficulty: ([1, 2, 3] as const)[i % 3]! })),
  };
  const branches = shapesOf(config)?.collect.kind === "branches";
  const size = {
    "algo.iterations": Math.max(1, stages.length),
    "algo.tasksPerIteration": 4,
    "scaffold.maxTurns": Math.min(4, config.scaffold.maxTurns),
    ...((branches || stages.length > 0) && { "algo.groupSize": config.algo.groupSize }),
    ...(stages.length > 0 && { "schedule.stages": stages }),
  };
  return watchedRun({ ...overrides, ...size }, { recipe, world });
}

const systems = tableOf("System");
const mechanisms = new Map(tableOf("Mechanism").map(([name, ...rest]) => [name!, rest]));

test("there are 62 systems, each once", () => {
  expect(systems).toHaveLength(62);
  expect(new Set(systems.map(([name]) => name)).size).toBe(62);
  expect(new Set(systems.map(([, arxiv]) => arxiv)).size).toBe(62);
  for (const [, arxiv] of systems) expect(arxiv).toMatch(/^\d{4}\.\d{5}$/);
});

describe("every recipe resolves, changes something, and trains", () => {
  it.each(systems.map(([name, , recipe]) => [name!, recipe!]))("%s", async (_, line) => {
    const config = resolveConfig(readRecipe(line));
    expect({ ...config, recipe: "starter" }).not.toEqual(resolveConfig({ recipe: "starter" }));
    const { metrics } = await trained(line);
    expect(metrics.some((iteration) => iteration["train/updates"]! > 0)).toBe(true);
  });
});

test("every mechanism of a system is one of the second table, and each of those is used", () => {
  const named = systems.flatMap(([, , , list]) => list!.split(", "));
  expect(named.filter((name) => !mechanisms.has(name))).toEqual([]);
  expect([...mechanisms.keys()].filter((name) => !named.includes(name))).toEqual([]);
});

describe("every test that is named exists", () => {
  it.each([...mechanisms])("%s", (_, [, file, name]) => {
    const source = readFileSync(join(ROOT, file!), "utf8");
    const quoted = [`"${name}"`, JSON.stringify(name), `'${name}'`, `\`${name}\``];
    expect(quoted.some((text) => source.includes(text))).toBe(true);
  });
});
