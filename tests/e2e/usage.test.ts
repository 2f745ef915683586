/** What a person meets before anything works: help, wrong options, wrong files. One clear message, the right exit code. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bowline, MAIN, run, temporaryFolder } from "./support/cli.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

const COMMANDS = ["train", "eval", "play", "world list", "world show", "world check", "report"];

describe.concurrent("help", () => {
  test.each(COMMANDS)("bowline %s --help has an example and --json", async (command) => {
    const { code, stdout, stderr } = await bowline([...command.split(" "), "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: bowline ${command}`);
    expect(stdout).toMatch(/Examples?:\n +(bowline|echo)/);
    expect(stdout).toContain("--json");
  });

  test("train --help lists every config field with what is expected", async () => {
    const { stdout } = await bowline(["train", "--help"]);
    expect(stdout).toMatch(/--algo\.groupSize +K: rollouts of one task .*an integer from 2/s);
    expect(stdout).toContain("--optimizer.learningRate");
  });

  test("bowline --help names the commands; --version is that of the package", async () => {
    const help = await bowline(["--help"]);
    for (const name of ["train", "eval", "play", "world", "report"])
      expect(help.stdout).toContain(`  ${name} `);
    const version = await bowline(["--version"]);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

/** Arguments, the exit code, and what the one line on stderr must say. */
const WRONG: readonly (readonly [args: readonly string[], code: number, says: RegExp])[] = [
  [[], 2, /which command/],
  [["trian"], 2, /unknown command 'trian' \(did you mean train\?\)/],
  [["train", "--sede", "2"], 2, /unknown option '--sede' \(did you mean --seed\?\)/],
  [
    ["train", "--groupSize", "2"],
    2,
    /unknown option '--groupSize' \(did you mean --algo\.groupSize\?\)/,
  ],
  [["train", "startr"], 2, /unknown recipe "startr" \(did you mean starter\?\)/],
  [["train", "starter", "extra"], 2, /too many arguments/],
  [["train", "--algo.groupsize", "8"], 2, /algo\.groupsize.*did you mean algo\.groupSize\?/],
  [
    ["train", "--algo.group-size", "1"],
    2,
    /algo\.groupSize: expected an integer from 2 to 1024, came 1/,
  ],
  [
    ["train", "--algo.ratio", "word"],
    2,
    /algo\.ratio: expected one of token, turn, trajectory, came "word"/,
  ],
  [["train", "--seed", "-1"], 2, /--seed.*'-1' is invalid.*integer from 0/],
  [["train", "--minutes", "soon"], 2, /--minutes.*'soon' is invalid.*number/],
  [["train", "--engine", "onx"], 2, /engine\.name: expected one of onnx, came "onx"/],
  [
    ["train", "--world", "everyday/startr"],
    2,
    /unknown world "everyday\/startr" \(did you mean everyday\/starter\?\)/,
  ],
  [["train", "--world", "./nowhere.ts"], 2, /no world module at .*nowhere\.ts/],
  [["train", "loop"], 2, /no warm start.*starter/],
  [["eval", "solutoin"], 2, /unknown policy solutoin \(did you mean solution\?\)/],
  [
    ["eval", "noop", "--split", "test"],
    2,
    /--split.*'test' is invalid.*train, dev, test-normal, test-challenge/,
  ],
  [["eval", "noop", "--algo.groupSize", "8"], 2, /bowline eval takes no config fields/],
  [["eval", "noop", "--scenarios", "0"], 2, /--scenarios.*'0' is invalid.*integer at least 1/],
  [["world", "shwo"], 2, /unknown command 'shwo' \(did you mean show\?\)/],
  [["world", "show", "dev/0", "--world", "toy"], 2, /there is no task "dev\/0"/],
  [
    ["world", "show", "--world", "toy", "--api", "shelf.lst"],
    2,
    /shelf has no API "lst"; did you mean "list"\?/,
  ],
  [["world", "check", "--tasks", "many"], 2, /--tasks.*'many' is invalid/],
  [["play", "dev/0/9", "--world", "toy"], 2, /there is no task "dev\/0\/9"/],
  [["report", "runs/none-such"], 2, /run runs\/none-such does not exist/],
];

