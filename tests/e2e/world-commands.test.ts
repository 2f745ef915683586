/** Lists, shows, checks, plays and scores worlds with the command line, both built-in ones and a custom one. */
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { runBowlineInProcess } from "../support/terminal.ts";
import { type FinishedProcess, ROOT, runBowline } from "./support/cli.ts";

// The time limits are long, because other processes may slow the machine down. They only end tests that hang.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const runHere = (args: readonly string[]): Promise<FinishedProcess> => runBowlineInProcess(args);
const EXAMPLE_WORLD = join(ROOT, "examples", "my-world.ts");
const runJson = async (args: readonly string[], run: typeof runHere = runHere) => {
  const { code, stdout, stderr } = await run([...args, "--json"]);
  expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
  return JSON.parse(stdout);
};

describe.concurrent("the example world", () => {
  test("world list prints the APIs, splits and signatures of a world", async () => {
    const listing = await runJson(["world", "list", "--world", EXAMPLE_WORLD]);
    expect(listing.apps.map(({ name }: { name: string }) => name)).toEqual([
      "docs",
      "me",
      "library",
    ]);
    const calls = listing.apps[2].apis.map(({ call }: { call: string }) => call);
    expect(calls).toContain("apis.library.copies({ title, free? })");
    expect(listing.splits).toContainEqual({
      split: "dev",
      scenarios: 15,
      tasks: 45,
      byDifficulty: { 1: 30, 2: 15, 3: 0 },
    });
    expect(listing.signatures).toHaveLength(3);
  });

  test("the example world passes world check: every mutant of a solution fails and every equivalent passes", async () => {
    const check = ["world", "check", "--world", EXAMPLE_WORLD, "--split", "dev", "--tasks", "9"];
    const report = await runJson(check, runBowline);
    expect(report).toMatchObject({
      split: "dev",
      tasks: 9,
      solutionPass: 9,
      noopFail: 9,
      score: 1,
      acceptance: 1,
      survivors: [],
    });
    expect(report.mutants).toBeGreaterThan(40);
  });

  test("bowline eval scores the solutions of tasks with 1, and doing nothing with 0", async () => {
    const policies = ["solution", "noop"];
    const [solution, noop] = await Promise.all(
      policies.map((policy) =>
        runJson(["eval", policy, "--world", EXAMPLE_WORLD, "--split", "dev", "--scenarios", "3"]),
      ),
    );
    expect(solution).toMatchObject({
      policy: "solution",
      split: "dev",
      tasks: 9,
      scenarios: 3,
      tgc: 1,
      sgc: 1,
    });
    expect(noop).toMatchObject({ policy: "noop", tgc: 0, sgc: 0 });
    expect(Object.keys(noop)).toEqual(
      expect.arrayContaining(["seed", "tgcInterval", "byDifficulty", "reward", "behaviour"]),
    );
  });
});

test("bowline world show runs the solution of a task and explains the task's checks", async () => {
  const { code, stdout } = await runBowline(["world", "show", "dev/1/1", "--world", "toy"]);
  expect(code).toBe(0);
  expect(stdout).toContain("› ");
  expect(stdout).toMatch(/✓ .*\(progress\)/);
  const hasty = await runBowlineInProcess([
    "world",
    "show",
    "dev/1/1",
    "--world",
    "toy",
    "--style",
    "hasty",
  ]);
  expect(hasty.stdout).toMatch(/✗ .*expected/);
});

test("world check exits with 1 when solutions do not meet their goals", async () => {
  const broken = new URL("./support/broken-world.ts", import.meta.url).pathname;
  const args = ["world", "check", "--world", broken, "--split", "dev", "--tasks", "3"];
  const { code, stdout } = await runBowline([...args, "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ tasks: 3, solutionPass: 0, score: 0 });
  const words = await runBowlineInProcess(args);
  expect(words.stdout).toMatch(/✗ mutants of the solution fail +0 of 0 +nothing was tried/);
  const none = await runBowlineInProcess([
    "world",
    "check",
    "--world",
    broken,
    "--split",
    "handmade",
  ]);
  expect(none).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      "split: broken has no handmade tasks, so there is nothing to check; it has dev",
    ),
  });
});

describe.concurrent("bowline play with piped input", () => {
  const play = (input: string, ...args: string[]) =>
    runBowlineInProcess(["play", "--world", "toy", ...args], input);

  test("play solves a task with the code of its solution", async () => {
    const shown = await runJson(["world", "show", "dev/3/1", "--world", "toy"]);
    const cells = shown.turns.map(({ code }: { code: string }) => code).join("\n");
    const args = ["play", "dev/3/1", "--world", "toy"];
    const { code, stdout } = await runBowline(args, { input: `.task\n${cells}\n` });
    expect(stdout.split(shown.task.instruction)).toHaveLength(3);
    expect(stdout).toMatch(/✓ solved in \d cell/);
    expect(code).toBe(0);
  });

  test("play takes code of several lines, keeps variables, and shows errors and documentation", async () => {
    const input = [
      "let seen = []",
      "for (const box of ['red', 'blue']) {",
      "  seen.push(box)",
      "}",
      "print(seen.length)",
      "nonsense(",
      "",
      ".docs shelf",
      ".docs shelf.put",
      ".finish",
    ];
    const { code, stdout } = await play(`${input.join("\n")}\n`);
    expect(stdout).toMatch(/^ {2}2$/m);
    expect(stdout).toMatch(/SyntaxError/);
    expect(stdout).toContain("shelf.move");
    expect(stdout).toMatch(/wrap: boolean .*default false/);
    expect(stdout).toMatch(/✗ not solved[\s\S]*✗ .*expected/);
    expect(code).toBe(1);
  });

  test("play shows the value of the last expression, also of an API call", async () => {
    const { stdout } = await play(
      "1 + 1\napis.me.profile().name // who\nlet n = 3\n{ n }\n.quit\n",
    );
    const shown = stdout.split("\n").filter((line) => line.startsWith("  "));
    expect(shown.join("\n")).toMatch(/^ {2}2\n {2}Ida Toy\n {2}\(no output\)\n {2}{"n":3}$/m);
  });

  test("play exits with 0 after .quit, and --json prints the state of the task", async () => {
    const args = ["play", "--world", "toy", "--json"];
    const { code, stdout } = await runBowline(args, { input: ".quit\n", keepOpen: true });
    expect(JSON.parse(stdout)).toMatchObject({
      task: "dev/0/1",
      turns: 0,
      passed: false,
      finished: false,
    });
    expect(code).toBe(0);
  });
});
