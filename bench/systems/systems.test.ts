/**
 * Checks the rows of docs/algorithms/systems.md: their configurations are valid and train, their mechanisms have
 * counters and tests, the stored results belong to them, and the page shows rows and results.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { asShapedConfig, MECHANISMS } from "../../src/methods/index.ts";
import type { World } from "../../src/spec/index.ts";
import { fakeWorld } from "../../src/testing/fake-world.ts";
import { resolveConfig } from "../../src/train/index.ts";
import { drawCases } from "../../tests/support/sweep.ts";
import { trainAndWatch } from "../../tests/support/watched-run.ts";
import { createCheckConfig } from "./check-size.ts";
import { MECHANISM_NOTES } from "./mechanism-notes.ts";
import { writeSystemsTables } from "./page.ts";
import { SYSTEMS } from "./rows/index.ts";
import { formatCommandLine, type System } from "./system.ts";
import { MAX_AT_LIMIT, MIN_FIRES, verdictsSchema } from "./verdict.ts";

const ROOT = join(import.meta.dirname, "../..");
const readText = (file: string) => readFileSync(join(ROOT, file), "utf8");
const results = verdictsSchema.parse(JSON.parse(readText("bench/learning/results/systems.json")));

/**
 * Trains by a row of the systems table on four tasks of all difficulties, for three iterations, or for as many
 * iterations as it has stages.
 */
async function trainRow({ method, fields }: System) {
  const recipe = `starter/${method}`;
  const config = resolveConfig({ recipe, overrides: fields });
  const { stages = [] } = ("schedule" in config ? config.schedule : {}) as {
    stages?: readonly object[];
  };
  const plain = fakeWorld();
  const world: World = {
    ...plain,
    tasks: (...asked) =>
      plain
        .tasks(...asked)
        .map((task, i) => ({ ...task, difficulty: ([1, 2, 3] as const)[i % 3]! })),
  };
  const branches = asShapedConfig(config)?.collect.kind === "branches";
  const size = {
    "algo.iterations": Math.max(3, stages.length),
    "algo.tasksPerIteration": 4,
    "scaffold.maxTurns": Math.min(4, config.scaffold.maxTurns),
    ...((branches || stages.length > 0) && { "algo.groupSize": Number(config.algo["groupSize"]) }),
    ...(stages.length > 0 && {
      "schedule.stages": stages.map((stage) => ({ ...stage, iterations: 1 })),
    }),
  };
  return trainAndWatch({ ...fields, ...size }, { recipe, world });
}

test("there are 62 different systems", () => {
  expect(SYSTEMS).toHaveLength(62);
  expect(new Set(SYSTEMS.map(({ system }) => system)).size).toBe(62);
  expect(new Set(SYSTEMS.map(({ arxiv }) => arxiv)).size).toBe(62);
  for (const { arxiv } of SYSTEMS) expect(arxiv).toMatch(/^\d{4}\.\d{5}$/);
});

describe("a row differs from LOOP and updates its weights", () => {
  it.each(drawCases(SYSTEMS).map((row) => [row.system, row] as const))("%s", async (_, row) => {
    const config = resolveConfig({ recipe: `starter/${row.method}`, overrides: row.fields });
    expect({ ...config, recipe: "starter" }).not.toEqual(resolveConfig({ recipe: "starter" }));
    const { metrics } = await trainRow(row);
    expect(metrics.some((iteration) => iteration["train/updates"]! > 0)).toBe(true);
  });
});

describe("mechanisms", () => {
  const named = SYSTEMS.flatMap(({ mechanisms }) => mechanisms);

  test("every mechanism of a row has a counter and a note, and every note belongs to a mechanism of some row", () => {
    expect(named.filter((name) => !(name in MECHANISMS) || !(name in MECHANISM_NOTES))).toEqual([]);
    const all = new Set([...Object.keys(MECHANISMS), ...Object.keys(MECHANISM_NOTES)]);
    expect([...all].filter((name) => !named.includes(name))).toEqual([]);
  });

  test.each(SYSTEMS.map((row) => [row.system, row] as const))(
    "the configuration of %s switches its mechanisms on",
    (_, row) => {
      const config = createCheckConfig(row);
      const { stages = [] } = ("schedule" in config ? config.schedule : {}) as {
        stages?: readonly { readonly patch: Readonly<Record<string, unknown>> }[];
      };
      const staged = stages.flatMap(({ patch }) => Object.keys(patch)).join(" ");
      const silent = row.mechanisms.filter((name) => !MECHANISMS[name]!.isOn(config));
      // When a row has stages, some of its mechanisms may be switched on only by a stage.
      if (staged === "") expect(silent).toEqual([]);
    },
  );

  test.each(Object.entries(MECHANISM_NOTES))(
    "the note on the mechanism %s names an existing test",
    (_, { file, test: name }) => {
      const source = readText(file);
      const quoted = [`"${name}"`, JSON.stringify(name), `'${name}'`, `\`${name}\``];
      expect(quoted.some((text) => source.includes(text))).toBe(true);
    },
  );

  test("every mechanism acts on more than half of its occasions in some row", () => {
    const largestShare = (name: string) =>
      Math.max(0, ...results.map(({ mechanisms }) => mechanisms[name] ?? 0));
    expect(Object.keys(MECHANISM_NOTES).filter((name) => largestShare(name) <= MIN_FIRES)).toEqual(
      [],
    );
  });
});

describe("results", () => {
  test("the stored results have all rows in the order of the page, each with its mechanisms", () => {
    expect(results.map(({ system }) => system)).toEqual(SYSTEMS.map(({ system }) => system));
    for (const { system, mechanisms } of results) {
      const row = SYSTEMS.find((one) => one.system === system)!;
      expect(Object.keys(mechanisms)).toEqual(row.mechanisms);
    }
  });

  test("a stored result says that a row works exactly when its three numbers are within their limits", () => {
    for (const { works, updates, atLimit, fires } of results) {
      expect(works).toBe(updates === 3 && atLimit <= MAX_AT_LIMIT && fires > MIN_FIRES);
    }
  });

  test("at least 56 rows work, and every other row states its reason", () => {
    const not = results.filter(({ works }) => !works).map(({ system }) => system);
    expect(62 - not.length).toBeGreaterThanOrEqual(56);
    const listed = SYSTEMS.filter(({ cannot }) => cannot !== undefined);
    expect(listed.map(({ system }) => system)).toEqual(not);
  });
});

test("docs/algorithms/systems.md shows the rows and their results", () => {
  const page = readText("docs/algorithms/systems.md");
  expect(writeSystemsTables(page, results)).toBe(page);
  expect(page).toContain(`showed for ${results.filter(({ works }) => works).length} rows`);
  for (const row of SYSTEMS) expect(page).toContain(`\`${formatCommandLine(row)}\``);
});
