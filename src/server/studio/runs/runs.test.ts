/** Tests the API of runs with real, incomplete and foreign runs, and with paths that lead nowhere. */
import { appendFileSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  curvesSchema,
  gridSchema,
  groupListSchema,
  groupViewSchema,
  overlaySchema,
  type RolloutRow,
  type RunDetail,
  type RunList,
  rolloutTokensViewSchema,
  rolloutViewSchema,
  runDetailSchema,
  runListSchema,
} from "../../../spec/studio/index.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../../testing/fake-makers.ts";
import { resolveConfig, trainWith } from "../../../train/index.ts";
import { createApi } from "../routes.ts";
import { openRuns, rolloutRoutes, runRoutes, studioRoutes } from "./index.ts";

let root: string;
let get: (path: string, query?: string) => Promise<unknown>;

beforeAll(async () => {
  root = createMemoryFolder("bowline-studio-runs-");
  for (const seed of [1, 2]) {
    const config = resolveConfig({
      recipe: "smoke",
      overrides: { ...FAKE_RUN, ...SMALL_CONFIG, "run.seed": seed },
    });
    await trainWith(fakeMakers(), config, { out: join(root, "deep", `seed${seed}`) });
  }
  const config = resolveConfig({
    recipe: "smoke/rloo",
    overrides: { ...FAKE_RUN, ...SMALL_CONFIG },
  });
  await trainWith(fakeMakers(), config, { out: join(root, "rloo") });
  get = openApi(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SMALL_CONFIG = {
  "warm.demonstrations": 48,
  "world.trainScenarios": 4,
  "world.episodes": 4,
  "algo.iterations": 3,
  "algo.tasksPerIteration": 4,
  "algo.groupSize": 4,
  "algo.minibatch": 8,
  "evaluation.scenarios": 1,
};

/** Returns a function that requests a path, encoded as a browser encodes it. */
function openApi(folder: string): (path: string, query?: string) => Promise<unknown> {
  const runs = openRuns(folder);
  const api = createApi([
    ...studioRoutes({ root: folder }, runs),
    ...runRoutes(runs),
    ...rolloutRoutes(runs),
  ]);
  return async (path, query = "") => {
    const reply = await api({
      method: "GET",
      path: path.split("/").map(decodeURIComponent),
      query: new URLSearchParams(query),
      signal: new AbortController().signal,
      json: () => Promise.reject(new Error("no body")),
    });
    return "json" in reply ? reply.json : reply.events;
  };
}

const FIRST_RUN = "runs/deep%2Fseed1";

describe("finished runs", () => {
  it("are found below the folder, with their results", async () => {
    const { runs } = runListSchema.parse(await get("runs"));
    expect(runs.map(({ id }) => id).sort()).toEqual(["deep/seed1", "deep/seed2", "rloo"]);
    const run = runs.find(({ id }) => id === "deep/seed1")!;
    expect(run).toMatchObject({ status: "finished", setting: "smoke", method: "loop", seed: 1 });
    expect(run).toMatchObject({ iteration: 3, iterations: 3, rollouts: 48 });
    expect(run.after?.["dev"]?.tasks).toBeGreaterThan(0);
  });

  it("are described in detail", async () => {
    const run = runDetailSchema.parse(await get(FIRST_RUN));
    expect(run.config).toContainEqual({ path: "algo.groupSize", value: "4" });
    expect(run.versions["bowline"]).toBeDefined();
    expect(run.checkpoints).toContain("final");
    const third = run.files.find(({ name }) => name === "train-0003");
    expect(third).toMatchObject({ kind: "train", iteration: 3, rollouts: 16 });
    const list = groupListSchema.parse(await get(`${FIRST_RUN}/files/train-0003`));
    const passed = list.groups.flatMap(({ rollouts }) => rollouts).filter((row) => row.passed);
    expect(third!.passed).toBe(passed.length);
    const names = run.files.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(["train-0001", "train-0002", "train-0003"]);
    expect(names.at(-1)).toMatch(/^eval-after-/);
  });

  it("have curves by step, with a glossary of the metrics", async () => {
    const { phases, glossary } = curvesSchema.parse(await get(`${FIRST_RUN}/metrics`));
    expect(phases["loop"]!.steps).toEqual([1, 2, 3]);
    expect(phases["loop"]!.columns["reward/mean"]).toHaveLength(3);
    expect(phases["loop"]!.columns["seconds"]!.every((value) => value !== null)).toBe(true);
    expect(phases["eval"]!.when).toEqual(["before", "after"]);
    expect(phases["eval"]!.columns["tgc/dev"]).toHaveLength(2);
    expect(glossary["tgc/"]).toMatch(/task goal completion/);
  });

  it("have a grid of their groups", async () => {
    const { iterations } = gridSchema.parse(await get(`${FIRST_RUN}/grid`));
    expect(iterations.map(({ iteration, whole }) => [iteration, whole])).toEqual([
      [1, true],
      [2, true],
      [3, true],
    ]);
    expect(iterations[0]!.groups).toHaveLength(4);
    expect(iterations[0]!.groups.every(({ size }) => size === 4)).toBe(true);
  });

  it("are shown first if the studio was opened on one of them", async () => {
    const alone = openApi(join(root, "rloo"));
    expect(await alone("studio")).toMatchObject({ first: "rloo" });
    expect(await alone("runs")).toMatchObject({ runs: [{ id: "rloo", method: "rloo" }] });
    expect(await alone("runs/rloo/files/train-0001")).toMatchObject({ total: 4 });
  });
});

describe("the configuration of a run", () => {
  it("is shown with each value as JSON", async () => {
    const { config } = runDetailSchema.parse(await get(FIRST_RUN));
    const configValue = (name: string) => config.find(({ path }) => path === name)?.value;
    expect(
      ["extensions.rewards", "world.name", "run.seed", "engine.lora"].map(configValue),
    ).toEqual([...["[]", '"toy"', "1", "null"]]);
  });
});

describe("rollouts of a run", () => {
  it("are shown side by side in their group", async () => {
    const { groups } = groupListSchema.parse(await get(`${FIRST_RUN}/files/train-0001`, "limit=1"));
    const { task, rollouts } = groups[0]!;
    const view = groupViewSchema.parse(
      await get(`${FIRST_RUN}/files/train-0001/groups/${encodeURIComponent(task.id)}`),
    );
    expect(view.rollouts.map(({ row }) => row)).toEqual(rollouts);
    expect(view.rollouts.map(({ row }) => row.index)).toEqual([0, 1, 2, 3]);
    expect(view.rollouts[0]!.rollout.tokens).toBeUndefined();
    const messages = view.rollouts.map(({ rollout }) => rollout.turns[0]?.message);
    if (view.differAt === 0) expect(new Set(messages).size).toBeGreaterThan(1);
    else expect(new Set(messages).size).toBe(1);
  });

  it("are shown token by token, with the trainer's notes", async () => {
    const noted: { file: string; row: RolloutRow }[] = [];
    for (const file of ["train-0001", "train-0002", "train-0003"]) {
      const list = groupListSchema.parse(await get(`${FIRST_RUN}/files/${file}`));
      const rows = list.groups.flatMap(({ rollouts }) => rollouts);
      noted.push(
        ...rows.filter((row) => row.advantage !== undefined).map((row) => ({ file, row })),
      );
    }
    const { file, row: told } = noted[0]!;
    const path = `${FIRST_RUN}/files/${file}/rollouts/${encodeURIComponent(told.id)}`;
    const view = rolloutViewSchema.parse(await get(path));
    expect(view.row).toEqual(told);
    expect(view.rollout.turns).toHaveLength(told.turns);
    expect(view.rollout.tokens).toBeUndefined();
    const [row] = rolloutTokensViewSchema.parse(await get(`${path}/tokens`)).rows;
    expect(row!.ids).toHaveLength(row!.mask.length);
    expect(row!.texts).toHaveLength(row!.ids.length);
    expect(row!.mask.reduce<number>((sum, one) => sum + one, 0)).toBe(told.sampled);
    const { ratio, advantage } = row!.recorded!;
    expect(advantage).toBe(told.advantage);
    expect(ratio.map((value) => Number(value !== null))).toEqual(row!.mask);
  });

  it("hide the checks of test splits unless the request asks for them", async () => {
    const fetchChecks = async (file: string, query = "") => {
      const list = groupListSchema.parse(await get(`${FIRST_RUN}/files/${file}`));
      const { task, rollouts } = list.groups[0]!;
      const at = (kind: string, id: string) =>
        get(`${FIRST_RUN}/files/${file}/${kind}/${encodeURIComponent(id)}`, query);
      const beside = groupViewSchema.parse(await at("groups", task.id));
      const alone = rolloutViewSchema.parse(await at("rollouts", rollouts[0]!.id));
      const checks = [alone, ...beside.rollouts].flatMap(
        ({ rollout }) => rollout.evaluation!.checks,
      );
      expect(alone.hidden).toBe(beside.hidden);
      expect(alone.rollout.evaluation!.passed).toBe(rollouts[0]!.passed);
      return { hidden: alone.hidden, told: checks.length > 0 };
    };
    const test = "eval-after-test-normal-greedy";
    expect(await fetchChecks(test)).toEqual({ hidden: true, told: false });
    expect(await fetchChecks(test, "checks=1")).toEqual({ hidden: false, told: true });
    expect(await fetchChecks("eval-after-dev-greedy")).toEqual({ hidden: false, told: true });
    expect(await fetchChecks("train-0001")).toEqual({ hidden: false, told: true });
  });

  it("have a previous and a next rollout in the order of the groups", async () => {
    const list = groupListSchema.parse(await get(`${FIRST_RUN}/files/train-0001`));
    const ids = list.groups.flatMap(({ rollouts }) => rollouts.map(({ id }) => id));
    const seen: string[] = [];
    for (let id: string | null = ids[0]!; id !== null; ) {
      const path: string = `${FIRST_RUN}/files/train-0001/rollouts/${encodeURIComponent(id)}`;
      const view = rolloutViewSchema.parse(await get(path));
      expect(view.previous).toBe(seen.at(-1) ?? null);
      expect(view.group).toHaveLength(3);
      seen.push(id);
      id = view.next;
    }
    expect(seen).toEqual(ids);
  });

  it("are listed in pages", async () => {
    const path = `${FIRST_RUN}/files/train-0001`;
    const page = groupListSchema.parse(await get(path, "offset=1&limit=2"));
    expect(page.total).toBe(4);
    const all = groupListSchema.parse(await get(path));
    expect(page.groups).toEqual(all.groups.slice(1, 3));
    await expect(get(path, "offset=-1")).rejects.toMatchObject({ status: 400 });
    await expect(get(path, "limit=1e9")).rejects.toMatchObject({ status: 400 });
  });
});

describe("a run or file that does not exist", () => {
  it.each([
    "runs/..",
    "runs/..%2F..",
    "runs/%2Fetc",
    "runs/deep",
    "runs/deep%2F..%2Frloo",
    "runs/rloo%00",
    "runs/rloo%2F",
    `${FIRST_RUN}/files/..%2Frun`,
    `${FIRST_RUN}/files/run.json`,
    `${FIRST_RUN}/files/notes-0001`,
    `${FIRST_RUN}/files/train-0001.jsonl`,
    `${FIRST_RUN}/files/train-0001/groups/..`,
    `${FIRST_RUN}/files/train-0001/rollouts/9%2F9%2F9`,
    `${FIRST_RUN}/files/__proto__`,
  ])("answers 404: %s", async (path) => {
    await expect(get(path)).rejects.toMatchObject({ status: 404 });
  });

  it("cannot be opened as a folder of runs", () => {
    expect(() => openRuns(join(root, "nowhere"))).toThrow(/there is no folder .*nowhere/);
    expect(() => openRuns(join(root, "rloo", "run.json"))).toThrow(/is not a folder/);
  });
});

describe("runs that are incomplete or foreign", () => {
  let oddFolder: string;
  let oddRuns: RunList["runs"];
  const writeRun = (name: string, files: Record<string, string>) => {
    mkdirSync(join(oddFolder, name), { recursive: true });
    for (const [file, text] of Object.entries(files))
      writeFileSync(join(oddFolder, name, file), text);
  };

  beforeAll(async () => {
    oddFolder = createMemoryFolder("bowline-studio-odd-");
    writeRun("torn", { "run.json": '{"version":1,"config":{"sett' });
    writeRun("foreign", { "run.json": '{"name":"something else"}' });
    writeRun("list", { "run.json": "[1,2]" });
    writeRun("types", {
      "run.json": JSON.stringify({ seed: "x", config: { setting: 7, world: [], algo: null } }),
      "metrics.jsonl": '7\n{"phase":3}\n{"phase":"loop","step":"a"}\nnot json\n',
    });
    writeRun("summary", { "run.json": '{"config":{}}', "summary.json": '{"before":' });
    mkdirSync(join(oddFolder, "folder", "run.json"), { recursive: true });
    writeRun("metrics", { "run.json": '{"config":{}}' });
    mkdirSync(join(oddFolder, "metrics", "metrics.jsonl"));
    writeRun("null", { "run.json": "\0".repeat(100) });
    symlinkSync(join(root, "rloo"), join(oddFolder, "elsewhere"));
    writeRun("file", {});
    symlinkSync(join(root, "rloo", "run.json"), join(oddFolder, "file", "run.json"));
    symlinkSync(oddFolder, join(oddFolder, "circle"));
    cpSync(join(root, "rloo"), join(oddFolder, "whole"), { recursive: true });
    ({ runs: oddRuns } = runListSchema.parse(await openApi(oddFolder)("runs")));
  });
  afterAll(() => rmSync(oddFolder, { recursive: true, force: true }));

  const findOddRun = (id: string) => oddRuns.find((run) => run.id === id);

  it.each([
    ["torn", "run.json is not JSON (incomplete, or not a file of Bowline)"],
    ["foreign", "run.json does not belong to a Bowline run"],
    ["list", "run.json does not belong to a Bowline run"],
    ["summary", "summary.json is not JSON (incomplete, or not a file of Bowline)"],
    ["folder", "run.json is a folder, not a file"],
    ["metrics", "metrics.jsonl is a folder, not a file"],
    ["null", "run.json is not JSON (incomplete, or not a file of Bowline)"],
    ["elsewhere", "the folder is a link that leads outside the studio's folder"],
    ["file", "run.json is a link that leads outside the studio's folder"],
  ])("have the status broken with a reason: %s", (id, problem) => {
    expect(findOddRun(id)).toMatchObject({ status: "broken", problem });
  });

  it("leave out fields of the wrong type", async () => {
    expect(findOddRun("types")).toMatchObject({ status: "stopped" });
    for (const name of ["setting", "world", "seed", "iterations"]) {
      expect(findOddRun("types")).not.toHaveProperty(name);
    }
    expect(findOddRun("whole")?.status).toBe("finished");
    expect(findOddRun("circle")).toBeUndefined();
  });

  it("answer every request without an error", async () => {
    const ask = openApi(oddFolder);
    for (const { id } of oddRuns) {
      const run = `runs/${encodeURIComponent(id)}`;
      runDetailSchema.parse(await ask(run));
      curvesSchema.parse(await ask(`${run}/metrics`));
      gridSchema.parse(await ask(`${run}/grid`));
    }
    overlaySchema.parse(await ask("compare", "run=torn&run=whole&run=types"));
  });

  it("show nothing of a run outside the studio's folder", async () => {
    const ask = openApi(oddFolder);
    const run = runDetailSchema.parse(await ask("runs/elsewhere"));
    expect(run).toMatchObject({ config: [], files: [], checkpoints: [] });
    expect(curvesSchema.parse(await ask("runs/elsewhere/metrics")).phases).toEqual({});
  });

  it("skip lines that are not rollouts", async () => {
    const file = join(oddFolder, "whole", "rollouts", "train-0001.jsonl");
    const ask = openApi(oddFolder);
    const before = groupListSchema.parse(await ask("runs/whole/files/train-0001"));
    const torn = ["", "7", "[[[[[[", '{"id":"x"}', '{"id":"x","turns":[', "{".repeat(1000), '"\\'];
    appendFileSync(file, `${torn.join("\n")}\n{"version":1,"id":"half`);
    const after = groupListSchema.parse(await ask("runs/whole/files/train-0001"));
    expect(after).toEqual(before);
  });
});

describe("the alarms of a run", () => {
  it("report each kind of problem once", async () => {
    const folder = createMemoryFolder("bowline-studio-alarms-");
    const line = (step: number, more: object) =>
      `${JSON.stringify({ phase: "loop", step, "kl/trajectory": 1, ...more })}\n`;
    writeFileSync(join(folder, "run.json"), JSON.stringify({ config: { algo: {} } }));
    writeFileSync(
      join(folder, "metrics.jsonl"),
      line(1, { "logprob/sampler_gap": 1e-5, "rollout/failed": 0 }) +
        line(2, { "kl/trajectory": -35, "logprob/sampler_gap": 0.5 }) +
        line(3, { "kl/trajectory": 21, "rollout/failed": 2, "train/loss": Number.NaN }) +
        line(4, { "kl/token": 0.04 }) +
        line(5, { "kl/token": 0.9 }),
    );
    const { alarms } = (await openApi(folder)(`runs/${basename(folder)}`)) as RunDetail;
    expect(alarms.map(({ what, step }) => [what.split(":")[0], step])).toEqual([
      ["train/loss is not a finite number (loop)", 3],
      ["the policy changed too much", 2],
      ["the policy changed much in one iteration", 5],
      [
        "sampler and learner differ by 0.5 nats on a token, so ratios are not 1 before the first update",
        2,
      ],
      ["2 rollouts failed because the world or the agent failed", 3],
    ]);
    rmSync(folder, { recursive: true });
  });
});
