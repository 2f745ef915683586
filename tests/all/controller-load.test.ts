/**
 * Ten thousand rollouts at once wait for a remote model whose samples take 0.5 to 20 seconds and of which one in a
 * hundred fails at first. It takes several minutes, gigabytes and as many connections as rollouts.
 */
import { expect, it } from "vitest";
import { benchController } from "../../src/bench/index.ts";
import { forkTimedServer } from "../../src/server/index.ts";

const MOST_MB = 5 * 1024;

it("10,000 rollouts at once finish within 5 GB, and none is lost or doubled", {
  timeout: 3_600_000,
}, async () => {
  const measured = await benchController({
    rollouts: 10_000,
    turns: 8,
    latencyMs: [500, 20_000],
    failureShare: 0.01,
    world: "everyday",
    seed: 1,
    startServer: forkTimedServer,
  });
  expect(measured.losses).toEqual({
    unfinishedRollouts: 0,
    missingTurns: 0,
    doubledSamples: 0,
    missingJournalLines: 0,
  });
  expect(measured.atOnce).toBe(10_000);
  expect(measured.peakRssMb).toBeLessThan(MOST_MB);
});
