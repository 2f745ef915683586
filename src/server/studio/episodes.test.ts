/**
 * Tests episodes over the API: open, step, evaluate, end, the limit on their number, and continuation by the policy.
 */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { packageModuleUrl } from "../../../tests/support/package-module.ts";
import { createScriptedPolicies, type Script } from "../../../tests/support/scripted-policies.ts";
import {
  createToyAgent,
  TOY_CELLS,
  TOY_TASK,
  writeToyRun,
} from "../../../tests/support/toy-run.ts";
import { THIS_CALL } from "../../core/index.ts";
import type { Rollout } from "../../spec/index.ts";
import {
  type ContinuationEvent,
  continuationEventSchema,
  type EpisodeView,
  episodeViewSchema,
  stateViewSchema,
  tableViewSchema,
} from "../../spec/studio/index.ts";
import { createMemoryFolder } from "../../testing/fake-makers.ts";
import { openWorld } from "../../world/index.ts";
import { episodeRoutes } from "./episode-routes.ts";
import { createEpisodeStore, MAX_EPISODES } from "./episodes.ts";
import { createForkStore, forkRoutes } from "./forks.ts";
import { createApi } from "./routes.ts";
import { openRunRecords } from "./run-records.ts";
import { openRuns } from "./runs/index.ts";
import { createWorldCache } from "./world-cache.ts";

const TOY = packageModuleUrl("worlds/toy/toy.ts");
const root = createMemoryFolder("bowline-studio-episodes-");
const { renderer } = createToyAgent();
const worlds = createWorldCache();
const runs = openRuns(root);
const records = openRunRecords(runs);

const script: Script = { cells: [], requests: [], loads: 0 };
const policies = createScriptedPolicies(records, script);

let episodes = createEpisodeStore(worlds);
let api = createApi([]);
let record: Rollout;

