/**
 * Kills a run on `everyday/live` at ten points, in the middle of episodes in which other people act. Continued, it has
 * the files of a run that was never killed, byte for byte.
 */
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { Rng } from "../../src/core/index.ts";
import { createTemporaryFolder, ROOT, runBowline } from "../e2e/support/cli.ts";

const KILLS = 10;

const folder = createTemporaryFolder();
afterAll(folder.remove);

/** Options for a run of some seconds with a short warm start and ten iterations. */
const SMALL = [
  ["--world", join(ROOT, "tests", "support", "short-live.ts")],
  ["--world.train-scenarios", "96"],
  ["--warm.demonstrations", "64"],
  ["--warm.epochs", "5"],
  ["--warm.hasty-share", "0"],
  ["--algo.iterations", "10"],
  ["--algo.tasks-per-iteration", "4"],
  ["--algo.group-size", "4"],
  ["--algo.minibatch", "8"],
  ["--algo.reward", "fraction"],
  ["--scaffold.max-turns", "4"],
  ["--scaffold.max-turn-tokens", "32"],
  ["--evaluation.scenarios", "1"],
  ["--evaluation.every", "5"],
  ["--evaluation.every-scenarios", "1"],
].flat();
const trainSmall = (directory: string, onStart?: (child: ChildProcess) => void) =>
  runBowline(["train", "smoke", "--json", "--out", directory, ...SMALL], onStart && { onStart });

/** Returns how many lines of metrics a run has; 0 before it has any. */
function countMetrics(directory: string): number {
  const file = join(directory, "metrics.jsonl");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
}

/** Kills a process some time after the run has so many lines of metrics. */
function killAtMetrics(child: ChildProcess, directory: string, lines: number, delayMs: number) {
  const timer = setInterval(() => {
    if (countMetrics(directory) < lines) return;
    clearInterval(timer);
    void sleep(delayMs).then(() => child.kill("SIGKILL"));
  }, 5);
  child.once("close", () => clearInterval(timer));
}

/** Reads what must not depend on time: metrics, rollouts, scores, and the hashes of the weights. */
function readContents(directory: string): Record<string, string> {
  const names = [
    "metrics.jsonl",
    ...readdirSync(join(directory, "rollouts")).map((name) => join("rollouts", name)),
    join("checkpoints", "final", "engine", "sha256sums.txt"),
  ];
  const files = names.map((name) => [name, readFileSync(join(directory, name), "utf8")]);
  const { seconds, ...summary } = JSON.parse(readFileSync(join(directory, "summary.json"), "utf8"));
  expect(seconds).toBeGreaterThan(0);
  return { ...Object.fromEntries(files), summary: JSON.stringify(summary) };
}

/** The files and folders that a run has when it ends, without its lines. */
const listAll = (directory: string) => readdirSync(directory, { recursive: true }).sort();

test("a run that is killed at ten points ends with the files of a whole run", async () => {
  const [whole, killed] = [join(folder.path, "whole"), join(folder.path, "killed")];
  expect(await trainSmall(whole)).toMatchObject({ code: 0 });
  const contents = readContents(whole);
  const rng = new Rng(43);
  const lines = countMetrics(whole);
  const killedAt: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const { code, stderr } = await trainSmall(killed, (child) => {
      const wanted = Math.floor((kill * (lines - 2)) / KILLS);
      killAtMetrics(child, killed, wanted, (kill === 0 ? 4000 : 100) * rng.uniform());
    });
    expect(code, `the run ended after ${kill} kills: ${stderr}`).toBeNull();
    killedAt.push(countMetrics(killed));
  }
  console.log(`lines of metrics at the ${KILLS} kills, of ${lines}: ${killedAt.join(", ")}`);
  expect(new Set(killedAt).size).toBeGreaterThan(KILLS / 2);
  expect(await trainSmall(killed)).toMatchObject({ code: 0 });
  expect(readContents(killed)).toEqual(contents);
  expect(listAll(killed)).toEqual(listAll(whole));
  // Other people acted in rollouts, and the weights were updated.
  const trained = Object.entries(contents).filter(([name]) => name.includes("train-"));
  expect(trained.map(([, lines]) => lines).join("\n")).toMatch(/New mail from|has sent a message/);
  expect(contents["metrics.jsonl"]).toMatch(/"train\/updates":[1-9]/);
}, 1_200_000);
