/**
 * A short run of `smoke` on WebGPU, in software: its losses fall as on the CPU, and a run that is killed and continued
 * equals one that was not, byte for byte.
 */
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { createTemporaryFolder, runBowline } from "../e2e/support/cli.ts";
import { findSoftwareAdapter, NO_ADAPTER } from "../slow/support/software-adapter.ts";

vi.setConfig({ testTimeout: 3_600_000 });

const adapter = findSoftwareAdapter();
if (adapter === undefined) console.log(`the run on WebGPU is skipped: ${NO_ADAPTER}`);
const folder = createTemporaryFolder();
afterAll(folder.remove);

const SHORT = [
  ["--warm.demonstrations", "64"],
  ["--warm.epochs", "1"],
  ["--algo.iterations", "1"],
  ["--algo.tasks-per-iteration", "2"],
  ["--algo.group-size", "4"],
  ["--algo.reward", "fraction"],
  ["--scenarios", "1"],
  ["--evaluation.scores", "dev"],
].flat();

async function trainShort(name: string, provider: string, onStart?: (child: ChildProcess) => void) {
  const out = join(folder.path, name);
  const { code, stderr } = await runBowline(
    ["train", "smoke", "--json", "--engine.provider", provider, "--out", out, ...SHORT],
    { env: { ...adapter, BOWLINE_CACHE: folder.path }, ...(onStart && { onStart }) },
  );
  return { out, code, stderr };
}

const readMetrics = (run: string) =>
  readFileSync(join(run, "metrics.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const readRollouts = (run: string) =>
  readdirSync(join(run, "rollouts"))
    .sort()
    .map((name) => [name, readFileSync(join(run, "rollouts", name), "utf8")]);

const readWeights = (run: string) =>
  readFileSync(join(run, "checkpoints", "final", "engine", "model.safetensors"));

/** Kills a run when it has written its first lines. */
async function killAfterWarmStart(run: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const path = join(run, "metrics.jsonl");
    if (existsSync(path) && readFileSync(path, "utf8").includes('"eval"')) child.kill("SIGKILL");
    await sleep(200);
  }
}

test.skipIf(!adapter)("smoke learns on WebGPU as on the CPU, and continues exactly", async () => {
  const cpu = await trainShort("cpu", "cpu");
  const whole = await trainShort("whole", "webgpu");
  expect([cpu.code, whole.code], whole.stderr).toEqual([0, 0]);
  const lossesOf = (run: string): number[] =>
    readMetrics(run).flatMap((line) => line["warm/loss"] ?? []);
  const [expected, found] = [lossesOf(cpu.out), lossesOf(whole.out)];
  expect(found).toHaveLength(expected.length);
  for (const [i, loss] of found.entries()) expect(Math.abs(loss - expected[i]!)).toBeLessThan(1e-2);
  expect(found.at(-1)).toBeLessThan(found[0]! / 1.5);
  let watching: Promise<void> | undefined;
  const killed = await trainShort("killed", "webgpu", (child) => {
    watching = killAfterWarmStart(join(folder.path, "killed"), child);
  });
  await watching;
  expect(killed.code).toBeNull();
  expect((await trainShort("killed", "webgpu")).code).toBe(0);
  expect(readMetrics(killed.out)).toEqual(readMetrics(whole.out));
  expect(readRollouts(killed.out)).toEqual(readRollouts(whole.out));
  expect(readWeights(killed.out).equals(readWeights(whole.out))).toBe(true);
});
