/**
 * Uses the built command line with a world that has bugs in its API handlers. Messages name the call, the file and the
 * line of the bug.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ROOT, runBowline } from "../e2e/support/cli.ts";

// The time limits are long, because other processes may slow the machine down. They only end tests that hang.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const FAULTY = join(ROOT, "tests", "support", "faulty-world.ts");
const runOnFaultyWorld = (command: string, ...rest: string[]) =>
  runBowline([...command.split(" "), "--world", FAULTY, ...rest]);

const source = readFileSync(FAULTY, "utf8").split("\n");
const ERROR_PLACE = `tests/support/faulty-world.ts:${1 + source.findIndex((line) => line.includes("found.length"))}:16`;
const ERROR_TEXT = `house.light({"room":"attic"}) threw TypeError: Cannot read properties of undefined (reading 'length') at ${ERROR_PLACE}`;
/** Joins the wrapped lines of a terminal. */
const joinLines = (text: string) => text.replaceAll(/\s+/g, " ");

describe.concurrent("endless handlers", () => {
  const named =
    "of task test-normal/0/1 (split test-normal): the handler of house.wait({}) did not return within 10 s";

  test("a handler that never returns ends world check after 10 seconds with an error", async () => {
    const { code, stdout, stderr } = await runOnFaultyWorld(
      "world check --split test-normal --tasks 3 --workers 1",
    );
    expect(stderr).toContain(`error: the check ${named}`);
    expect(stdout).toContain("0/3 tasks checked");
    expect(code).toBe(1);
  });

  test("a handler that never returns is named by show, eval and play, and play continues", async () => {
    const input = "apis.house.wait()\n.solution\nprint(40 + 2)\n.quit\n";
    const [shown, scored, played] = await Promise.all([
      runOnFaultyWorld("world show test-normal/0/1"),
      runOnFaultyWorld("eval solution --split test-normal --scenarios 1"),
      runBowline(["play", "test-normal/0/1", "--world", FAULTY], { input }),
    ]);
    expect(shown).toMatchObject({ code: 1, stderr: expect.stringContaining(named) });
    expect(scored.code).toBe(1);
    expect(scored.stderr).toContain("the handler of house.wait({}) did not return within 10 s");
    expect(joinLines(played.stdout)).toContain(
      "bug of the world: house.wait({}) did not return within 10 s",
    );
    expect(played.stdout).toContain(`the solution ${named}`);
    expect(played.stdout).toMatch(/^ {2}42$/m);
  });
});

describe.concurrent("throwing handlers", () => {
  test("when a handler throws, world check fails and names the call, the file and the line", async () => {
    const { code, stdout } = await runOnFaultyWorld("world check --tasks 3");
    expect(stdout).toContain(
      `train/0/1: a handler is broken: ${ERROR_TEXT}, also in 5 other calls`,
    );
    expect(stdout).toContain("throw new ApiError(status, message)");
    expect(code).toBe(1);
    const json = JSON.parse((await runOnFaultyWorld("world check --tasks 3 --json")).stdout);
    expect(json.exceptions).toEqual([
      {
        task: "train/0/1",
        api: "house.light",
        what: ERROR_TEXT,
        at: ERROR_PLACE,
        calls: 6,
      },
    ]);
  });

  test("a handler that throws is named by world show and play", async () => {
    const shown = await runOnFaultyWorld("world show train/0/1");
    expect(joinLines(shown.stdout)).toContain(`bug of the world: ${ERROR_TEXT}`);
    const input = "apis.house.light({ room: 'attic' })\nprint(apis.house.count())\n.quit\n";
    const played = await runBowline(["play", "train/0/1", "--world", FAULTY], { input });
    const answer = joinLines(played.stdout);
    expect(answer).toContain("ApiError: 500 house.light failed inside: Cannot read");
    expect(answer).toContain(`bug of the world: ${ERROR_TEXT}`);
    expect(answer).toContain(
      'bug of the world: house.count({}) is broken: its return value does not fit its type at ""',
    );
  });

  test("a handler that throws is reported at the end of an evaluation, as text and in JSON", async () => {
    const args = "eval solution --split train --scenarios 1";
    const { stdout, code } = await runOnFaultyWorld(args);
    expect(stdout.split("[warning] the world has a bug: ")).toHaveLength(2);
    expect(stdout).toContain(`[warning] the world has a bug: ${ERROR_TEXT} (task train/0/`);
    expect(joinLines(stdout).trim()).toMatch(
      /✗ The world has a bug: 3 API calls ended in an exception .* check the world with `bowline world check`\.$/,
    );
    expect(code).toBe(0);
    const json = await runOnFaultyWorld(args, "--json");
    expect(JSON.parse(json.stdout).handlerExceptions).toEqual({
      count: 3,
      first: `${ERROR_TEXT} (task train/0/1)`,
    });
    expect(joinLines(json.stderr)).toContain("✗ The world has a bug: 3 API calls");
  });
});
