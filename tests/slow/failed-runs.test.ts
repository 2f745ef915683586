/**
 * Checks runs whose engine dies or whose checkpoint is damaged: the error says what failed, and the run can continue.
 */
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTemporaryFolder, runBowline } from "../e2e/support/cli.ts";

const folder = createTemporaryFolder();
afterAll(folder.remove);

const SMALL = [
  ["--warm.demonstrations", "160"],
  ["--algo.iterations", "1"],
  ["--algo.tasks-per-iteration", "4"],
  ["--evaluation.scenarios", "1"],
].flat();
const trainSmall = (directory: string, env: Readonly<Record<string, string>> = {}) =>
  runBowline(["train", "smoke", "--json", "--out", directory, ...SMALL], { env });

/** Returns environment variables that end the engine's thread at the n-th call of `accumulate`. */
function killEngineAt(callNumber: number): Readonly<Record<string, string>> {
  const source = `import { parentPort, workerData } from "node:worker_threads";
    let count = 0;
    if (workerData?.maxLiveRows) parentPort.on("message", ({ type }) => {
      if (type === "accumulate" && ++count === ${callNumber}) process.exit(7);
    });`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(source)}` };
}

/** Reads the files of a run that must not depend on interruptions, by name. */
function readContents(directory: string): Record<string, string> {
  const rollouts = readdirSync(join(directory, "rollouts")).map((name) => join("rollouts", name));
  const names = ["metrics.jsonl", ...rollouts];
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(directory, name), "utf8")]),
  );
}

describe("failed runs", () => {
  const [whole, hurt] = [join(folder.path, "whole"), join(folder.path, "hurt")];
  const weights = join(hurt, "checkpoints", "latest", "engine", "model.safetensors");

  beforeAll(async () => {
    const { code, stderr } = await trainSmall(whole);
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("when the engine's thread dies, the run says so and keeps its checkpoint", async () => {
    const { code, stdout, stderr } = await trainSmall(hurt, killEngineAt(8));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/error: the engine's worker died \(exit code 7\)/);
    expect(stderr).not.toMatch(/\n +at /);
    expect(existsSync(weights)).toBe(true);
    expect(existsSync(join(hurt, "summary.json"))).toBe(false);
  });

  test("when the weights of a checkpoint are truncated, the error names the file, and the run changes nothing", async () => {
    const sound = readFileSync(weights);
    const before = readFileSync(join(hurt, "checkpoints", "latest", "trainer.json"), "utf8");
    for (const size of [sound.length - 4, 1000, 4]) {
      truncateSync(weights, size);
      const { code, stdout, stderr } = await trainSmall(hurt);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(weights);
      expect(stderr).not.toMatch(/\n +at /);
      expect(readFileSync(join(hurt, "checkpoints", "latest", "trainer.json"), "utf8")).toBe(
        before,
      );
      writeFileSync(weights, sound);
    }
  });

  test("a failed run can be continued, and ends with the same metrics and rollouts as an uninterrupted run", async () => {
    const { code, stderr } = await trainSmall(hurt);
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    expect(readContents(hurt)).toEqual(readContents(whole));
  });

  test("a run whose provider is not available is refused before anything is written", async () => {
    const nowhere = join(folder.path, "nowhere");
    const absent = process.platform === "darwin" ? "cuda" : "coreml";
    const { code, stderr } = await runBowline([
      "train",
      "smoke",
      "--out",
      nowhere,
      "--engine.provider",
      absent,
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`${absent} cannot be used on .*what works here: cpu`));
    expect(existsSync(nowhere)).toBe(false);
  });
});
