/** Help and wrong usage of every command: what is printed where, and the exit code. In process, for speed. */
import { expect, test } from "vitest";
import { runCommandLine } from "./program.ts";
import type { Channel } from "./terminal.ts";

async function bowline(args: readonly string[]) {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const channel = (lines: string[]): Channel => ({
    line: (text = "") => void lines.push(text),
    paint: (_, text) => text,
    live: false,
    columns: 100,
    stream: process.stdout,
  });
  const code = await runCommandLine(args, { out: channel(stdout), err: channel(stderr) });
  return { code, stdout: stdout.join("\n"), stderr: stderr.join("\n") };
}

const COMMANDS = [
  "train",
  "eval",
  "compare",
  "play",
  "world list",
  "world show",
  "world check",
  "world stats",
  "report",
  "export",
  "serve",
  "doctor",
];

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
  for (const name of ["train", "eval", "compare", "play", "world", "report", "export"]) {
    expect(help.stdout).toContain(`  ${name} `);
  }
  expect((await bowline(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+$/);
});

/** Arguments, the exit code, and what the one line on stderr must say. */
const WRONG: readonly (readonly [args: readonly string[], code: number, says: RegExp])[] = [
  [[], 2, /which command/],
  [["trian"], 2, /unknown command 'trian' \(did you mean train\?\)/],
  [["serve"], 2, /say `bowline serve --tinker`/i],
  [
    ["serve", "--tinker", "--algo.group-size", "2"],
    2,
    /group-size was given; it belongs to bowline train/,
  ],
  [["serve", "--tinker", "--engine.model", "a", "--checkpoint", "b"], 2, /each name a model/],
  [["serve", "--tinker", "--model.width", "8"], 2, /model\.width/],
  [["serve", "--tinker", "--port", "70000"], 2, /expected an integer from 0 to 65535/i],
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
    /algo\.ratio: expected one of token, turn, trajectory, trajectory-mean, none, came "word"/,
  ],
  [["train", "--seed", "-1"], 2, /--seed.*'-1' is invalid.*integer from 0/],
  [["compare", "starter", "eii"], 2, /recipe eii: unknown recipe "eii" \(did you mean ei\?\)/],
  [["compare", "starter", "--rollouts", "100"], 2, /just 100 rollouts.*multiple of 240/],
  [["compare", "ei", "--seeds", "1,1"], 2, /--seeds.*Expected different seeds/],
  [["compare", "ei", "--algo.clip", "0.2"], 2, /recipe ei: algo\.clip is read only where/],
  [["train", "--minutes", "soon"], 2, /--minutes.*'soon' is invalid.*number/],
  [["train", "--engine", "onx"], 2, /engine\.name: expected one of onnx, tinker, came "onx"/],
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
  [["eval", "noop", "--world.seed", "8"], 2, /takes no config fields but world\.dials\.\*/],
  [
    ["play", "--world.dials.api-errors", "2"],
    2,
    /world\.dials\.apiErrors: expected a number from 0 to 1, came 2/,
  ],
  [
    ["world", "list", "--world.dials.apierrors", "0"],
    2,
    /unknown field world\.dials\.apierrors \(did you mean world\.dials\.apiErrors\?\)/,
  ],
  [
    ["world", "check", "--split", "al"],
    2,
    /--split.*'al' is invalid.*test-challenge, handmade, all/,
  ],
  [["world", "stats", "--example", "dev/0/9", "--world", "toy"], 2, /there is no task "dev\/0\/9"/],
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

test.each(WRONG)("bowline %j", async (args, code, says) => {
  const done = await bowline(args);
  expect(done.stderr.replace(/\s+/g, " ")).toMatch(says);
  expect(done.stderr).not.toMatch(/^ +at /m);
  expect({ code: done.code, stdout: done.stdout }).toEqual({ code, stdout: "" });
});

test("world stats counts apps, tables, signatures and tasks, and shows a task with its checks", async () => {
  const args = ["world", "stats", "--world", "toy", "--scenarios", "8", "--example", "dev/1/1"];
  const { code, stdout } = await bowline([...args, "--json"]);
  const stats = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(stats).toMatchObject({
    world: "toy",
    totals: { apps: 1, apis: 3, tables: 1, rows: 0, signatures: 4, tasks: 96 },
    apps: [{ name: "shelf", apis: 3, login: false }],
    tables: [{ name: "shelf.things", rows: 0 }],
    example: { task: { id: "dev/1/1" }, turns: [{}], evaluation: { passed: true } },
  });
  expect(stats.splits).toHaveLength(4);
  expect(stats.splits[1]).toEqual({
    split: "dev",
    scenarios: 8,
    tasks: 24,
    signatures: 4,
    tasksByDifficulty: { 1: 12, 2: 12, 3: 0 },
    signaturesByDifficulty: { 1: 2, 2: 2, 3: 0 },
  });
  const text = (await bowline(args)).stdout;
  expect(text).toMatch(/^ +shelf +3 /m);
  expect(text).toMatch(/^ +dev +8 +24 +12 +12 +0 +4 +2 +2 +0$/m);
  expect(text).toMatch(/✓ .*\(progress\)/);
});

test("world check --split all shows both scores of each split and in total", async () => {
  const args = ["world", "check", "--world", "toy", "--split", "all", "--tasks", "12"];
  const { code, stdout } = await bowline(args);
  expect(code).toBe(0);
  for (const name of ["train", "dev", "test-normal", "test-challenge"])
    expect(stdout).toMatch(
      new RegExp(`^ +${name} +3 +0 +\\d+/\\d+ +100.0% +\\d+/\\d+ +100.0%$`, "m"),
    );
  expect(stdout).toMatch(/^ +total +12 +0 .*100.0%$/m);
});

test("a world's dials can be turned wherever it is opened", async () => {
  const turn = ["--world", "toy", "--world.dials.renamed-params", "3"];
  const shown = await bowline(["world", "show", "--api", "shelf.put", ...turn]);
  expect(shown.stdout).not.toContain("item");
  const errors = ["--world.dials.apiErrors=0.5", "--split", "dev", "--scenarios", "1", "--json"];
  const scored = await bowline(["eval", "solution", ...turn, ...errors]);
  expect(JSON.parse(scored.stdout)).toMatchObject({
    tgc: 1,
    dials: { apiErrors: 0.5, renamedParams: 3 },
  });
  const plain = await bowline(["eval", "solution", "--world", "toy", ...errors.slice(1)]);
  expect(JSON.parse(plain.stdout)).not.toHaveProperty("dials");
});
