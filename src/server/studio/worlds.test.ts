/** Tests worlds over the API: their list, documentation, tables and tasks, and what of a task stays hidden. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { THIS_CALL, trustModule } from "../../core/index.ts";
import {
  appViewSchema,
  tableViewSchema,
  taskListSchema,
  taskViewSchema,
  worldListSchema,
  worldViewSchema,
} from "../../spec/studio/index.ts";
import { createMemoryFolder } from "../../testing/fake-makers.ts";
import { episodeRoutes } from "./episode-routes.ts";
import { createEpisodeStore } from "./episodes.ts";
import { createForkStore } from "./forks.ts";
import { startServer } from "./http.ts";
import { createPolicyCache } from "./policy-cache.ts";
import { createApi } from "./routes.ts";
import { openRunRecords } from "./run-records.ts";
import { openRuns } from "./runs/index.ts";
import { createWorldCache } from "./world-cache.ts";
import { worldRoutes } from "./world-routes.ts";

const root = createMemoryFolder("bowline-studio-worlds-");
const worldCache = createWorldCache();
const OWN = join(root, "own", "world.ts");
const DYING = fileURLToPath(new URL("../../../tests/contract/crashing-world.ts", import.meta.url));
let get: (path: string) => Promise<unknown>;

beforeAll(() => {
  trustModule(DYING);
  writeRun("toy-run", { world: { name: "toy", seed: 4, dials: { docs: "terse" } } });
  writeRun("own", { world: { name: OWN, seed: 1, dials: {} } });
  writeRun("dying", { world: { name: DYING, seed: 1, dials: {} } });
  writeRun("handed", { world: { name: "toy", seed: 1, dials: {} } }, { given: ["world"] });
  writeFileSync(OWN, "throw new Error('it ran');");
  const api = createApi(worldRoutes(openRunRecords(openRuns(root)), worldCache));
  get = async (path) => {
    const { pathname, searchParams: query } = new URL(path, "http://studio/");
    const segments = pathname.slice(1).split("/").map(decodeURIComponent);
    const { signal } = new AbortController();
    const call = { method: "GET", path: segments, query, signal, json: async () => ({}) };
    return ((await api(call)) as { json: unknown }).json;
  };
});
afterAll(async () => {
  await worldCache[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

function writeRun(name: string, config: object, rest: object = {}): void {
  mkdirSync(join(root, name, "rollouts"), { recursive: true });
  const record = { version: 2, seed: 1, config, versions: {}, ...rest };
  writeFileSync(join(root, name, "run.json"), JSON.stringify(record));
}

const id = encodeURIComponent;

test("the weights that a run started from are data, also when they lie in the directory of another run", async () => {
  const start = join(root, "own", "checkpoints", "final");
  const world = { name: "toy", seed: 1, dials: {} };
  writeRun("started", { world, engine: { name: "onnx", model: start }, warm: { policy: start } });
  expect(await get("worlds/toy?run=started")).toMatchObject({ name: "toy" });
});

test("a world whose module has changed is opened again", async () => {
  const folder = createMemoryFolder("bowline-studio-edited-");
  const module = join(folder, "world.ts");
  const source = readFileSync(
    fileURLToPath(new URL("../../../examples/my-world.ts", import.meta.url)),
    "utf8",
  );
  const readWorld = () =>
    worldCache.use({ name: module, origin: THIS_CALL, seed: 1, dials: {} }, async (world) =>
      JSON.stringify(await world.overview()),
    );
  writeFileSync(module, source);
  expect(await readWorld()).toContain("Copies of books");
  writeFileSync(module, source.replace("Copies of books", "Books on shelves"));
  expect(await readWorld()).toContain("Books on shelves");
  rmSync(folder, { recursive: true, force: true });
});

describe("a world", () => {
  test("is listed if it is built in or if a run names it", async () => {
    const { worlds } = worldListSchema.parse(await get("worlds"));
    const names = worlds.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["toy", "everyday", "everyday/starter", OWN]));
    expect(names.length).toBe(new Set(names).size);
  });

  test("shows its apps, documentation and tables under the requested dials", async () => {
    const view = worldViewSchema.parse(await get("worlds/toy?seed=2"));
    expect(view).toMatchObject({ name: "toy", seed: 2, hasSolutions: true });
    expect(view.apps.map(({ name }) => name)).toEqual(["docs", "me", "shelf"]);
    const app = appViewSchema.parse(await get("worlds/toy/apps/shelf"));
    const [list] = app.apis;
    expect(list!.parameters[0]).toMatchObject({ name: "box", description: "a box" });
    const terse = appViewSchema.parse(await get("worlds/toy/apps/shelf?run=toy-run"));
    expect(terse.apis[0]!.parameters[0]).toMatchObject({ name: "box", description: "" });
    const table = await get("worlds/toy/tables/shelf.things?limit=3");
    expect(tableViewSchema.parse(table)).toMatchObject({ total: 0, rows: [] });
  });

  test("is refused under an unlisted name, or with a run that uses another world", async () => {
    const refused: [string, number, RegExp][] = [
      ["worlds/toi", 404, /did you mean toy/],
      [`worlds/${id("../toy")}`, 404, /there is no world/],
      [`worlds/${id(join(root, "other.ts"))}`, 404, /there is no world/],
      ["worlds/toy?seed=x", 400, /seed: expected a whole number/],
      ["worlds/toy?run=none", 404, /there is no run/],
      ["worlds/everyday?run=toy-run", 400, /uses the world toy, not everyday/],
      ["worlds/toy?run=handed", 409, /the world of run handed was handed to train\(\)/],
      ["worlds/toy/apps/shelv", 404, /did you mean shelf/],
      ["worlds/toy/tables/shelf.thing", 404, /did you mean shelf.things/],
      ["worlds/toy/tables/shelf.things?limit=0", 400, /limit: expected .* from 1 to 500/],
      ["worlds/toy/tasks?split=tests", 400, /split: expected train/],
      [`worlds/toy/tasks/${id("dev/0/9")}`, 404, /there is no task/],
      [`worlds/toy/tasks/${id("handmade/0/1")}`, 404, /has no handmade tasks/],
    ];
    for (const [path, status, message] of refused) {
      const error = await get(path).catch((cause: unknown) => cause);
      expect([path, error]).toMatchObject([
        path,
        { status, message: expect.stringMatching(message) },
      ]);
    }
  });

  test("that is not trusted is listed with the reason, and never executed", async () => {
    for (const path of [`worlds/${id(OWN)}`, `worlds/${id(OWN)}?run=own`]) {
      await expect(get(path)).rejects.toMatchObject({ code: "trust" });
    }
    const { worlds } = worldListSchema.parse(await get("worlds"));
    expect(worlds.find(({ name }) => name === OWN)!.problem).toMatch(/bowline trust .*own$/);
  });
});

describe("tasks", () => {
  test("are listed in pages", async () => {
    const page = taskListSchema.parse(await get("worlds/toy/tasks?split=dev&offset=2&limit=3"));
    expect(page.total).toBe(36);
    expect(page.tasks.map((task) => task.id)).toEqual(["dev/0/3", "dev/1/1", "dev/1/2"]);
  });

  test("show their checks and solution, but for test splits only on request", async () => {
    const shown = taskViewSchema.parse(await get(`worlds/toy/tasks/${id("dev/1/1")}`));
    expect(shown).toMatchObject({ hidden: false, intended: [{ kind: "insert", content: true }] });
    expect(shown.solution).toHaveLength(1);
    const path = `worlds/toy/tasks/${id("test-normal/1/1")}`;
    const hidden = taskViewSchema.parse(await get(path));
    expect(Object.keys(hidden).sort()).toEqual(["hidden", "task"]);
    expect(hidden.hidden).toBe(true);
    const asked = taskViewSchema.parse(await get(`${path}?checks=1`));
    expect(asked.checks!.map(({ label }) => label)).toContain("progress");
    expect(asked.intended).toHaveLength(1);
  });
});

describe("a world whose worker dies", () => {
  test("answers 503 and is open again for the next request", async () => {
    const episodes = createEpisodeStore(worldCache);
    const runs = openRuns(root);
    const records = openRunRecords(runs);
    const [policies, forks] = [createPolicyCache(records), createForkStore(runs)];
    const services = { records, worlds: worldCache, episodes, policies, forks };
    const api = createApi(episodeRoutes(services));
    const listening = await startServer({ api, page: () => undefined, port: 0 });
    const ask = async (path: string, body: object) => {
      const answer = await fetch(`http://127.0.0.1:${listening.port}/api/${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${listening.token}`,
          "content-type": "application/json",
        },
        body: JSON.stringify(body),
      });
      return { status: answer.status, json: (await answer.json()) as Record<string, string> };
    };
    try {
      const task = { from: "task", world: DYING, seed: 1, task: "train/0/1" };
      const { json } = await ask("episodes", task);
      const path = `episodes/${json["id"]}/step`;
      expect(await ask(path, { code: "apis.thread.end()" })).toEqual({
        status: 503,
        json: {
          error: expect.stringMatching(
            /the worker of world .* ended: exit code 3, in the handler .*anew/,
          ),
        },
      });
      expect((await ask(path, { code: "print(1)" })).status).toBe(200);
      expect((await ask("episodes", task)).status).toBe(200);
    } finally {
      await listening.close();
      await episodes[Symbol.asyncDispose]();
      await policies[Symbol.asyncDispose]();
    }
  });
});
