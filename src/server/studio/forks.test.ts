/**
 * Tests over HTTP that forks are kept: cells and continuations outlive the studio's process, a fork is opened again in
 * the same state, and nothing is written into the run.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { packageModuleUrl } from "../../../tests/support/package-module.ts";
import { createScriptedPolicies, type Script } from "../../../tests/support/scripted-policies.ts";
import { TOY_CELLS, writeToyRun } from "../../../tests/support/toy-run.ts";
import {
  type EpisodeView,
  episodeViewSchema,
  type Fork,
  type ForkList,
  forkListSchema,
  forkSchema,
} from "../../spec/studio/index.ts";
import { createMemoryFolder } from "../../testing/fake-makers.ts";
import { openWorld } from "../../world/index.ts";
import { episodeRoutes } from "./episode-routes.ts";
import { createEpisodeStore } from "./episodes.ts";
import { createForkStore, forkRoutes } from "./forks.ts";
import { startServer } from "./http.ts";
import { createApi } from "./routes.ts";
import { openRunRecords } from "./run-records.ts";
import { openRuns } from "./runs/index.ts";
import { createWorldCache } from "./world-cache.ts";

const root = createMemoryFolder("bowline-studio-forks-");
const script: Script = { cells: [], requests: [], loads: 0 };
const FORKS = join(root, ".bowline", "run", "forks");
let studio: Awaited<ReturnType<typeof startStudio>>;

/** Worlds outlive the restarts of a test, because opening one takes long. They know nothing of forks. */
const worlds = createWorldCache();

/** Starts the routes of episodes and forks on a server, with new episodes. */
async function startStudio() {
  const runs = openRuns(root);
  const records = openRunRecords(runs);
  const episodes = createEpisodeStore(worlds);
  const policies = createScriptedPolicies(records, script);
  const forks = createForkStore(runs);
  const services = { records, worlds, episodes, policies, forks };
  const api = createApi([...forkRoutes(forks), ...episodeRoutes(services)]);
  const listening = await startServer({ api, page: () => undefined, port: 0 });
  return {
    ...listening,
    async close() {
      await listening.close();
      await episodes[Symbol.asyncDispose]();
      await policies[Symbol.asyncDispose]();
    },
  };
}

