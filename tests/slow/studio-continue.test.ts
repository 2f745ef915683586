/**
 * Tests, on a real run over HTTP, that a policy continues a recorded rollout from any turn, after the recorded tokens.
 * At temperature 0, the newest weights repeat the rollout that they made in the evaluation.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStudio, type Studio } from "../../src/server/index.ts";
import type { Rollout } from "../../src/spec/index.ts";
import {
  type ContinuationEvent,
  continuationEventSchema,
  type EpisodeView,
  episodeViewSchema,
} from "../../src/spec/studio/index.ts";
import { createMemoryFolder } from "../../src/testing/fake-makers.ts";
import { readRollouts, resolveConfig, train } from "../../src/train/index.ts";

const root = createMemoryFolder("bowline-studio-continue-");
const FILE = "eval-after-dev-greedy";
let studio: Studio;
let rollouts: readonly Rollout[];

beforeAll(async () => {
  const overrides = { "algo.iterations": 2, "evaluation.every": 0 };
  await train(resolveConfig({ recipe: "smoke", overrides }), { out: join(root, "smoke") });
  rollouts = readRollouts(join(root, "smoke"), FILE);
  studio = await openStudio({ root });
}, 300_000);
afterAll(async () => {
  await studio?.close();
  rmSync(root, { recursive: true, force: true });
});

async function post(path: string, body: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${studio.port}/api/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${studio.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function openFork(rollout: Rollout, turn: number): Promise<EpisodeView> {
  const at = { run: "smoke", file: FILE, rollout: rollout.id, turn };
  const response = await post("episodes", { from: "rollout", ...at });
  return episodeViewSchema.parse(await response.json());
}

async function continueEpisode(id: string, request: object): Promise<ContinuationEvent[]> {
  const text = await (await post(`episodes/${id}/continue`, request)).text();
  const lines = text.split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => continuationEventSchema.parse(JSON.parse(line.slice(6))));
}

const rolloutsIn = (events: readonly ContinuationEvent[]) =>
  events.flatMap((event) => (event.type === "rollout" ? [event] : []));

test("greedy weights repeat the recorded rollout from any turn", async () => {
  const longest = [...rollouts].sort((a, b) => b.turns.length - a.turns.length)[0]!;
  expect(longest.turns.length).toBeGreaterThan(1);
  for (let turn = 0; turn < longest.turns.length; turn++) {
    const episode = await openFork(longest, turn);
    expect(episode.policy).toEqual({ name: "run smoke, checkpoint final", scaffold: "compact" });
    const events = await continueEpisode(episode.id, { rollouts: 2, temperature: 0, seed: 3 });
    expect(events[0]!.type).toBe("policy");
    for (const { turns, row } of rolloutsIn(events)) {
      expect(turns).toEqual(longest.turns.slice(turn));
      expect(row.outcome).toBe(longest.outcome);
    }
    expect(rolloutsIn(events)).toHaveLength(2);
  }
});

test("cells that are typed by hand give the row that the policy itself would have written", async () => {
  const longer = rollouts.filter(({ turns }) => turns.length > 1);
  expect(longer.length).toBeGreaterThan(0);
  for (const rollout of longer.slice(0, 4)) {
    const { id } = await openFork(rollout, 0);
    await post(`episodes/${id}/step`, { code: rollout.turns[0]!.code });
    const events = await continueEpisode(id, { rollouts: 1, temperature: 0, seed: 1 });
    expect(rolloutsIn(events).map(({ turns }) => turns)).toEqual([rollout.turns.slice(1)]);
  }
});

test("the same seed gives the same continuations, also after a cell typed by hand", async () => {
  const { id } = await openFork(rollouts[0]!, 0);
  await post(`episodes/${id}/step`, { code: 'print(apis.shelf.list({ box: "red" }))' });
  const request = { rollouts: 4, temperature: 1, seed: 5 };
  const sampledMessages = async (seed: number) =>
    rolloutsIn(await continueEpisode(id, { ...request, seed }))
      .sort((a, b) => a.index - b.index)
      .map(({ turns }) => turns.map(({ message }) => message));
  const first = await sampledMessages(5);
  expect(first).toHaveLength(4);
  expect(await sampledMessages(5)).toEqual(first);
});

test("a client that disconnects stops the continuation, and the next client is served", async () => {
  const { id } = await openFork(rollouts[0]!, 0);
  const disconnect = new AbortController();
  const response = await fetch(`http://127.0.0.1:${studio.port}/api/episodes/${id}/continue`, {
    method: "POST",
    headers: { authorization: `Bearer ${studio.token}`, "content-type": "application/json" },
    body: JSON.stringify({ rollouts: 32, temperature: 1, seed: 1 }),
    signal: disconnect.signal,
  });
  await response.body!.getReader().read();
  disconnect.abort();
  const events = await continueEpisode(id, {
    rollouts: 1,
    temperature: 1,
    seed: 1,
    checkpoint: "final",
  });
  expect(events.at(-1)).toEqual({ type: "done" });
});
