import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemoryFolder } from "../../testing/fake-makers.ts";
import { tidyFinishedRun } from "./finished-run.ts";
import { lockRun } from "./run-lock.ts";
import { describeThisProcess } from "./run-owner.ts";

let directory: string;
beforeEach(() => {
  directory = createMemoryFolder("bowline-finished-");
  writeFileSync(join(directory, "summary.json"), "{}");
  mkdirSync(join(directory, "journal"));
  writeFileSync(join(directory, "journal", "eval.jsonl"), "");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("the lock, the report and the journal of a process that was killed are removed", () => {
  writeFileSync(join(directory, "progress.json"), "{}");
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  const { pids } = describeThisProcess();
  const owner = { pid, host: hostname(), since: "2026-08-01T11:02:33.123Z", ...(pids && { pids }) };
  writeFileSync(join(directory, "run.lock"), JSON.stringify(owner));
  tidyFinishedRun(directory);
  expect(readdirSync(directory)).toEqual(["summary.json"]);
});

test("nothing is removed while a process has the lock", () => {
  const lock = lockRun(directory);
  tidyFinishedRun(directory);
  expect(readdirSync(directory).sort()).toEqual(["journal", "run.lock", "summary.json"]);
  lock.release();
  tidyFinishedRun(directory);
  expect(readdirSync(directory)).toEqual(["summary.json"]);
});

test("a tidy run and a missing directory are left alone", () => {
  rmSync(join(directory, "journal"), { recursive: true });
  tidyFinishedRun(directory);
  expect(readdirSync(directory)).toEqual(["summary.json"]);
  expect(() => tidyFinishedRun(join(directory, "nowhere"))).not.toThrow();
});
