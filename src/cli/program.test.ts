/** Help and wrong usage of every command: what is printed where, and the exit code. In process, for speed. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { methods } from "../methods/index.ts";
import { configFields, configSections, recipes, resolveConfig, settings } from "../train/index.ts";
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
  "config",
  "play",
  "init",
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

describe("config", () => {
  test("lists the sections, the setting's and the method's", async () => {
    const { code, stdout } = await bowline(["config"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^setting starter, method loop: \d+ fields$/m);
    expect(stdout).toMatch(/^ {2}optimizer +AdamW; 7 fields$/m);
    expect(stdout).toMatch(/^ {2}algo .*\(loop\); \d+ fields$/m);
    expect(stdout).not.toMatch(/^ {2}filter/m);
    expect((await bowline(["config", "--method", "grpo"])).stdout).toMatch(/^ {2}filter /m);
  });

  test("lists every field of a section with its value on the setting", async () => {
    const { stdout } = await bowline(["config", "algo"]);
    for (const { path } of configFields(methods["loop"]!)) {
      if (path.startsWith("algo.")) expect(stdout).toContain(`  ${path} `);
    }
    expect(stdout).toMatch(/algo\.groupSize +6 +K: rollouts of one task/);
    expect(stdout).toMatch(/algo\.stragglers +off +Stop collecting/);
    expect(stdout).toMatch(/algo\.stragglers\.share +- .*where algo\.stragglers is\s+on/s);
    const smoke = await bowline(["config", "algo", "--setting", "smoke/grpo"]);
    expect(smoke.stdout).toMatch(/algo\.groupSize +8 /);
    expect(smoke.stdout).toMatch(/algo\.kl +on /);
  });

  test("tells all about a field: type, default, value, where it exists, who reads it", async () => {
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

  test.each(Object.keys(recipes))("--json is a JSON Schema that accepts %s", async (recipe) => {
    const { code, stdout } = await bowline(["config", "--setting", recipe, "--json"]);
    expect(code).toBe(0);
    const schema = JSON.parse(stdout);
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    const { recipe: _, setting: __, method: ___, ...fields } = resolveConfig({ recipe });
    const reads = z.fromJSONSchema(schema);
    expect(reads.safeParse(fields).error).toBeUndefined();
    expect(reads.safeParse({ ...fields, algo: { ...fields.algo, epochs: 0 } }).success).toBe(false);
    expect(reads.safeParse({ ...fields, algo: { ...fields.algo, epoch: 1 } }).success).toBe(false);
    const part = await bowline(["config", "algo.epochs", "--setting", recipe, "--json"]);
    expect(JSON.parse(part.stdout)).toMatchObject({ type: "integer", minimum: 1 });
  });
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
    /algo\.ratio is no field of the method loop; methods that read it: loop-turn, .*on-policy/,
  ],
  [
    ["train", "--method", "on-policy", "--algo.ratio", "word"],
    2,
    /algo\.ratio: expected one of token, turn, trajectory, trajectory-mean, none, came "word"/,
  ],
  [
    ["train", "starter", "--method", "lop"],
    2,
    /unknown method "lop" \(did you mean loop\?\); methods: loop, .*dpo-mcts, or the path of a module/,
  ],
  [["train", "starter", "--method", "./nope.ts"], 2, /method: there is no file \S+nope\.ts/],
  [["train", "smoke/eii"], 2, /unknown method "eii" \(did you mean ei\?\)/],
  [["train", "smok/ei"], 2, /unknown recipe "smok\/ei" \(did you mean smoke\/ei\?\)/],
  [["train", "smoke/ei", "--engine", "tinker"], 2, /server, and recipe smoke\/ei names none/],
  [
    ["train", "starter", "--algo.klCoefficient", "0.1"],
    2,
    /unknown field algo\.klCoefficient \(it is now algo\.kl\.coefficient\)/,
  ],
  [
    ["train", "--shapes.branches", "2"],
    2,
    /it is now collect\.count beside collect\.kind branches/,
  ],
  [
    ["train", "starter", "--filter.voidTurns", "true"],
    2,
    /filter\.voidTurns is no field of the method loop; methods that read it: .*on-policy, grpo/,
  ],
  [
    ["train", "starter", "--method", "on-policy", "--collect.tokens", "4"],
    2,
    /collect\.tokens exists only where collect\.kind is branches and collect\.at is entropy, and here collect\.kind is groups/,
  ],
  [
    ["train", "--method", "grpo", "--algo.kl.coef", "1"],
    2,
    /unknown field algo\.kl\.coef.*algo\.kl has coefficient, estimator, turns/,
  ],
  [["train", "--reward", "./nope.ts"], 2, /extensions\.rewards: there is no file \S+nope\.ts/],
  [
    ["train", "--scaffold", "reactt"],
    2,
    /scaffold\.name: expected compact, react or the path of a module, such as .\/my-scaffold.ts, came "reactt" \(did you mean react\?\)/,
  ],
  [["train", "--sampler", "uniforn"], 2, /algo\.taskSampling: .*did you mean uniform\?/],
  [["train", "--engine", "./nope.ts"], 2, /engine\.name: there is no file \S+nope\.ts/],
  [["config", "nope"], 2, /unknown section or field nope; sections: run, world, .*algo/],
  [["config", "algo.grupSize"], 2, /unknown .* algo\.grupSize \(did you mean algo\.groupSize\?\)/],
  [["config", "algo.klTurns"], 2, /algo\.klTurns \(it is now algo\.kl\.turns\)/],
  [
    ["config", "filter"],
    2,
    /the method loop does not read filter; methods that do: .*on-policy, grpo.*\(--method\)/,
  ],
  [["config", "--setting", "smok"], 2, /unknown recipe "smok" \(did you mean smoke\?\)/],
  [["train", "--seed", "-1"], 2, /--seed.*'-1' is invalid.*integer from 0/],
  [["compare", "starter", "eii"], 2, /recipe eii: unknown recipe "eii" \(did you mean ei\?\)/],
  [["compare", "starter", "--rollouts", "100"], 2, /just 100 rollouts.*multiple of 240/],
  [["compare", "ei", "--seeds", "1,1"], 2, /--seeds.*Expected different seeds/],
  [
    ["compare", "ei", "--algo.clip", "0.2"],
    2,
    /recipe ei: algo\.clip is no field of the method ei; methods that read it: loop, .*grpo/,
  ],
  [
    ["compare", "smoke/lop"],
    2,
    /recipe smoke\/lop: .*unknown method "lop" \(did you mean loop\?\)/,
  ],
  [["compare", "starter", "--methods", "ei"], 2, /recipes, or methods on a setting/],
  [["compare", "--setting", "smoke", "--methods", "loop,eii"], 2, /"eii" \(did you mean ei\?\)/],
  [["compare", "--setting", "smok", "--methods", "ei"], 2, /unknown setting "smok".* smoke\?/],
  [
    ["compare", "--setting", "ei", "--methods", "loop"],
    2,
    /unknown setting "ei"; settings: starter/,
  ],
  [
    ["compare", "--setting", "smoke", "--methods", "loop,ei", "--rollouts", "100"],
    2,
    /just 100 rollouts.*multiple of 192/,
  ],
  [
    ["compare", "--setting", "smoke", "--methods", "loop,ei", "--algo.clip", "0.2"],
    2,
    /recipe smoke\/ei: algo\.clip is no field of the method ei/,
  ],
  [
    ["compare", "smoke/ei", "starter"],
    2,
    /recipe starter has another start than smoke: world\.name/,
  ],
  [["train", "--minutes", "soon"], 2, /--minutes.*'soon' is invalid.*number/],
  [
    ["train", "--engine", "onx"],
    2,
    /engine\.name: expected onnx, tinker or the path of a module, such as .\/my-engine.ts, came "onx" \(did you mean onnx\?\)/,
  ],
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
