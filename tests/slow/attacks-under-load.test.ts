/**
 * Runs every attack of the table in an episode of a world, alone and beside busy processes. What an attack does follows
 * from its code: nothing ends on the clock, and the results have the same bytes.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, expect, test, vi } from "vitest";
import { openWorld } from "../../src/index.ts";
import { builtInWorlds } from "../../src/worlds/index.ts";
import { ATTACKS } from "../support/sandbox-attacks.ts";

vi.setConfig({ testTimeout: 1_200_000 });

const TASK = "train/3/1";
const BUSY_PROCESSES = 2;

const busy: ChildProcess[] = [];
const endBusyProcesses = () => busy.splice(0).map((child) => child.kill("SIGKILL"));
afterAll(endBusyProcesses);

/** Returns the result of each attack as text, by name. */
async function runCorpus(): Promise<Map<string, string>> {
  const world = await openWorld(builtInWorlds["toy"]!.url.href, { seed: 1 });
  const results = new Map<string, string>();
  try {
    for (const { name, code } of ATTACKS) {
      const episode = await world.open(TASK);
      results.set(name, JSON.stringify(await episode.step(code)));
      await episode.close();
    }
    return results;
  } finally {
    await world.close();
  }
}

test("the table has at least 140 attacks", () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(140);
});

test("every attack ends by the work that it does, with the same bytes alone and beside busy processes", async () => {
  const alone = await runCorpus();
  for (let i = 0; i < BUSY_PROCESSES; i++)
    busy.push(spawn(process.execPath, ["-e", "for (;;) {}"]));
  const beside = await runCorpus();
  expect(busy.map(({ exitCode }) => exitCode)).toEqual(busy.map(() => null));
  endBusyProcesses();
  const onTheClock = [...alone, ...beside].filter(([, result]) =>
    result.includes('"limit":"wall-clock"'),
  );
  expect(onTheClock.map(([name]) => name)).toEqual([]);
  expect(beside).toEqual(alone);
});
