/**
 * Ten thousand rollouts at once wait for a remote model whose samples take 0.5 to 20 seconds and of which one in a
 * hundred fails at first. Midway, one thread of the world is ended. It takes several minutes, gigabytes and as many
 * connections as rollouts (`ulimit -n 65536`). `BOWLINE_LOAD_ROLLOUTS=2000` plays fewer.
 */

import { expect, it } from "vitest";
import { benchController } from "../../src/bench/index.ts";
import { forkTimedServer } from "../../src/server/index.ts";
import { startedThreads } from "../support/worker-threads.ts";

const MOST_MB = 5 * 1024;
const ROLLOUTS = Number(process.env["BOWLINE_LOAD_ROLLOUTS"] ?? 10_000);
const TURNS = 8;

it("10,000 rollouts at once finish within 5 GB, and none is lost or doubled", {
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
});
