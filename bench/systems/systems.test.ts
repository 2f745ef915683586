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
import { COUNTERFACTUALS } from "./counterfactual/probe-row.ts";
import { MECHANISM_NOTES } from "./mechanism-notes.ts";
import { writeSystemsTables } from "./page.ts";
import { SYSTEMS } from "./rows/index.ts";
import { formatCommandLine, type System } from "./system.ts";
import { isAlive, verdictsSchema } from "./verdict.ts";

/** The number of rows that work in the stored results. A change must not lower it. */
const LEAST_WORKING = 59;

/** Mechanisms that no row shows alive. `cannot` of their rows says why. */
const NOWHERE_ALIVE: readonly string[] = ["sampler correction", "chunks"];

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

  test("every mechanism has a counterfactual, and is alive in some row", () => {
    const names = Object.keys(MECHANISM_NOTES);
    expect(names.filter((name) => !(name in COUNTERFACTUALS))).toEqual([]);
    const isAliveSomewhere = (name: string) =>
      results.some(({ mechanisms }) => mechanisms[name] && isAlive(mechanisms[name]));
    expect(names.filter((name) => !isAliveSomewhere(name))).toEqual(NOWHERE_ALIVE);
  });
});

/**
 * Returns what the reward terms of a row, other than the outcome, can pay a rollout at least and at most. The numbers
 * are those of a rollout that uses all turns.
 */
function boundShaping({ fields }: System) {
  const isStrict = fields["algo.reward"] === "strict";
  const turns = Number(fields["scaffold.maxTurns"] ?? 8);
  const tokens = Number(fields["scaffold.maxTokens"] ?? 256);
  const most: Readonly<Record<string, number>> = {
    "tool-use": 1,
    "information-gain": 1,
    skill: 1,
    tokens,
  };
  const terms = (fields["rewards.terms"] ?? []) as readonly {
    readonly term: string;
    readonly weight?: number | { readonly from: number; readonly to: number };
    readonly how?: string;
    readonly gate?: number;
  }[];
  const sums = terms
    .filter(({ term, how }) => term !== "outcome" && term !== "contribution" && how === undefined)
    // A term behind a gate of 1, or of any share of an outcome that is 0 or 1, pays only rollouts that pass.
    .filter(({ gate = 0 }) => gate < 1 && !(isStrict && gate > 0))
    .map(({ term, weight = 1 }) => {
      const largest = typeof weight === "number" ? weight : Math.max(weight.from, weight.to);
      return largest * (most[term] ?? turns);
    });
  const add = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0);
  // A gain in belief may also be a loss.
  const gain = terms.find(({ term }) => term === "information-gain");
  const loss = gain ? -Number(gain.weight ?? 1) : 0;
  return { least: add(sums.filter((sum) => sum < 0)) + loss, most: add(sums.filter((s) => s > 0)) };
}

test("a rollout that fails never earns more than one that passes, where the outcome is paid", () => {
  const paying = SYSTEMS.filter(({ fields }) =>
    ((fields["rewards.terms"] ?? []) as readonly { readonly term: string }[]).some(
      ({ term }) => term === "outcome" || term === "contribution",
    ),
  );
  expect(paying.length).toBeGreaterThan(15);
  const uncapped = paying.filter((row) => {
    const { least, most } = boundShaping(row);
    const isOpen = most > 0 || least < 0;
    return isOpen && (row.fields["algo.reward"] !== "strict" || most > 1 + least);
  });
  expect(uncapped.map(({ system }) => system)).toEqual([]);
});

describe("results", () => {
  test("the stored results have all rows in the order of the page, each with its mechanisms", () => {
    expect(results.map(({ system }) => system)).toEqual(SYSTEMS.map(({ system }) => system));
    for (const { system, mechanisms, problem } of results) {
      const row = SYSTEMS.find((one) => one.system === system)!;
      expect(Object.keys(mechanisms)).toEqual(problem === undefined ? row.mechanisms : []);
    }
  });

  test("a stored result says that a row works exactly when all of its mechanisms are alive", () => {
    for (const { works, updates, mechanisms } of results)
      expect(works).toBe(updates > 0 && Object.values(mechanisms).every(isAlive));
  });

  test("most rows work, and every other row states its reason", () => {
    const failing = results.filter(({ works, problem }) => !works && problem === undefined);
    expect(results.filter(({ works }) => works).length).toBeGreaterThanOrEqual(LEAST_WORKING);
    const listed = SYSTEMS.filter(({ cannot }) => cannot !== undefined);
    expect(listed.map(({ system }) => system)).toEqual(failing.map(({ system }) => system));
  });
});

test("docs/algorithms/systems.md shows the rows and their results", () => {
  const page = readText("docs/algorithms/systems.md");
  expect(writeSystemsTables(page, results)).toBe(page);
  expect(page).toContain(`showed for ${results.filter(({ works }) => works).length} rows`);
  for (const row of SYSTEMS) expect(page).toContain(`\`${formatCommandLine(row)}\``);
});
