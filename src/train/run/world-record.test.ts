import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { resolveDials } from "../../world/index.ts";
import { RECORD_VERSION, type WorldRecord } from "./run-record.ts";
import { requireSameWorld } from "./world-record.ts";

const directory = mkdtempSync(join(tmpdir(), "bowline-world-record-"));
afterAll(() => rmSync(directory, { recursive: true }));

const world = (version?: string): WorldRecord => ({
  modules: {},
  dials: resolveDials({}),
  ...(version !== undefined && { version }),
  tasks: { dev: "0123456789abcdef" },
});

function recordRun(before: WorldRecord): void {
  const record = { version: RECORD_VERSION, seed: 1, config: {}, world: before, versions: {} };
  writeFileSync(join(directory, "run.json"), JSON.stringify(record));
}

const compare = (before: WorldRecord, now: WorldRecord) => () => {
  recordRun(before);
  requireSameWorld(directory, now, "0.1.0");
};

test("a run of another version of its world is not continued, even if its tasks read the same", () => {
  expect(compare(world("3"), world("4"))).toThrow(/its version \(there 3, now 4\)/);
  expect(compare(world(), world("4"))).toThrow(/its version \(there none, now 4\)/);
});

test("a run of the same version is continued, and a world that is not open yet has no version to compare", () => {
  expect(compare(world("4"), world("4"))).not.toThrow();
  expect(compare(world(), world())).not.toThrow();
  const { tasks: _, version: __, ...sources } = world("4");
  expect(compare(world("3"), sources)).not.toThrow();
});
