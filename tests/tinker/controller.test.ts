/**
 * Tests the whole training loop with a failing server and a killed training process: the run ends with the same results
 * as without failures, and no optimizer step is lost or taken twice. `bench/tinker/faults.ts` does the same with a
 * thousand faults.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Summary } from "../../src/spec/index.ts";
import { trainWith } from "../../src/train/train.ts";
import { sweepSize } from "../support/sweep.ts";
import { createFaults, FAULT_KINDS } from "../support/tinker-faults.ts";
import {
  createTableConfig,
  createTableMakers,
  killAfterCalls,
  readRunFiles,
  startTableServer,
  TABLE_VOCABULARY,
  type TableServer,
} from "../support/tinker-run.ts";

/** The tests make thousands of HTTP calls one after the other, which takes long on a busy machine. */
const SLOW_MS = 180_000;

let root: string;
let honest: TableServer;
let expected: Summary;
let steps: number;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "bowline-controller-"));
  honest = await startTableServer(TABLE_VOCABULARY);
  expected = await trainWith(createTableMakers(), createTableConfig(honest.url), {
    out: join(root, "whole"),
  });
  steps = honest.steps();
}, SLOW_MS);
afterAll(async () => {
  await honest.close();
  rmSync(root, { recursive: true, force: true });
});

const withoutSeconds = ({ seconds: _, ...summary }: Summary) => summary;

test(
  "a run on a Tinker server increases its reward",
  () => {
    expect(expected.reward.last).toBeGreaterThan(expected.reward.first);
    expect(steps).toBeGreaterThan(12 + 3);
  },
  SLOW_MS,
);

test(
  "a run under faults of all kinds ends the same, and every step is taken once",
  async () => {
    const injectedFaults = createFaults({
      seed: 3,
      probability: 0.15,
      maxFaults: 120,
      kinds: FAULT_KINDS.filter((kind) => kind !== "restart"),
      slowMs: 5,
    });
    const server = await startTableServer(TABLE_VOCABULARY, injectedFaults);
    const out = join(root, "faults");
    const summary = await trainWith(createTableMakers(), createTableConfig(server.url), { out });
    expect(withoutSeconds(summary)).toEqual(withoutSeconds(expected));
    expect(readRunFiles(out)).toEqual(readRunFiles(join(root, "whole")));
    expect(server.steps()).toBe(steps);
    expect(injectedFaults.total).toBeGreaterThan(40);
    await server.close();
  },
  SLOW_MS,
);

test(
  "when a training process is killed at any call, it resumes at this call, and no optimizer step is repeated",
  async () => {
    // The process is killed in the warm start, between two checkpoints, and twice while an iteration samples.
    for (const lifetime of sweepSize([18, 36.5], [7, 18, 36, 36.5])) {
      const out = join(root, `killed-${lifetime}`);
      const config = createTableConfig(honest.url);
      const before = honest.steps();
      await expect(
        trainWith(createTableMakers(killAfterCalls(lifetime)), config, { out }),
      ).rejects.toThrow(/killed/);
      const summary = await trainWith(createTableMakers(), config, { out });
      expect(withoutSeconds(summary), `lifetime ${lifetime}`).toEqual(withoutSeconds(expected));
      expect(readRunFiles(out)).toEqual(readRunFiles(join(root, "whole")));
      expect(honest.steps() - before, `lifetime ${lifetime}`).toBe(steps);
    }
  },
  SLOW_MS,
);

test(
  "a run resumes from its checkpoint when the server restarted while the training process was dead",
  async () => {
    const server = await startTableServer(TABLE_VOCABULARY);
    const out = join(root, "both");
    const config = createTableConfig(server.url);
    await expect(trainWith(createTableMakers(killAfterCalls(27)), config, { out })).rejects.toThrow(
      /killed/,
    );
    await server.restart();
    const summary = await trainWith(createTableMakers(), config, { out });
    expect(withoutSeconds(summary)).toEqual(withoutSeconds(expected));
    expect(readRunFiles(out)).toEqual(readRunFiles(join(root, "whole")));
    await server.close();
  },
  SLOW_MS,
);
