import { describe, expect, it } from "vitest";
import { benchController } from "../../bench/index.ts";
import { forkTimedServer } from "../../server/index.ts";

describe("bowline bench controller", () => {
  it("loses no turn and doubles none when samples fail", { timeout: 60_000 }, async () => {
    const measured = await benchController({
      rollouts: 6,
      turns: 2,
      latencyMs: [10, 30],
      failureShare: 0.3,
      world: "toy",
      seed: 1,
      workers: 1,
      startServer: forkTimedServer,
    });
    expect(measured).toMatchObject({ rollouts: 6, turns: 12, atOnce: 6 });
    expect(measured.cpuMsPerTurn).toBeGreaterThan(0);
    expect(measured.losses).toEqual({
      unfinishedRollouts: 0,
      missingTurns: 0,
      doubledSamples: 0,
      missingJournalLines: 0,
    });
  });
});
