/**
 * Trains with the built command line: the policy learns, a run directory is written, and the checkpoint can be scored.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { summarySchema } from "../../src/spec/index.ts";
import { reportSchema } from "../../src/spec/studio/index.ts";
import { sweepSize } from "../support/sweep.ts";
import { createTemporaryFolder, type FinishedProcess, runBowline } from "./support/cli.ts";

// The time limits are long, because other processes may slow the machine down. They only end tests that hang.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const folder = createTemporaryFolder();
afterAll(folder.remove);

/**
 * Options for a third of the iterations of `smoke`, which are enough to see that it learns. A whole sweep trains all
 * iterations.
 */
const SHORT_OPTIONS = sweepSize(["--warm.demonstrations", "2400", "--algo.iterations", "6"], []);
const LEARNED_REWARD = sweepSize(0.7, 0.9);

describe("the smoke recipe", () => {
  const directory = join(folder.path, "smoke");
  let first: FinishedProcess;

  beforeAll(async () => {
    first = await runBowline(["train", "smoke", "--json", "--out", directory, ...SHORT_OPTIONS]);
  });

  test(`the smoke recipe raises the mean training reward from below 0.5 to above ${LEARNED_REWARD}`, () => {
    expect({ code: first.code, stderr: first.code === 0 ? "" : first.stderr }).toEqual({
      code: 0,
      stderr: "",
    });
    const summary = summarySchema.parse(JSON.parse(first.stdout));
    expect(summary.recipe).toBe("smoke");
    expect(summary.reward.first).toBeLessThan(0.5);
    expect(summary.reward.last).toBeGreaterThan(LEARNED_REWARD);
    expect(summary.after["test-normal"]!.tgc).toBeGreaterThan(
      summary.before["test-normal"]!.tgc + 0.25,
    );
  });

  test("bowline train prints a failed attempt at a task first, and then a line for each phase of training", () => {
    const { stderr } = first;
    expect(stderr.indexOf("✗ failed")).toBeGreaterThan(0);
    expect(stderr.indexOf("✗ failed")).toBeLessThan(stderr.indexOf("[warm start]"));
    expect(stderr).toMatch(/\[LOOP\] \d+\/\d+ {2}reward .* rollouts\/s · .* tokens\/s · .* left/);
    expect(stderr).toMatch(/\[score\] before: test-normal \(greedy\) TGC/);
    expect(stderr).not.toContain("\u001b");
  });

  test("bowline train writes a run directory with a report", () => {
    const names = readdirSync(directory);
    for (const name of [
      "run.json",
      "metrics.jsonl",
      "timings.jsonl",
      "summary.json",
      "report.html",
    ])
      expect(names).toContain(name);
    const report = readFileSync(join(directory, "report.html"), "utf8");
    const data = /<script type="application\/json" id="report">(.*?)<\/script>/s.exec(report)![1]!;
    const { rollouts } = reportSchema.parse(JSON.parse(data));
    expect(rollouts.some(({ hasTokens }) => hasTokens)).toBe(true);
  });

  test("bowline train prints the result of a finished run again without training", async () => {
    const again = await runBowline(["train", "smoke", "--out", directory, ...SHORT_OPTIONS]);
    expect(again.code).toBe(0);
    for (const text of [
      "The same task before and after",
      "TGC before",
      "report.html",
      "Studio",
      "Try next",
    ])
      expect(again.stdout).toContain(text);
    expect(again.stdout).not.toContain("[warm start]");
    const json = await runBowline([
      "train",
      "smoke",
      "--json",
      "--out",
      directory,
      ...SHORT_OPTIONS,
    ]);
    expect(JSON.parse(json.stdout)).toEqual(JSON.parse(first.stdout));
  });

  test("bowline train refuses another configuration in the folder of a run, and names the fields that differ", async () => {
    const { code, stderr } = await runBowline([
      "train",
      "smoke",
      "--out",
      directory,
      ...SHORT_OPTIONS,
      "--algo.clip",
      "0.2",
    ]);
    expect(stderr).toMatch(
      /holds a run of another configuration: algo\.clip \(there 0\.1, now 0\.2\)/,
    );
    expect(code).toBe(2);
  });

  test("bowline eval gives a checkpoint the same score as training did", async () => {
    const { code, stdout } = await runBowline([
      "eval",
      directory,
      "--split",
      "dev",
      "--scenarios",
      "20",
      "--json",
    ]);
    expect(code).toBe(0);
    const summary = summarySchema.parse(JSON.parse(first.stdout));
    expect(JSON.parse(stdout)).toMatchObject({
      split: "dev",
      tgc: summary.after["dev"]!.tgc,
      sgc: summary.after["dev"]!.sgc,
    });
  });
});