async function request(method: string, path: string, body?: object) {
  const response = await fetch(`http://127.0.0.1:${studio.port}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${studio.token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}
async function requestJson(method: string, path: string, body?: object): Promise<unknown> {
  const { status, text } = await request(method, path, body);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text);
}
const openEpisode = async (body: object): Promise<EpisodeView> =>
  episodeViewSchema.parse(await requestJson("POST", "episodes", body));
const openFork = (turn: number) =>
  openEpisode({ from: "rollout", run: "run", file: "train-0001", rollout: "1/0/0", turn });
const step = async (id: string, code: string) =>
  episodeViewSchema.parse(await requestJson("POST", `episodes/${id}/step`, { code }));
const continueEpisode = (id: string, seed = 1) =>
  request("POST", `episodes/${id}/continue`, { rollouts: 2, temperature: 1, seed });
const listForks = async (): Promise<ForkList> =>
  forkListSchema.parse(await requestJson("GET", "runs/run/forks"));
const readFork = async (id: string): Promise<Fork> =>
  forkSchema.parse(await requestJson("GET", `runs/run/forks/${id}`));
const keptId = ({ fork }: EpisodeView) => (fork && "id" in fork ? fork.id : "not kept");

beforeAll(async () => {
  const world = await openWorld(packageModuleUrl("worlds/toy/toy.ts"), { seed: 1 });
  await writeToyRun(join(root, "run"), world);
  // This run pays for the share of its checks, as its continuations then must.
  await writeToyRun(join(root, "share"), world);
  await world.close();
  const path = join(root, "share", "run.json");
  const record = JSON.parse(readFileSync(path, "utf8"));
  record.config.algo.reward = "fraction";
  writeFileSync(path, JSON.stringify(record));
});
afterAll(async () => {
  await worlds[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(async () => {
  rmSync(join(root, ".bowline"), { recursive: true, force: true });
  studio = await startStudio();
});
afterEach(() => studio.close());

const PUT = 'print(apis.shelf.put({ item: "pen", box: "red" }))';

test("a fork is opened again after a restart, with equal cells and continuations", async () => {
  const runFiles = () =>
    (readdirSync(join(root, "run"), { recursive: true }) as string[])
      .sort()
      .map((name) => [name, statSync(join(root, "run", name)).mtimeMs]);
  const before = runFiles();
  const { id, next, fork } = await openFork(1);
  expect([next, fork]).toEqual([TOY_CELLS[1], undefined]);
  expect((await listForks()).forks).toEqual([]);
  const stepped = await step(id, PUT);
  expect(stepped.next).toBeUndefined();
  script.cells = ["apis.me.finishTask()"];
  await continueEpisode(id);
  const kept = await readFork(keptId(stepped));
  expect(kept).toMatchObject({ rollout: "1/0/0", turn: 1, cells: [{ by: "hand", code: PUT }] });
  expect(kept.sets).toMatchObject([
    { end: "done", cells: 1, request: { seed: 1, run: "run" }, policy: { scaffold: "compact" } },
  ]);
  expect(kept.sets[0]!.results.map(({ index }) => index)).toEqual([0, 1]);
  const shown = episodeViewSchema.parse(await requestJson("GET", `episodes/${id}`));

  await studio.close();
  studio = await startStudio();
  expect((await listForks()).forks).toMatchObject([
    { id: kept.id, file: "train-0001", cells: 1, continuations: 2, solved: 0 },
  ]);
  const again = await openEpisode({ from: "fork", run: "run", fork: kept.id });
  expect({ ...again, id }).toEqual(shown);
  expect(await readFork(kept.id)).toEqual(kept);
  // The fork goes on in the same file, and an open fork is one episode.
  await continueEpisode(again.id);
  const { sets } = await readFork(kept.id);
  expect(sets).toHaveLength(2);
  const said = sets.map(({ results }) => results.map(({ turns, row }) => [turns, row.reward]));
  expect(said[1]).toEqual(said[0]);
  expect((await openEpisode({ from: "fork", run: "run", fork: kept.id })).id).toBe(again.id);
  expect(runFiles()).toEqual(before);
});

test("both sides of a gain are measured in the reward of the record's run", async () => {
  const rewards: unknown[] = [];
  for (const run of ["run", "share"]) {
    const body = { from: "rollout", run, file: "train-0001", rollout: "1/0/0", turn: 1 };
    const { id, record } = await openEpisode(body);
    script.cells = TOY_CELLS.slice(1);
    await continueEpisode(id);
    const { forks } = forkListSchema.parse(await requestJson("GET", `runs/${run}/forks`));
    const fork = forkSchema.parse(await requestJson("GET", `runs/${run}/forks/${forks[0]!.id}`));
    // The continuation does what the record did, so both earn the same.
    expect(fork.sets[0]!.results[0]!.row.reward).toBe(record!.row.reward);
    rewards.push(record!.row.reward);
  }
  expect(rewards[0]).not.toBe(rewards[1]);
});

test("a fork in which the world no longer behaves as recorded is not opened", async () => {
  const { id } = await openFork(0);
  const fork = keptId(await step(id, PUT));
  await studio.close();
  const path = join(FORKS, `${fork}.json`);
  const kept = JSON.parse(readFileSync(path, "utf8"));
  kept.cells[0].text = "other";
  writeFileSync(path, JSON.stringify(kept));
  studio = await startStudio();
  const answer = await request("POST", "episodes", { from: "fork", run: "run", fork });
  expect(answer).toMatchObject({ status: 409, text: expect.stringMatching(/from its cell 1 on/) });
});

test("a damaged fork is listed as a problem, an unknown one is 404, and one can be removed", async () => {
  const fork = keptId(await step((await openFork(0)).id, PUT));
  writeFileSync(join(FORKS, "aaaaaaaaaaaa.json"), '{"version":1,');
  const { forks, problems } = await listForks();
  expect(forks.map(({ id }) => id)).toEqual([fork]);
  expect(problems).toMatchObject([expect.stringMatching(/aaaaaaaaaaaa.json/)]);
  expect((await request("GET", "runs/run/forks/aaaaaaaaaaaa")).status).toBe(409);
  expect((await request("GET", "runs/run/forks/bbbbbbbbbbbb")).status).toBe(404);
  expect((await request("GET", "runs/run/forks/..%2Fnotes")).status).toBe(404);
  expect((await request("DELETE", `runs/run/forks/${fork}`)).status).toBe(200);
  expect((await listForks()).forks).toEqual([]);
});

test("an episode whose fork cannot be kept still runs, and says why it is not kept", async () => {
  writeFileSync(join(root, ".bowline"), "a file stands here");
  const { fork, cells } = await step((await openFork(0)).id, PUT);
  expect(cells.at(-1)).toMatchObject({ by: "hand", status: "ok" });
  expect(fork).toMatchObject({ why: expect.stringMatching(/\.bowline is not a plain folder/) });
});
