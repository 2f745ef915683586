import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { connectOpenEnv } from "../../../tests/support/openenv-client.ts";
import { BEHAVIOURS, playFaultyEpisodes } from "../../../tests/support/openenv-faults.ts";
import { readRetainedBytes, usualGrowth } from "../../../tests/support/retained-memory.ts";
import { resolveWorld } from "../../train/index.ts";
import { openWorld } from "../../world/index.ts";
import { startOpenEnvServer } from "./server.ts";

/** The growth that is allowed in 100 episodes. bench/openenv/faults.ts measures resident memory. */
const MAX_GROWTH_BYTES = 1.5e6;

test("after 300 episodes with faults no session and no episode is left, and memory has not grown", async () => {
  const world = await openWorld(resolveWorld("toy").url, { seed: 1 });
  const server = await startOpenEnvServer({ world });
  const url = `ws://127.0.0.1:${server.port}/ws`;
  const playAndSettle = async (count: number, seed: number) => {
    const played = await playFaultyEpisodes(url, { count, clients: 8, seed });
    for (let i = 0; i < 1000 && server.sessions > 0; i++) await sleep(10);
    expect([server.sessions, server.openEpisodes]).toEqual([0, 0]);
    return played;
  };
  await playAndSettle(100, 1);
  const retained = [readRetainedBytes()];
  const played: Record<string, number> = {};
  for (const seed of [2, 3]) {
    Object.assign(played, await playAndSettle(100, seed));
    retained.push(readRetainedBytes());
  }
  expect(usualGrowth(retained)).toBeLessThan(MAX_GROWTH_BYTES);
  expect(Object.keys(played).sort()).toEqual(Object.keys(BEHAVIOURS).sort());
  const client = await connectOpenEnv(url);
  expect(await client.ask({ type: "reset", data: {} })).toMatchObject({ type: "observation" });
  await client.close();
  await server.close();
  await world.close();
}, 180_000);