beforeAll(async () => {
  const world = await openWorld(TOY, { seed: 1 });
  record = await writeToyRun(join(root, "run"), world);
  await writeToyRun(join(root, "torn"), world, (rollout) => ({
    ...rollout,
    turns: rollout.turns.map((turn) => ({ ...turn, observation: "other" })),
  }));
  await world.close();
});
beforeEach(async () => {
  await episodes[Symbol.asyncDispose]();
  episodes = createEpisodeStore(worlds);
  const forks = createForkStore(runs);
  api = createApi([
    ...forkRoutes(forks),
    ...episodeRoutes({ records, worlds, episodes, policies, forks }),
  ]);
});
afterAll(async () => {
  await episodes[Symbol.asyncDispose]();
  await worlds[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

async function sendRequest(method: string, path: string, body?: unknown, signal?: AbortSignal) {
  const { pathname, searchParams: query } = new URL(path, "http://studio/");
  const call = { method, path: pathname.slice(1).split("/"), query, json: async () => body };
  return api({ ...call, signal: signal ?? new AbortController().signal });
}

async function requestJson(method: string, path: string, body?: unknown): Promise<unknown> {
  return ((await sendRequest(method, path, body)) as { json: unknown }).json;
}

const requestEpisode = async (...asked: Parameters<typeof requestJson>): Promise<EpisodeView> =>
  episodeViewSchema.parse(await requestJson(...asked));
const openFork = (turn: number, run = "run") =>
  requestEpisode("POST", "episodes", {
    from: "rollout",
    run,
    file: "train-0001",
    rollout: "1/0/0",
    turn,
  });
const openTask = () =>
  requestEpisode("POST", "episodes", { from: "task", world: "toy", seed: 1, task: TOY_TASK });
const stepEpisode = (id: string, code: string) =>
  requestEpisode("POST", `episodes/${id}/step`, { code });

async function continueAndCollect(id: string, request: object = {}, signal?: AbortSignal) {
  const body = { rollouts: 1, temperature: 1, seed: 1, ...request };
  const reply = await sendRequest("POST", `episodes/${id}/continue?checks=1`, body, signal);
  const events: ContinuationEvent[] = [];
  for await (const event of (reply as { events: AsyncIterable<unknown> }).events) {
    events.push(continuationEventSchema.parse(event));
  }
  return events;
}

describe("an episode that is stepped by hand", () => {
  test("can be stepped, evaluated and ended", async () => {
    const { id, policy } = await openTask();
    expect(policy).toMatchObject({ why: /choose a run whose policy/ });
    const stepped = await stepEpisode(id, 'print(apis.shelf.put({ item: "cup", box: "red" }))');
    expect(stepped.cells).toMatchObject([
      { by: "hand", status: "ok", text: '{"id":2}', calls: [{ answer: { id: 2 } }] },
    ]);
    const table = await requestJson("GET", `episodes/${id}/tables/shelf.things?find=CUP`);
    expect(tableViewSchema.parse(table)).toMatchObject({ total: 1, rows: [{ id: 2, box: "red" }] });
    const state = stateViewSchema.parse(await requestJson("POST", `episodes/${id}/evaluate`));
    expect(state.changes).toHaveLength(1);
    expect((await stepEpisode(id, "apis.me.finishTask()")).finished).toBe(true);
    await expect(stepEpisode(id, "1")).rejects.toMatchObject({ status: 409 });
    expect(await requestJson("DELETE", `episodes/${id}`)).toEqual({});
    await expect(requestEpisode("GET", `episodes/${id}`)).rejects.toMatchObject({ status: 404 });
  });

  test("answers bad requests with what was expected", async () => {
    const { id } = await openTask();
    const wrong: [string, unknown, number, RegExp][] = [
      ["episodes", { from: "nothing" }, 400, /from: /],
      ["episodes", { from: "task", world: "toy", seed: -1, task: TOY_TASK }, 400, /seed: /],
      ["episodes", { from: "task", world: "toi", seed: 1, task: TOY_TASK }, 404, /mean toy/],
      ["episodes", { from: "task", world: "toy", seed: 1, task: "dev/0/9" }, 404, /no task/],
      [`episodes/${id}/step`, { code: 5 }, 400, /code: /],
      [`episodes/${id}/continue`, { rollouts: 33, temperature: 1, seed: 1 }, 400, /rollouts: /],
      [`episodes/${id}/continue`, { rollouts: 1, temperature: 1, seed: 1 }, 409, /no run/],
    ];
    for (const [path, body, status, message] of wrong) {
      const error = await requestJson("POST", path, body).catch((cause: unknown) => cause);
      expect([body, error]).toMatchObject([
        body,
        { status, message: expect.stringMatching(message) },
      ]);
    }
  });

  test("ends when there are too many newer episodes, or after a while without a request", async () => {
    const first = await openTask();
    const second = await openTask();
    for (let i = 2; i < MAX_EPISODES; i++) await openTask();
    await requestEpisode("GET", `episodes/${first.id}`);
    await openTask();
    await expect(requestEpisode("GET", `episodes/${second.id}`)).rejects.toMatchObject({
      status: 404,
    });
    await requestEpisode("GET", `episodes/${first.id}`);

    await using short = createEpisodeStore(worlds, 20);
    const key = { name: "toy", origin: THIS_CALL, seed: 1, dials: {} };
    const idle = await short.open(key, async (world) => {
      const episode = await world.open(TOY_TASK);
      return { episode, cells: [], results: [], finished: false };
    });
    await vi.waitFor(() =>
      expect(short.use(idle.id, async () => 1)).rejects.toThrow(/there is no/),
    );
  });
});

describe("a fork of a recorded rollout", () => {
  test("starts before the chosen turn, with the cells that came before it", async () => {
    const fork = await openFork(2);
    expect(fork).toMatchObject({
      equal: true,
      finished: false,
      world: { name: "toy", run: "run" },
    });
    expect(fork.record).toMatchObject({ run: "run", turn: 2, row: { id: "1/0/0", turns: 3 } });
    expect(fork.cells.map(({ by, code }) => [by, code])).toEqual(
      TOY_CELLS.slice(0, 2).map((code) => ["record", code]),
    );
    const { cells } = await stepEpisode(fork.id, 'print(apis.shelf.list({ box: "red" }))');
    expect(cells.at(-1)!.text).toContain("cup");
    expect((await openFork(3)).finished).toBe(true);
  });

  test("is refused if the world behaves differently or the turn does not exist", async () => {
    await expect(openFork(1, "torn")).rejects.toMatchObject({
      status: 409,
      message: /from turn 1 on/,
    });
    await expect(openFork(4)).rejects.toMatchObject({ status: 400, message: /from 0 to 3, got 4/ });
    await expect(openFork(0, "none")).rejects.toMatchObject({ status: 404 });
  });
});

describe("a policy that continues an episode", () => {
  test("continues after exactly the tokens of the record, each rollout in its own fork", async () => {
    const { id, policy } = await openFork(1);
    expect(policy).toEqual({ name: "run run, checkpoint final", scaffold: "compact" });
    script.cells = ['apis.shelf.put({ item: "pen", box: "red" })', "apis.me.finishTask()"];
    const events = await continueAndCollect(id, { rollouts: 3 });
    expect(events[0]).toEqual({
      type: "policy",
      name: policy && "run run, checkpoint final",
      scaffold: "compact",
    });
    expect(events.at(-1)).toEqual({ type: "done" });
    expect(events.filter(({ type }) => type === "turn")).toHaveLength(6);
    const rollouts = events.flatMap((event) => (event.type === "rollout" ? [event] : []));
    expect(rollouts.map(({ index }) => index).sort()).toEqual([0, 1, 2]);
    for (const { turns, row, checks } of rollouts) {
      expect(turns.map(({ code }) => code)).toEqual(script.cells);
      expect(turns[0]!.calls).toMatchObject([{ api: "put", wrote: true }]);
      expect(row).toMatchObject({ outcome: "finished", passed: false, turns: 2 });
      expect(checks.length).toBeGreaterThan(0);
    }
    const [from] = record.turns[1]!.span!;
    expect(script.requests[0]!.tokens).toEqual(record.tokens!.ids.slice(0, from));
    expect((await requestEpisode("GET", `episodes/${id}`)).cells).toHaveLength(1);
  });

  test("sees cells typed by hand as its scaffold would write them", async () => {
    const { id } = await openFork(1);
    await stepEpisode(id, "print(2)");
    script.cells = ["apis.me.finishTask()"];
    const events = await continueAndCollect(id);
    expect(events.at(-1)).toEqual({ type: "done" });
    const [from] = record.turns[1]!.span!;
    const said = [
      ...renderer.turn("print(2)"),
      ...renderer.next({ role: "environment", content: "2" }),
    ];
    expect(script.requests[0]!.tokens).toEqual([...record.tokens!.ids.slice(0, from), ...said]);
  });

  test("can come from a run that the request names, if the episode belongs to no run", async () => {
    const { id } = await openTask();
    script.cells = ["apis.me.finishTask()"];
    const before = script.loads;
    expect((await continueAndCollect(id, { run: "run" })).map(({ type }) => type)).toEqual([
      "policy",
      "turn",
      "rollout",
      "done",
    ]);
    await continueAndCollect(id, { run: "run", checkpoint: "final" });
    expect(script.loads - before).toBeLessThanOrEqual(1);
    await expect(continueAndCollect(id, { run: "run", checkpoint: "warm" })).rejects.toMatchObject({
      status: 409,
      message: /has no checkpoint warm/,
    });
    await expect(continueAndCollect(id, { run: "none" })).rejects.toMatchObject({ status: 404 });
  });

  test("stops when the client disconnects, and is refused in a finished task", async () => {
    const { id } = await openFork(0);
    script.cells = Array.from({ length: 50 }, () => "1");
    const stop = new AbortController();
    stop.abort();
    const types = (await continueAndCollect(id, { rollouts: 4 }, stop.signal)).map(
      ({ type }) => type,
    );
    expect(types).not.toContain("rollout");
    const done = await openFork(3);
    await expect(continueAndCollect(done.id)).rejects.toMatchObject({
      status: 409,
      message: /finished/,
    });
  });

  test("is refused if a cell is longer than the policy could have written", async () => {
    const { id } = await openFork(0);
    await stepEpisode(id, `print("${"x".repeat(400)}")`);
    await expect(continueAndCollect(id)).rejects.toMatchObject({
      status: 409,
      message: /longer than a turn/,
    });
  });
});
