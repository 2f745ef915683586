/**
 * Tests help and output of the commands, and their exit codes. The command line runs in this process, which is faster.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { fakeArm, fakeComparison } from "../../tests/support/fake-comparison.ts";
import { runBowlineInProcess as bowline } from "../../tests/support/terminal.ts";
import { Rng } from "../core/index.ts";
import { methods } from "../methods/index.ts";
import { createMemoryFolder } from "../testing/fake-makers.ts";
import { configFields, configSections, recipes, resolveConfig, settings } from "../train/index.ts";

const COMMANDS = [
  "train",
  "eval",
  "compare",
  "config",
  "play",
  "init",
  "world list",
  "world show",
  "world check",
  "world stats",
  "report",
  "rollouts",
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

test("bowline alone shows the first commands, and each of them exists", async () => {
  const { code, stdout, stderr } = await bowline([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { stdout: help } = await bowline(["--help"]);
  for (const name of ["doctor", "train", "init", "studio"]) {
    expect(stdout).toMatch(new RegExp(`^  \\S.* ${name} `, "m"));
    expect(help).toMatch(new RegExp(`^  ${name} `, "m"));
  }
  expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(8);
});

test("train --help fits on two screens and names every setting, method and section", async () => {
  const { stdout } = await bowline(["train", "--help"]);
  const lines = stdout.split("\n");
  expect(lines.length).toBeLessThanOrEqual(100);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  const sections = Object.values(methods).flatMap((method) => configSections(method));
  const names = sections.map(({ name }) => name);
  for (const name of [...Object.keys(settings), ...Object.keys(methods), ...names]) {
    expect(lines.filter((line) => line.startsWith(`  ${name} `)).length, name).toBeGreaterThan(0);
  }
  for (const name of Object.keys(recipes)) expect(stdout).toContain(name);
  expect(stdout).toContain("bowline config [section|field] explains them");
});

test("compare refuses a results file in a missing folder before it trains anything", async () => {
  const { code, stdout, stderr } = await bowline(["compare", "--results", "nowhere/x.json"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/cannot write nowhere\/x\.json: there is no folder/);
  expect(existsSync("nowhere")).toBe(false);
});

describe("compare --aa", () => {
  const folder = createMemoryFolder("bowline-aa-");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const writeResults = (runs: number) => {
    const shares = Array.from({ length: runs }, (_, i) => 0.6 + 0.2 * new Rng(i).uniform());
    const comparisons = [fakeComparison([fakeArm("starter", shares)])];
    const path = join(folder, `${runs}.json`);
    writeFileSync(path, JSON.stringify({ version: 2, comparisons }));
    return path;
  };

  test("compare --aa prints pairs, rejections and their rate as a table, and as JSON nothing else", async () => {
    const path = writeResults(24);
    const { code, stdout, stderr } = await bowline(["compare", "--aa", path, "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { pairs, rejected, size, ...rest } = JSON.parse(stdout);
    expect([pairs, size, rest]).toEqual([20_000, rejected / pairs, {}]);
    expect(size).toBeGreaterThan(0.02);
    expect(size).toBeLessThan(0.08);
    const table = await bowline(["compare", "--aa", path]);
    expect(table.stdout).toMatch(/starter +fake +test-normal, T = 1 +24 +10000 +\d+ +\d\.\d%/);
    expect(table.stdout).toMatch(/✓ rejection rate \d\.\d% at a nominal 5%/);
  });

  test("compare --aa combines several results files, and says how many runs are missing", async () => {
    const { code, stderr } = await bowline(["compare", "--aa", writeResults(20), writeResults(8)]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/needs 24 runs of one arm, .* starter has the most, 20; train more:/);
  });

  test("compare --aa finds about 5% false alarms in the committed results", async () => {
    const file = "bench/learning/results/aa.json";
    const { code, stdout } = await bowline(["compare", "--aa", file, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).size).toBeLessThan(0.08);
    expect((await bowline(["compare", "--aa"])).stderr).toMatch(/needs the names of one or more/);
  });
});

describe("config", () => {
  test("config lists the sections of the setting and of the method", async () => {
    const { code, stdout } = await bowline(["config"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^setting starter, method loop: \d+ fields$/m);
    expect(stdout).toMatch(/^ {2}optimizer +The optimizer AdamW: .*; 6 fields$/m);
    expect(stdout).toMatch(/^ {2}algo .*\(loop\); \d+ fields$/m);
    expect(stdout).not.toMatch(/^ {2}filter/m);
    expect((await bowline(["config", "--method", "grpo"])).stdout).toMatch(/^ {2}filter /m);
  });

  test("config with a section lists each of its fields with its value on the setting", async () => {
    const { stdout } = await bowline(["config", "algo"]);
    for (const { path } of configFields(methods["loop"]!)) {
      if (path.startsWith("algo.")) expect(stdout).toContain(path);
    }
    expect(stdout).toMatch(/algo\.groupSize +6 +K: number of rollouts per task/);
    expect(stdout).toMatch(/algo\.stragglers +off +Stop collecting/);
    expect(stdout).toMatch(/^ {2}algo\.stragglers is on: algo\.stragglers\.share, /m);
    const smoke = await bowline(["config", "algo", "--setting", "smoke/grpo"]);
    expect(smoke.stdout).toMatch(/algo\.groupSize +8 /);
    expect(smoke.stdout).toMatch(/algo\.kl +on /);
  });

  test("config with a field shows its type, default and value, when it exists, and which methods read it", async () => {
    const clip = await bowline([
      "config",
      "algo.clip",
      "--method",
      "on-policy",
      "--algo.clip",
      "0.2",
    ]);
    expect(clip.stdout.replaceAll(/ +/g, " ")).toMatch(
      /^algo\.clip\n Epsilon of .*\n\n type a number from 0 to 10\n default 0\.1\n on starter by on-policy 0\.2\n exists where algo\.ratio is token or .*\n read by loop, .*grpo/,
    );
    expect(clip.stdout).not.toMatch(/read by.*\bei\b/);
    const size = await bowline(["config", "algo.group-size", "--setting", "smoke"]);
    expect(size.stdout.replaceAll(/ +/g, " ")).toMatch(/an integer from 2 .*on smoke by loop 8/s);
    const rate = await bowline(["config", "optimizer.learningRate"]);
    expect(rate.stdout).toMatch(/read by +every method/);
  });

  test.each(Object.keys(recipes))(
    "config --json prints a JSON Schema that accepts the configuration of %s",
    async (recipe) => {
      const { code, stdout } = await bowline(["config", "--setting", recipe, "--json"]);
      expect(code).toBe(0);
      const schema = JSON.parse(stdout);
      expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
      const { recipe: _, setting: __, method: ___, ...fields } = resolveConfig({ recipe });
      const reads = z.fromJSONSchema(schema);
      expect(reads.safeParse(fields).error).toBeUndefined();
      expect(reads.safeParse({ ...fields, algo: { ...fields.algo, epochs: 0 } }).success).toBe(
        false,
      );
      expect(reads.safeParse({ ...fields, algo: { ...fields.algo, epoch: 1 } }).success).toBe(
        false,
      );
      const part = await bowline(["config", "algo.epochs", "--setting", recipe, "--json"]);
      expect(JSON.parse(part.stdout)).toMatchObject({ type: "integer", minimum: 1 });
    },
  );
});

test("bowline --help lists the commands, and --version prints the version of the package", async () => {
  const help = await bowline(["--help"]);
  for (const name of ["train", "eval", "compare", "play", "world", "report", "export"]) {
    expect(help.stdout).toContain(`  ${name} `);
  }
  expect((await bowline(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+$/);
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
  expect(Object.keys(stats.splits)).toHaveLength(4);
  expect(stats.splits.dev).toMatchObject({
    scenarios: 8,
    tasks: 24,
    signatures: 4,
    tasksByDifficulty: { 1: 12, 2: 12, 3: 0 },
    signaturesByDifficulty: { 1: 2, 2: 2, 3: 0 },
    distinctApis: { mean: expect.any(Number), max: expect.any(Number) },
    calls: expect.any(Number),
    apps: 1,
    statements: expect.any(Number),
    waits: 0,
    asks: 0,
    prose: 0,
  });
  const text = (await bowline(args)).stdout;
  expect(text).toMatch(/^ +shelf +3 /m);
  expect(text).toMatch(/^ +dev +8 +24 +12 +12 +0 +4 +2 +2 +0$/m);
  expect(text).toMatch(/✓ .*\(progress\)/);
});

test("world check --split all shows both scores for each split and in total", async () => {
  const args = ["world", "check", "--world", "toy", "--split", "all", "--tasks", "12"];
  const { code, stdout } = await bowline(args);
  expect(code).toBe(0);
  for (const name of ["train", "dev", "test-normal", "test-challenge"])
    expect(stdout).toMatch(
      new RegExp(`^ +${name} +3 +0 +\\d+/\\d+ +100.0% +\\d+/\\d+ +100.0%$`, "m"),
    );
  expect(stdout).toMatch(/^ +total +12 +0 .*100.0%$/m);
});

test("every command that opens a world accepts the world's dials", async () => {
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
