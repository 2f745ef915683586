/**
 * The whole loop on a server that fails, and a controller that dies: the run ends as if neither had happened, and no
 * optimizer step is lost or taken twice. `bench/tinker/faults.ts` does the same with a thousand faults.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Summary } from "../../src/spec/index.ts";
import { trainWith } from "../../src/train/train.ts";
import { sweepSize } from "../support/sweep.ts";
import { FAULT_KINDS, faults } from "../support/tinker-faults.ts";
import {
  contentsOf,
  mortal,
  startTableServer,
  TABLE_VOCABULARY,
  type TableServer,
  tableConfig,
  tableParts,
} from "../support/tinker-run.ts";

/** They wait for each other's HTTP calls, thousands of them; on a busy machine that is long. */
const SLOW_MS = 180_000;

let root: string;
let honest: TableServer;
let expected: Summary;
let steps: number;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "bowline-controller-"));
  honest = await startTableServer(TABLE_VOCABULARY);
  expected = await trainWith(tableParts(), tableConfig(honest.url), { out: join(root, "whole") });
  steps = honest.steps();
}, SLOW_MS);
afterAll(async () => {
  await honest.close();
  rmSync(root, { recursive: true, force: true });
});

const timeless = ({ seconds: _, ...summary }: Summary) => summary;

test(
  "learns on a server as on any engine",
  () => {
    expect(expected.reward.last).toBeGreaterThan(expected.reward.first);
    expect(steps).toBeGreaterThan(12 + 3);
  },
  SLOW_MS,
);

test(
  "faults of all kinds change nothing, and every step is taken once",
  async () => {
    const wrong = faults({
      seed: 3,
      probability: 0.15,
      most: 120,
      kinds: FAULT_KINDS.filter((kind) => kind !== "restart"),
      slowMs: 5,
    });
    const server = await startTableServer(TABLE_VOCABULARY, wrong);
    const out = join(root, "faults");
    const summary = await trainWith(tableParts(), tableConfig(server.url), { out });
    expect(timeless(summary)).toEqual(timeless(expected));
    expect(contentsOf(out)).toEqual(contentsOf(join(root, "whole")));
    expect(server.steps()).toBe(steps);
    expect(wrong.total).toBeGreaterThan(40);
    await server.close();
  },
  SLOW_MS,
);

test(
  "a controller that dies at any call goes on where it was, and no step is repeated",
  async () => {
    // In the warm start, between two of its checkpoints, and twice among the samples of an iteration.
    for (const lifetime of sweepSize([18, 36.5], [7, 18, 36, 36.5])) {
      const out = join(root, `killed-${lifetime}`);
      const config = tableConfig(honest.url);
      const before = honest.steps();
      await expect(trainWith(tableParts(mortal(lifetime)), config, { out })).rejects.toThrow(
        /killed/,
      );
      const summary = await trainWith(tableParts(), config, { out });
      expect(timeless(summary), `lifetime ${lifetime}`).toEqual(timeless(expected));
      expect(contentsOf(out)).toEqual(contentsOf(join(root, "whole")));
      expect(honest.steps() - before, `lifetime ${lifetime}`).toBe(steps);
    }
  },
  SLOW_MS,
);

test(
  "a server that restarts while the controller is dead costs the steps since the checkpoint, once",
  async () => {
    const server = await startTableServer(TABLE_VOCABULARY);
    const out = join(root, "both");
    const config = tableConfig(server.url);
    await expect(trainWith(tableParts(mortal(27)), config, { out })).rejects.toThrow(/killed/);
    await server.restart();
    const summary = await trainWith(tableParts(), config, { out });
    expect(timeless(summary)).toEqual(timeless(expected));
    expect(contentsOf(out)).toEqual(contentsOf(join(root, "whole")));
    await server.close();
  },
  SLOW_MS,
);
