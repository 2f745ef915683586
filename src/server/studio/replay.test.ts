/**
 * Tests replays of recorded rollouts: the answers and changes of each call, and where a record differs from its world.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageModuleUrl } from "../../../tests/support/package-module.ts";
import { writeToyRun } from "../../../tests/support/toy-run.ts";
import type { Rollout } from "../../spec/index.ts";
import { replayViewSchema } from "../../spec/studio/index.ts";
import { createMemoryFolder } from "../../testing/fake-makers.ts";
import { openWorld } from "../../world/index.ts";
import { replayRoutes } from "./replay-routes.ts";
import { createApi } from "./routes.ts";
import { openRunRecords } from "./run-records.ts";
import { openRuns } from "./runs/index.ts";
import { createWorldCache } from "./world-cache.ts";

const TOY = packageModuleUrl("worlds/toy/toy.ts");
const root = createMemoryFolder("bowline-studio-replay-");
const worlds = createWorldCache();

/** Copies of the rollout, by the name of their run. Each differs from the original in one thing. */
const CHANGED_RECORDS: { readonly [run: string]: (rollout: Rollout) => Rollout } = {
  asis: (rollout) => rollout,
  observation: (rollout) => withTurn(rollout, 1, { observation: "nothing" }),
  status: (rollout) => withTurn(rollout, 0, { status: "error" }),
  calls: (rollout) => withTurn(rollout, 1, { calls: rollout.turns[1]!.calls.slice(1) }),
  verdict: (rollout) => ({
    ...rollout,
    evaluation: {
      ...rollout.evaluation!,
      checks: rollout.evaluation!.checks.map((check) => ({ ...check, passed: true })),
    },
  }),
  hidden: (rollout) => ({ ...rollout, task: { ...rollout.task, id: "test-normal/3/1" } }),
  gone: (rollout) => ({ ...rollout, task: { ...rollout.task, id: "handmade/3/1" } }),
  planned: (rollout) => ({
    ...rollout,
    version: 2,
    turns: [
      { message: "I will.", code: "", observation: "", status: "ok", calls: [], part: "plan" },
      ...rollout.turns,
    ],
  }),
  session: (rollout) => ({
    ...rollout,
    version: 2,
    session: { answers: 1, retries: 0, roots: 1, branches: 0, edits: 0, illFormed: 0 },
  }),
};

function withTurn(rollout: Rollout, at: number, change: Partial<Rollout["turns"][number]>) {
  const turns = rollout.turns.map((turn, i) => (i === at ? { ...turn, ...change } : turn));
  return { ...rollout, turns };
}

const records = openRunRecords(openRuns(root));
const api = createApi(replayRoutes(records, worlds));

async function fetchReplay(run: string, query = "") {
  const path = ["runs", run, "files", "train-0001", "rollouts", "1/0/0", "replay"];
  const { signal } = new AbortController();
  const params = new URLSearchParams(query);
  const call = { method: "GET", path, query: params, signal, json: async () => ({}) };
  return replayViewSchema.parse(((await api(call)) as { json: unknown }).json);
}

beforeAll(async () => {
  const world = await openWorld(TOY, { seed: 1 });
  for (const [run, change] of Object.entries(CHANGED_RECORDS))
    await writeToyRun(join(root, run), world, change);
  await world.close();
});
afterAll(async () => {
  await worlds[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

describe("a replay", () => {
  test("shows the answer and changes of each call, and the final and the intended state", async () => {
    const view = await fetchReplay("asis");
    if (view.kind !== "replayed") throw new Error(view.why);
    expect(view.equal).toBe(true);
    expect(view.turns.map(({ calls }) => calls.map(({ status }) => status))).toEqual([
      [200, 200, 200, 200],
      [200, 404],
      [200],
    ]);
    const [put, move] = view.turns[1]!.calls;
    expect(put).toMatchObject({ answer: { id: 2 }, changes: [{ kind: "insert", content: true }] });
    expect(move!.answer).toMatch(/there is no cup/);
    const { changes, intended, answer, checks } = view.state;
    expect(changes.filter(({ content }) => content)).toMatchObject([{ id: 2, kind: "insert" }]);
    expect(intended).toMatchObject([{ id: 1, kind: "update" }]);
    expect(answer).toEqual({ wanted: null, given: null });
    expect(checks!.filter(({ passed }) => !passed).length).toBeGreaterThan(0);
  });

  test.each([
    ["observation", 1],
    ["status", 0],
    ["calls", 1],
    ["verdict", 2],
  ])("names the first turn in which the record differs: %s", async (run, at) => {
    expect(await fetchReplay(run)).toMatchObject({ kind: "replayed", equal: false, at });
  });

  test("hides the checks of test splits unless the request asks for them", async () => {
    const view = await fetchReplay("hidden");
    expect(view.kind === "replayed" && Object.keys(view.state)).toEqual(["changes"]);
    const asked = await fetchReplay("hidden", "checks=1");
    expect(asked.kind === "replayed" && asked.state.intended).toHaveLength(1);
  });

  test("has no calls for a turn that ran no code", async () => {
    const view = await fetchReplay("planned");
    if (view.kind !== "replayed") throw new Error(view.why);
    expect([view.equal, view.turns.map(({ calls }) => calls.length)]).toEqual([true, [0, 4, 2, 1]]);
  });

  test("is impossible if the record has no cells or its world has no such task", async () => {
    expect(await fetchReplay("session")).toMatchObject({
      kind: "impossible",
      why: /conversations/,
    });
    expect(await fetchReplay("gone")).toMatchObject({ kind: "impossible" });
    await expect(fetchReplay("none")).rejects.toMatchObject({ status: 404 });
  });
});
