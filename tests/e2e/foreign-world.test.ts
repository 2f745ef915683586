/** Opens the example of a foreign world by every command that opens worlds. */
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { runBowlineInProcess } from "../support/terminal.ts";
import { ROOT } from "./support/cli.ts";

// The time limits are long, because other processes may slow the machine down. They only end tests that hang.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const WORLD = join(ROOT, "examples", "foreign-world.ts");

const runJson = async (...args: string[]) => {
  const { code, stdout, stderr } = await runBowlineInProcess([...args, "--world", WORLD, "--json"]);
  expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
  return JSON.parse(stdout);
};

describe("a foreign world", () => {
  test("is listed, counted and shown like any other world", async () => {
    const listing = await runJson("world", "list");
    const apps = listing.apps.map(({ name }: { name: string }) => name);
    expect(apps).toEqual(["docs", "me", "garage"]);
    const stats = await runJson("world", "stats");
    expect(stats.example.evaluation.passed).toBe(true);
    expect(stats.totals.tasks).toBe(120);
  });

  test("is checked as far as possible", async () => {
    const { code, stdout } = await runBowlineInProcess([
      "world",
      "check",
      "--world",
      WORLD,
      "--tasks",
      "3",
      "--json",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ tasks: 3, solutionPass: 3, noopFail: 3 });
    expect(code).toBe(0);
  });

  test("is scored", async () => {
    const scores = await runJson("eval", "solution", "--split", "train", "--scenarios", "2");
    expect(JSON.stringify(scores)).toContain(`"tgc"`);
  });
});
