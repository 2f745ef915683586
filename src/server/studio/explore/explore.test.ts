/** Compares the studio's answers to questions of many rollouts with those of the library, on trained runs. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareRuns, compareUse, groupByTask } from "../../../algo/index.ts";
import { Rng } from "../../../core/index.ts";
import { findRollouts } from "../../../report/index.ts";
import {
  exploredRolloutsSchema,
  exploredTasksSchema,
  exploredUseSchema,
  groupListSchema,
} from "../../../spec/studio/index.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../../testing/fake-makers.ts";
import { resolveConfig, trainWith } from "../../../train/index.ts";
import { createApi } from "../routes.ts";
import { openRuns, rolloutRoutes } from "../runs/index.ts";
import { sortTasks } from "./explore.ts";
import { exploreRoutes } from "./index.ts";

const root = createMemoryFolder("bowline-explore-");
const runs = ["a", "b"].map((name) => join(root, name));
let get: (path: string, query?: string) => Promise<unknown>;

beforeAll(async () => {
  for (const [i, out] of runs.entries()) {
    const config = resolveConfig({
      recipe: i === 0 ? "smoke" : "smoke/rloo",
      overrides: {
        ...FAKE_RUN,
        "warm.demonstrations": 48,
        "world.trainScenarios": 4,
        "world.episodes": 4,
        "algo.iterations": 3,
        "algo.tasksPerIteration": 4,
        "algo.groupSize": 4,
        "algo.minibatch": 8,
        "evaluation.scenarios": 2,
      },
    });
    await trainWith(fakeMakers(), config, { out });
  }
  mkdirSync(join(root, "empty"));
  const opened = openRuns(root);
  const api = createApi([...exploreRoutes(opened), ...rolloutRoutes(opened)]);
  get = async (path, query = "") => {
    const search = new URLSearchParams(query);
    const call = { method: "GET", path: path.split("/"), query: search };
    const answer = await api({ ...call, signal: new AbortController().signal } as never);
    return (answer as { readonly json: unknown }).json;
  };
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const QUERIES = [
  "",
  "passed:no",
  "phase:train iteration:2..3",
  "phase:after -mode:T1",
  "has:notes advantage<0",
  "return>0 turns:1..2",
  "tokens>3 outcome:finished",
  "finish",
  "-finish",
];

/** Returns the library's answer with the studio's names of the runs. */
const askLibrary = (query: string) =>
  findRollouts(runs, query).rollouts.map((facts) => ({
    ...facts,
    run: facts.run.slice(root.length + 1),
  }));

describe.each(["stored", "computed"])("with facts that are %s", (kind) => {
  beforeAll(() => {
    if (kind === "stored") return;
    for (const run of runs)
      for (const name of readdirSync(join(run, "rollouts")))
        if (name.startsWith("facts-")) rmSync(join(run, "rollouts", name));
  });

  it.each(QUERIES)("the rollouts of %j are the library's", async (query) => {
    const wanted = askLibrary(query);
    const search = new URLSearchParams({ q: query, limit: "1000", checks: "1" });
    const answer = exploredRolloutsSchema.parse(await get("explore", `run=a&run=b&${search}`));
    expect(answer.rollouts).toEqual(wanted);
    expect([answer.matching, answer.total]).toEqual([wanted.length, askLibrary("").length]);
    for (const { field, values, more } of answer.facets) {
      const sum = values.reduce((total, { rollouts }) => total + rollouts, 0);
      if (["outcome", "passed", "phase", "split"].includes(field) && more === 0)
        expect(sum, field).toBe(wanted.length);
    }
  });
});

it("a training run stores the facts of every file of rollouts", async () => {
  const out = join(root, "c");
  const overrides = { ...FAKE_RUN, "algo.iterations": 1, "evaluation.scenarios": 1 };
  await trainWith(fakeMakers(), resolveConfig({ recipe: "smoke", overrides }), { out });
  const names = readdirSync(join(out, "rollouts"));
  const files = names.filter((name) => /^(train|eval)-/.test(name));
  expect(names.filter((name) => name.startsWith("facts-")).sort()).toEqual(
    files.map((name) => `facts-${name}`).sort(),
  );
  rmSync(out, { recursive: true });
});

it("tasks that only one of the runs played come last in the order of differences", () => {
  const makeTask = (id: string, ...shares: (number | undefined)[]) => ({
    ...{ task: { id }, passed: 0, rollouts: 8, regressed: false, failedChecks: [] },
    runs: shares.flatMap((share, i) =>
      share === undefined
        ? []
        : [{ run: "ab"[i]!, passed: 8 * share, rollouts: 8, points: [] as never[] }],
    ),
  });
  const tasks = [makeTask("only", 1), makeTask("equal", 0.5, 0.5), makeTask("differs", 1, 0.5)];
  const sorted = sortTasks(tasks as never, "differs", ["a", "b"]);
  expect(sorted.map(({ task }) => task.id)).toEqual(["differs", "equal", "only"]);
});

