/** Trains in one run directory with several processes: a second one is refused, and a killed one can be replaced. */
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { createTemporaryFolder, runBowline } from "../e2e/support/cli.ts";

vi.setConfig({ testTimeout: 240_000 });

const folder = createTemporaryFolder();
const children: ChildProcess[] = [];
afterAll(() => {
  // When a test fails, a process that it had suspended would stay forever.
  for (const child of children) child.kill("SIGKILL");
  folder.remove();
});

const SMALL = [
  ["--warm.demonstrations", "320"],
  ["--algo.iterations", "3"],
  ["--algo.tasks-per-iteration", "6"],
  ["--algo.minibatch", "8"],
  ["--evaluation.scenarios", "1"],
].flat();

const trainSmall = (directory: string, onStart?: (child: ChildProcess) => void) =>
  runBowline(["train", "smoke", "--out", directory, ...SMALL], {
    onStart: (child) => {
      children.push(child);
      onStart?.(child);
    },
  });

const readMetricLines = (directory: string) => {
  const file = join(directory, "metrics.jsonl");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
};

async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

/** Lists every file with its size and time, except the lock, which its owner keeps updating. */
function listFileStates(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name !== "run.lock")
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(directory, name));
      return `${name} ${size} ${mtimeMs}`;
    });
}

test("a second process is refused; after a SIGKILL of the first, a third continues the run and takes every step once", async () => {
  const [whole, shared] = [join(folder.path, "whole"), join(folder.path, "shared")];
  expect((await trainSmall(whole)).code).toBe(0);

  let first: ChildProcess | undefined;
  const running = trainSmall(shared, (child) => {
    first = child;
  });
  await waitUntil(() => readMetricLines(shared).length >= 5);
  // A suspended process is alive, but writes nothing while the test compares files.
  first!.kill("SIGSTOP");
  const before = listFileStates(shared);
  const second = await trainSmall(shared);
  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(
    new RegExp(`^error: .*shared is in use by process ${first!.pid} on .* since 20.* UTC`),
  );
  expect(second.stderr).not.toMatch(/\n./);
  expect(listFileStates(shared)).toEqual(before);
  const reported = await runBowline(["report", shared, "--out", join(folder.path, "young.html")]);
  expect(reported.code).toBe(0);

  first!.kill("SIGKILL");
  expect((await running).code).toBeNull();
  const third = await trainSmall(shared);
  expect({ code: third.code, stderr: third.stderr }).toEqual({ code: 0, stderr: "" });
  expect(third.stdout).toMatch(
    new RegExp(`was locked by process ${first!.pid} .*, which no longer exists`),
  );
  expect(readMetricLines(shared)).toEqual(readMetricLines(whole));
  const steps = readMetricLines(shared).map((line) => JSON.parse(line));
  const names = steps.map(({ phase, step, when = "", ...rest }) =>
    phase === "eval" ? `${when} ${Object.keys(rest)[0]}` : `${phase} ${step}`,
  );
  expect(new Set(names).size).toBe(names.length);
  expect(readdirSync(shared)).not.toContain("run.lock");
});

test("Ctrl-C removes the lock of the run directory", async () => {
  const directory = join(folder.path, "stopped");
  const { code } = await trainSmall(directory, (child) => {
    void waitUntil(() => existsSync(join(directory, "run.lock"))).then(() => child.kill("SIGINT"));
  });
  expect(code).toBe(130);
  expect(existsSync(join(directory, "run.lock"))).toBe(false);
});
