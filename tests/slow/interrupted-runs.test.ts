/** Checks that runs with the same seed are equal byte for byte, also when they are killed and continued. */
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Rng } from "../../src/core/index.ts";
import { createTemporaryFolder, runBowline } from "../e2e/support/cli.ts";

const folder = createTemporaryFolder();
afterAll(folder.remove);

/** Options for a run of some seconds that still learns a little: a short warm start and three iterations. */
const SMALL = [
  ["--warm.demonstrations", "320"],
  ["--algo.iterations", "3"],
  ["--algo.tasks-per-iteration", "6"],
  ["--algo.minibatch", "8"],
  // After so short a warm start, no rollout makes progress.
  ["--algo.reward", "fraction"],
  ["--evaluation.scenarios", "2"],
  ["--evaluation.every", "1"],
  ["--evaluation.every-scenarios", "1"],
].flat();
const trainSmall = (directory: string, onStart?: (child: ChildProcess) => void) =>
  runBowline(
    ["train", "smoke", "--json", "--out", directory, ...SMALL],
    onStart ? { onStart } : {},
  );

describe("repeated and interrupted runs", () => {
  const whole = join(folder.path, "whole");

  beforeAll(async () => {
    const { code, stderr } = await trainSmall(whole);
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("the small run updates its weights", () => {
    const lines = readFileSync(join(whole, "metrics.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ phase }) => phase === "warm")).toHaveLength(20);
    const loop = lines.filter(({ phase }) => phase === "loop");
    expect(loop).toHaveLength(3);
    expect(loop.some((line) => line["train/updates"] > 0 && line["gradient/norm"] > 0)).toBe(true);
  });

  test("the same seed gives the same metrics and rollouts, byte for byte", async () => {
    const again = join(folder.path, "again");
    expect((await trainSmall(again)).code).toBe(0);
    expect(readContents(again)).toEqual(readContents(whole));
  });

  test("another seed gives other metrics", async () => {
    const other = join(folder.path, "other");
    await runBowline([
      "train",
      "smoke",
      "--json",
      "--out",
      other,
      ...SMALL,
      "--seed",
      "2",
      "--algo.iterations",
      "0",
    ]);
    const readFirstMetric = (directory: string) =>
      readFileSync(join(directory, "metrics.jsonl"), "utf8").split("\n")[0];
    expect(readFirstMetric(other)).not.toBe(readFirstMetric(whole));
  });

  test("a run that is killed, stopped by Ctrl-C and continued has the same metrics and rollouts", async () => {
    const killed = join(folder.path, "killed");
    const rng = new Rng(20_26);
    let kills = 0;
    // The run is killed after a number of printed lines, not after some time, because runs differ in speed.
    for (const outputCount of [1, 2, 4]) {
      const { code } = await trainSmall(killed, (child) =>
        killAfterOutput(child, outputCount, 500 * rng.uniform()),
      );
      if (code === null) kills++;
    }
    expect(kills).toBeGreaterThanOrEqual(1);
    if (!existsSync(join(killed, "summary.json"))) await stopWithCtrlC(killed);
    const { code, stderr } = await trainSmall(killed);
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    expect(readContents(killed)).toEqual(readContents(whole));
    expect(readdirSync(killed).filter((name) => /partial|next|previous/.test(name))).toEqual([]);
    expect(readdirSync(join(killed, "checkpoints")).sort()).toEqual(["final", "latest", "warm"]);
  });
});

/** Kills a process `delayMs` milliseconds after it has printed for the n-th time. */
function killAfterOutput(child: ChildProcess, outputCount: number, delayMs: number): void {
  let count = 0;
  child.stderr?.on("data", () => {
    if (++count === outputCount) void sleep(delayMs).then(() => child.kill("SIGKILL"));
  });
}

/** Starts the run, and stops it with Ctrl-C as soon as it prints. */
async function stopWithCtrlC(directory: string): Promise<void> {
  const result = await trainSmall(directory, (child) => {
    child.stderr!.once("data", () => child.kill("SIGINT"));
  });
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 130, stdout: "" });
  expect(result.stderr).toMatch(
    /stopped; nothing is lost.*run the same command again:\n.*train smoke --json --out/,
  );
  expect(existsSync(join(directory, "summary.json"))).toBe(false);
}

/** Reads the parts of a run that must not depend on time: metrics, rollouts, notes and scores. */
function readContents(directory: string): Record<string, string> {
  const rollouts = readdirSync(join(directory, "rollouts")).map((name) => join("rollouts", name));
  const files = ["metrics.jsonl", ...rollouts].map((name) => [
    name,
    readFileSync(join(directory, name), "utf8"),
  ]);
  const { seconds, ...summary } = JSON.parse(readFileSync(join(directory, "summary.json"), "utf8"));
  expect(seconds).toBeGreaterThan(0);
  return { ...Object.fromEntries(files), summary: JSON.stringify(summary) };
}
