/**
 * Checks what commands do with wrong files: they print one clear message, exit with the right code, and leave no
 * half-written files. src/cli/program.test.ts checks wrong options.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import {
  CLI_PATH,
  createTemporaryFolder,
  ROOT,
  runBowline,
  runCommand,
} from "../e2e/support/cli.ts";

// The time limits are long, because other processes may slow the machine down. They only end tests that hang.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const folder = createTemporaryFolder();
afterAll(folder.remove);

describe.concurrent("the built command", () => {
  test("--help prints to stdout with exit code 0", async () => {
    const { code, stdout, stderr } = await runBowline(["train", "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Usage: bowline train");
  });

  test("a wrong option prints one message on stderr, exits with 2 and writes no file", async () => {
    const away = createTemporaryFolder();
    for (const args of [
      ["--algo.ratio", "word"],
      ["--world", "./nowhere.ts", "--out", "run"],
    ]) {
      const { code, stdout, stderr } = await runBowline(["train", ...args], { cwd: away.path });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^error: .*\n$/);
    }
    expect(readdirSync(away.path)).toEqual([]);
    away.remove();
  });
});

test("runs of the same setting in two worlds get different folders", async () => {
  const away = createTemporaryFolder();
  const toy = join(ROOT, "dist", "worlds", "toy", "toy.js");
  writeFileSync(
    join(away.path, "my-world.mjs"),
    `export { default } from ${JSON.stringify(toy)};\n`,
  );
  const small = ["--algo.iterations", "0", "--scenarios", "1", "--warm.demonstrations", "64"];
  for (const world of [[], ["--world", "./my-world.mjs"]]) {
    const { code, stderr } = await runBowline(["train", "smoke", ...world, ...small], {
      cwd: away.path,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  }
  expect(readdirSync(join(away.path, "runs"))).toEqual(["smoke-my-world-seed1", "smoke-seed1"]);
  away.remove();
});

describe.concurrent("wrong files and folders", () => {
  const file = join(folder.path, "a-file");
  writeFileSync(file, "not a run\n");
  const trainArgs = ["train", "smoke", "--json", "--out"];

  test("a file in place of the run directory is refused", async () => {
    const { code, stderr, stdout } = await runBowline([...trainArgs, file]);
    expect(stderr).toMatch(new RegExp(`error: ${file} is a file; expected a run directory`));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  });

  test.runIf(existsSync("/sys/kernel"))("a read-only folder for a run is refused", async () => {
    const { code, stderr } = await runBowline([...trainArgs, "/sys/bowline-run"]);
    expect(stderr).toMatch(/error: cannot write \/sys\/bowline-run/);
    expect(code).toBe(1);
  });

  test.skipIf(process.platform === "win32")(
    "a full disk is reported (the test uses a limit on file size instead)",
    async () => {
      const full = join(folder.path, "full");
      const limited = `ulimit -f 40; exec "${process.execPath}" "${CLI_PATH}" train smoke --json --out "${full}" --warm.demonstrations 96`;
      const { code, stderr } = await runCommand("bash", ["-c", limited]);
      expect(stderr).toMatch(/error: cannot write .*full.*EFBIG/);
      expect(code).toBe(1);
      const left = readdirSync(full, { recursive: true, withFileTypes: true });
      expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual(["run.json"]);
    },
  );

  test("a folder with other files is refused as run directory", async () => {
    const busy = join(folder.path, "busy");
    mkdirSync(busy);
    writeFileSync(join(busy, "thesis.txt"), "years of work\n");
    const { code, stderr } = await runBowline([...trainArgs, busy]);
    expect(stderr).toMatch(/is neither a run nor empty \(it holds thesis\.txt\)/);
    expect(code).toBe(1);
    expect(readdirSync(busy)).toContain("thesis.txt");
    expect(existsSync(join(busy, "run.json"))).toBe(false);
  });

  test("a folder without a checkpoint and a damaged checkpoint are refused", async () => {
    const empty = join(folder.path, "empty");
    mkdirSync(empty);
    const missing = await runBowline(["eval", empty]);
    expect(missing.stderr).toMatch(/empty holds no checkpoint/);
    writeFileSync(join(empty, "policy.json"), '{"version": 1, "config": {"recipe"');
    const torn = await runBowline(["eval", empty]);
    expect(torn.stderr).toMatch(/empty is not a complete checkpoint/);
    expect([missing.code, torn.code]).toEqual([1, 1]);
  });

  test("when there is no run yet, eval and report name the command that makes one", async () => {
    const away = createTemporaryFolder();
    const evaluated = await runBowline(["eval"], { cwd: away.path });
    const reported = await runBowline(["report"], { cwd: away.path });
    for (const { code, stderr } of [evaluated, reported]) {
      expect(stderr).toMatch(/there is no run in runs\/ yet.*bowline train/);
      expect(code).toBe(2);
    }
    away.remove();
  });

  test("a module with a syntax error and a module that is no world are refused", async () => {
    writeFileSync(join(folder.path, "torn.mjs"), "export default {{\n");
    writeFileSync(join(folder.path, "other.mjs"), "export const answer = 42;\n");
    const torn = await runBowline(["world", "list", "--world", "./torn.mjs"], { cwd: folder.path });
    const other = await runBowline(["world", "list", "--world", "./other.mjs"], {
      cwd: folder.path,
    });
    expect(torn.stderr).toMatch(/cannot load the world .*torn\.mjs/);
    expect(other.stderr).toMatch(/other\.mjs.*default export/);
    expect([torn.code, other.code]).toEqual([1, 1]);
  });
});

test("writing to a closed pipe is no error", async () => {
  const { code, stderr } = await runCommand("bash", [
    "-c",
    `set -o pipefail; "${process.execPath}" "${CLI_PATH}" train --help | head -1 > /dev/null`,
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});