it("tasks are those of the library, and the difference of two runs is a mean over scenarios", async () => {
  const answer = exploredTasksSchema.parse(
    await get("explore/tasks", "run=a&run=b&q=phase:before,after&limit=1000&checks=1"),
  );
  const wanted = groupByTask(askLibrary("phase:before,after"));
  expect(answer.tasks).toEqual(wanted);
  const scenarios = new Map<string, number[]>();
  for (const { task, runs } of wanted) {
    const [a, b] = ["a", "b"].map((name) => runs.find(({ run }) => run === name)!);
    const list = scenarios.get(task.scenario) ?? [];
    scenarios.set(task.scenario, [...list, a!.passed / a!.rollouts - b!.passed / b!.rollouts]);
  }
  const average = (values: number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const mean = average([...scenarios.values()].map(average));
  expect(answer.difference?.mean).toBeCloseTo(mean, 12);
  expect(answer.difference?.scenarios).toBe(scenarios.size);
});

it("every page of random queries has the numbers of the library's functions", async () => {
  const rng = new Rng(45);
  const pieces = [
    "phase:train",
    "phase:before,after",
    "-passed:yes",
    "iteration:1..2",
    "turns:1..2",
  ];
  const more = [
    "tokens>4",
    "mode:greedy",
    "errors<1",
    "has:notes",
    "task:train/0",
    "-differs:nothing",
  ];
  let compared = 0;
  for (let i = 0; i < 25; i++) {
    const q = rng
      .shuffle([...pieces, ...more])
      .slice(0, rng.integer(0, 2))
      .join(" ");
    const wanted = askLibrary(q);
    const page = `run=a&run=b&${new URLSearchParams({ q, limit: "1000", checks: "1" })}`;
    const { rollouts } = exploredRolloutsSchema.parse(await get("explore", page));
    expect(rollouts, q).toEqual(wanted);
    const { tasks, difference } = exploredTasksSchema.parse(await get("explore/tasks", page));
    expect(tasks, q).toEqual(groupByTask(wanted));
    expect(difference, q).toEqual(compareRuns(tasks, ["a", "b"]));
    const { comparison } = exploredUseSchema.parse(await get("explore/use", page));
    expect(comparison, q).toEqual(compareUse(wanted));
    compared += wanted.length;
  }
  expect(compared).toBeGreaterThan(100);
});

it("a rollout has the same numbers in its group as among all rollouts", async () => {
  const { groups } = groupListSchema.parse(await get("runs/a/files/train-0002", "limit=100"));
  const rows = groups.flatMap(({ rollouts }) => rollouts);
  const facts = new Map(
    askLibrary("iteration:2").flatMap((one) => (one.run === "a" ? [[one.id, one] as const] : [])),
  );
  expect(rows).toHaveLength(facts.size);
  for (const row of rows) {
    const { return: earned, advantage, passed, turns, tokens } = facts.get(row.id)!;
    expect(row).toMatchObject({ passed, turns, sampled: tokens });
    expect([row.return ?? row.reward, row.advantage ?? undefined]).toEqual([earned, advantage]);
  }
});

it("checks of test splits are left out of rows and queries, unless they are asked for", async () => {
  const query = "run=a&q=split:test-normal";
  const hidden = exploredRolloutsSchema.parse(await get("explore", query));
  expect(hidden.hidden).toBe(true);
  expect(hidden.rollouts.length).toBeGreaterThan(0);
  for (const { failedChecks, passedChecks } of hidden.rollouts)
    expect([failedChecks, passedChecks]).toEqual([[], []]);
  const asked = "run=a&q=split:test-normal+check:e+passed";
  const countMatching = async (more: string) =>
    exploredRolloutsSchema.parse(await get("explore", `${asked}${more}`)).matching;
  expect(await countMatching("")).toBe(0);
  expect(await countMatching("&checks=1")).toBeGreaterThan(0);
});

it("rollouts are sorted by a field, those without a value last, and are given in pages", async () => {
  const page = async (query: string) =>
    exploredRolloutsSchema.parse(await get("explore", `run=a&q=phase:train&${query}`)).rollouts;
  const sorted = await page("sort=-tokens");
  const tokens = sorted.map((facts) => facts.tokens);
  expect(tokens).toEqual([...tokens].sort((a, b) => b - a));
  const byAdvantage = (await page("sort=advantage")).map(({ advantage }) => advantage);
  const noted = byAdvantage.filter((value) => value !== undefined);
  expect(byAdvantage.slice(0, noted.length)).toEqual([...noted].sort((a, b) => a - b));
  expect(await page("sort=-tokens&offset=2&limit=3")).toEqual(sorted.slice(2, 5));
});

it.each([
  ["run=a&q=pased:no", 400, /did you mean passed/],
  ["run=a&sort=size", 400, /sort: expected one of time, passed/],
  ["run=a&limit=1e9", 400, /limit: expected a whole number/],
  ["q=", 400, /run: expected 1 to 32 runs, got 0/],
  ["run=../a", 404, /../],
])("the request %s is refused with %i", async (query, status, message) => {
  const refused = await get("explore", query).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status, message: expect.stringMatching(message) });
});
