/**
 * Ten thousand rollouts at once wait for a remote model whose samples take 0.5 to 20 seconds and of which one in a
 * hundred fails at first. Midway, one thread of the world is ended. It takes several minutes, gigabytes and as many
 * connections as rollouts (`ulimit -n 65536`). `BOWLINE_LOAD_ROLLOUTS=2000` plays fewer.
 */

import { expect, it } from "vitest";
import { benchController } from "../../src/bench/index.ts";
import { forkTimedServer } from "../../src/server/index.ts";
import { collectGarbage } from "../support/retained-memory.ts";
import { startedThreads } from "../support/worker-threads.ts";

const MOST_MB = 5 * 1024;
const ROLLOUTS = Number(process.env["BOWLINE_LOAD_ROLLOUTS"] ?? 10_000);
const TURNS = 8;
/** What stays in the main thread: remembered pieces of prompts, whose number has a limit, and compiled code. */
const MOST_KEPT_MB = 80;
/** The longest time for which the main thread may answer nothing. Once it was 124 seconds. */
const MOST_LAG_MS = 5000;

// Collects garbage before memory is compared.
global.gc = collectGarbage as NodeJS.GCFunction;

it(`${ROLLOUTS} rollouts at once finish within 5 GB, none is lost or doubled, and the main thread keeps none of them`, {
  timeout: 3_600_000,
}, async () => {
  const measured = await benchController({
    rollouts: ROLLOUTS,
    turns: TURNS,
    latencyMs: [500, 20_000],
    failureShare: 0.01,
    world: "everyday",
    seed: 1,
    startServer: forkTimedServer,
    onTurn: (turns) => {
      if (turns === (ROLLOUTS * TURNS) / 2) void startedThreads[0]!.terminate();
    },
  });
  console.log(JSON.stringify(measured));
  expect(measured.losses).toEqual({
    unfinishedRollouts: 0,
    missingTurns: 0,
    doubledSamples: 0,
    missingJournalLines: 0,
  });
  expect(measured.atOnce).toBe(ROLLOUTS);
  expect(measured.peakRssMb).toBeLessThan(MOST_MB);
  expect(measured.garbageCollected).toBe(true);
  expect(measured.heldAfterMb).toBeLessThan(measured.heldBeforeMb + MOST_KEPT_MB);
  expect(measured.lagMs.max).toBeLessThan(MOST_LAG_MS);
});