describe.concurrent("wrong usage", () => {
  test.each(WRONG)("bowline %j", async (args, code, says) => {
    const done = await bowline(args, { cwd: folder.path });
    expect(done.stderr.replace(/\s+/g, " ")).toMatch(says);
    expect(done.stderr).not.toMatch(/^ +at /m);
    expect({ code: done.code, stdout: done.stdout }).toEqual({ code, stdout: "" });
  });

  test("nothing was left behind by any of them", async () => {
    const away = temporaryFolder();
    await bowline(["train", "--algo.ratio", "word"], { cwd: away.path });
    await bowline(["train", "--world", "./nowhere.ts", "--out", "run"], { cwd: away.path });
    expect(readdirSync(away.path)).toEqual([]);
    away.remove();
  });
});

describe.concurrent("wrong files", () => {
  const file = join(folder.path, "a-file");
  writeFileSync(file, "not a run\n");
  const train = ["train", "smoke", "--json", "--out"];

  test("a file where the run directory should be", async () => {
    const { code, stderr, stdout } = await bowline([...train, file]);
    expect(stderr).toMatch(new RegExp(`error: cannot write ${file}`));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  });

  test("a run directory where nothing can be made", async () => {
    const { code, stderr } = await bowline([...train, join(file, "run")]);
    expect(stderr).toMatch(/error: cannot write .*a-file/);
    expect(code).toBe(1);
  });

  test.runIf(existsSync("/sys/kernel"))("a read-only place", async () => {
    const { code, stderr } = await bowline([...train, "/sys/bowline-run"]);
    expect(stderr).toMatch(/error: cannot write \/sys\/bowline-run/);
    expect(code).toBe(1);
  });

  test.skipIf(process.platform === "win32")(
    "a full disk, by way of a limit on file size",
    async () => {
      const full = join(folder.path, "full");
      const limited = `ulimit -f 40; exec "${process.execPath}" "${MAIN}" train smoke --json --out "${full}" --warm.demonstrations 96`;
      const { code, stderr } = await run("bash", ["-c", limited]);
      expect(stderr).toMatch(/error: cannot write .*full.*EFBIG/);
      expect(code).toBe(1);
      const left = readdirSync(full, { recursive: true }).map(String).sort();
      expect(left).toEqual(["checkpoints", "rollouts", "run.json"]);
    },
  );

  test("a folder with other things in it", async () => {
    const busy = join(folder.path, "busy");
    mkdirSync(busy);
    writeFileSync(join(busy, "thesis.txt"), "years of work\n");
    const { code, stderr } = await bowline([...train, busy]);
    expect(stderr).toMatch(/is not a run and not empty \(it holds thesis\.txt\)/);
    expect(code).toBe(1);
    expect(readdirSync(busy)).toContain("thesis.txt");
    expect(existsSync(join(busy, "run.json"))).toBe(false);
  });

  test("a folder without a checkpoint, and a torn one", async () => {
    const empty = join(folder.path, "empty");
    mkdirSync(empty);
    const missing = await bowline(["eval", empty]);
    expect(missing.stderr).toMatch(/empty holds no checkpoint/);
    writeFileSync(join(empty, "policy.json"), '{"version": 1, "config": {"recipe"');
    const torn = await bowline(["eval", empty]);
    expect(torn.stderr).toMatch(/empty is not a whole checkpoint/);
    expect([missing.code, torn.code]).toEqual([1, 1]);
  });

  test("eval and report without any run say how to make one", async () => {
    const away = temporaryFolder();
    const evaluated = await bowline(["eval"], { cwd: away.path });
    const reported = await bowline(["report"], { cwd: away.path });
    for (const { code, stderr } of [evaluated, reported]) {
      expect(stderr).toMatch(/there is no run in runs\/ yet.*bowline train/);
      expect(code).toBe(2);
    }
    away.remove();
  });

  test("a world module that does not run, or is no world", async () => {
    writeFileSync(join(folder.path, "torn.mjs"), "export default {{\n");
    writeFileSync(join(folder.path, "other.mjs"), "export const answer = 42;\n");
    const torn = await bowline(["world", "list", "--world", "./torn.mjs"], { cwd: folder.path });
    const other = await bowline(["world", "list", "--world", "./other.mjs"], { cwd: folder.path });
    expect(torn.stderr).toMatch(/cannot load the world .*torn\.mjs/);
    expect(other.stderr).toMatch(/other\.mjs.*default export/);
    expect([torn.code, other.code]).toEqual([1, 1]);
  });
});

test("output into a closed pipe is no error", async () => {
  const { code, stderr } = await run("bash", [
    "-c",
    `set -o pipefail; "${process.execPath}" "${MAIN}" train --help | head -1 > /dev/null`,
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});
