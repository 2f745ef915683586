/**
 * Tests commands that are given wrong files and folders, one in each row: a module that throws or exports nothing, bad
 * JSON, a file in place of a folder, a folder in place of a file, a damaged run, a model of another kind. Each ends in
 * time with one line that blames the file, and with an exit code. Nothing is written. `wrong-inputs.test.ts` has wrong
 * arguments.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runRefusedCommand, TIME_LIMIT_MS } from "../../tests/support/refused-command.ts";
import { runBowlineInProcess as bowline } from "../../tests/support/terminal.ts";

const FILES: Readonly<Record<string, string>> = {
  "notes.txt": "hello",
  "bad.json": "{",
  "list.json": "[]",
  "throws.mjs": "\nthrow new Error('no licence');",
  "no-default.mjs": "export const world = 1;",
  "number.mjs": "export default 3;",
  "object.mjs": "export default {};",
  "promise.mjs": "export default async () => {};",
  "nothing/x.bin": "",
  "bad-run/run.json": "{",
  "list-run/run.json": "[]",
  "later-run/run.json": '{"version":99}',
  "empty-run/run.json": '{"version":2}',
  "bare-run/run.json": '{"version":2,"config":{}}',
  "bad-policy/policy.json": "{",
  "bare-policy/policy.json": '{"version":2}',
  "no-tokenizer/policy.json": '{"version":2,"config":{"recipe":"smoke"}}',
  "bad-adapter/adapter_config.json": "{",
  "bad-adapter/adapter_model.safetensors": "x",
  "bad-model/config.json": "{",
  "list-model/config.json": "[]",
  "gpt2-model/config.json": '{"model_type":"gpt2"}',
  "garbage.gguf": "GGUFxxxxxxxxxxxxxxx",
  "text.gguf": "hello",
};

const startDirectory = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "bowline-wrong-files-"));
beforeAll(() => {
  process.chdir(folder);
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(name), { recursive: true });
    writeFileSync(name, text);
  }
});
afterAll(() => {
  process.chdir(startDirectory);
  rmSync(folder, { recursive: true });
});

/** The words of a command line, the exit code, and a pattern for the line on stderr. */
type Row = readonly [command: string, code: number, message: RegExp];

const WORLDS: readonly Row[] = [
  [
    "world check --world ./throws.mjs",
    1,
    /cannot load the world \S+throws\.mjs: no licence at \S+throws\.mjs:2/,
  ],
  ["world list --world ./no-default.mjs", 1, /no-default\.mjs has no default export; expected/],
  [
    "world stats --world ./number.mjs",
    1,
    /number\.mjs is no world: these fields are missing: name/,
  ],
  ["eval noop --world ./object.mjs", 1, /object\.mjs is no world: these fields are missing: name/],
  [
    "play --world ./nothing",
    1,
    /cannot load the world \S+nothing: it is a folder; expected the file/,
  ],
  ["world check --world ./missing.mjs", 2, /there is no world module at \S+missing\.mjs/],
  ["world list --world ./missing.mjs", 2, /there is no world module at \S+missing\.mjs/],
  ["world check --world tooy", 2, /unknown world "tooy" \(did you mean toy\?\)/],
  ["train smoke --world ./missing.mjs --out out", 2, /there is no world module at \S+missing\.mjs/],
];

/** The options of `train` that name a module, with the fields that errors name. */
const MODULE_OPTIONS = [
  ["--method", "method", "to be a method"],
  ["--reward", "extensions\\.rewards", "to export a function as its default"],
  ["--filter", "extensions\\.filters", "to export a function as its default"],
  ["--sampler", "algo\\.taskSampling", "to export a function as its default"],
  ["--scaffold", "scaffold\\.name", "to export a function \\(limits, tokenizer\\?\\) => scaffold"],
  ["--engine", "engine\\.name", "to export a function \\(request\\) => engine as its default"],
] as const;

const MODULES = MODULE_OPTIONS.flatMap(([option, field, expected]): Row[] => {
  const train = (module: string) => `train smoke ${option} ./${module} --out out`;
  const isFile = (name: string) => `^error: ${field}: \\S+${name}`;
  return [
    [train("throws.mjs"), 2, new RegExp(`${isFile("throws\\.mjs")} cannot be loaded: no licence`)],
    [train("no-default.mjs"), 2, new RegExp(`${isFile("no-default\\.mjs")} has no default export`)],
    [train("number.mjs"), 2, new RegExp(`${field}: expected .*number\\.mjs ${expected}`)],
    [train("object.mjs"), 2, new RegExp(`${field}: expected .*object\\.mjs ${expected}`)],
    [train("nothing"), 2, new RegExp(`${isFile("nothing")} cannot be loaded: it is a folder`)],
    [train("missing.mjs"), 2, new RegExp(`${field}: there is no file \\S+missing\\.mjs`)],
  ];
});

/** The commands that take a policy. */
const POLICY_COMMANDS = [
  "eval POLICY",
  "chat POLICY",
  "export POLICY --out out",
  "serve --openai POLICY",
  "play --policy POLICY",
  "train smoke --warm POLICY --out out",
];

const POLICIES = POLICY_COMMANDS.flatMap((command): Row[] => {
  const use = (policy: string) => command.replace("POLICY", policy);
  return [
    [use("missing"), 2, /unknown policy missing: expected a run directory, a checkpoint/],
    [use("notes.txt"), 1, /notes\.txt is not a GGUF file: expected a run directory/],
    [use("nothing"), 1, /nothing holds no checkpoint, adapter or model: expected/],
    [use("bad-run"), 1, /bad-run is a run that has no checkpoint yet: expected/],
    [use("bad-policy"), 1, /cannot read bad-policy\/policy\.json: .*JSON/],
    [use("bare-policy"), 1, /bare-policy\/policy\.json is damaged: it has no configuration/],
    [use("bad-adapter"), 1, /bad-adapter\/adapter_config\.json is not JSON: /],
    [use("bad-model"), 1, /bad-model\/config\.json is not JSON: /],
    [use("list-model"), 1, /list-model\/config\.json/],
    [use("gpt2-model"), 1, /gpt2-model\/config\.json: model_type "gpt2" is not supported/],
    [use("text.gguf"), 1, /cannot read text\.gguf: it is not a GGUF file/],
    [use("garbage.gguf"), 1, /cannot read garbage\.gguf: it has GGUF version/],
  ];
});

const RUN_COMMANDS = ["report RUN", "diagnose RUN"];
const RUNS = RUN_COMMANDS.flatMap((command): Row[] => {
  const use = (run: string) => command.replace("RUN", run);
  return [
    [use("missing"), 2, /run missing does not exist/],
    [use("notes.txt"), 2, /run notes\.txt is not a run/],
    [use("nothing"), 2, /run nothing is not a run \(it has no run\.json\)/],
    [use("bad-run"), 1, /cannot read bad-run\/run\.json: .*JSON/],
    [use("list-run"), 1, /list-run\/run\.json has version none/],
    [use("later-run"), 1, /later-run\/run\.json has version 99, but this bowline reads version 2/],
    [use("empty-run"), 1, /empty-run\/run\.json is damaged: it has no configuration/],
  ];
});

const OTHERS: readonly Row[] = [
  ["diagnose bare-run", 1, /bare-run\/run\.json is damaged: seed: Invalid input/],
  [
    "train smoke --warm no-tokenizer --out out",
    1,
    /cannot read no-tokenizer\/tokenizer\.json: ENOENT/,
  ],
  ["train smoke --engine.model nothing --out out", 1, /nothing\/config\.json is missing/],
  ["train smoke --engine.model bad-model --out out", 1, /bad-model\/config\.json is not JSON/],
  ["train smoke --engine.model bad-adapter --out out", 1, /bad-adapter is an adapter and no model/],
  ["train smoke --engine.model missing --out out", 1, /there is no folder missing; models are not/],
  ["train smoke --out notes.txt", 1, /notes\.txt is a file; expected a run directory/],
  ["train smoke --out nothing", 1, /nothing is neither a run nor empty \(it holds x\.bin\)/],
  ["train smoke --out bad-run", 1, /bad-run\/run\.json/],
  ["init notes.txt --yes", 2, /notes\.txt is a file; expected a folder/],
  ["init notes.txt/x --yes", 2, /notes\.txt is a file; expected a folder/],
  ["studio notes.txt", 2, /notes\.txt is not a folder: give a folder of runs/],
  ["studio missing", 2, /there is no folder missing: give a folder of runs/],
  ["compare --aa missing", 1, /there is no file missing/],
  ["compare --aa bad.json", 1, /cannot read bad\.json: .*JSON/],
  ["compare --aa list.json", 1, /list\.json/],
  ["compare --aa nothing", 1, /cannot read nothing: EISDIR/],
  ["compare smoke --out notes.txt", 1, /notes\.txt/],
  ["trust notes.txt", 1, /notes\.txt is not a GGUF file/],
  ["trust missing", 2, /unknown policy missing/],
  ["trust bad-run", 1, /cannot read bad-run\/run\.json/],
  ["serve --tinker --checkpoint nothing", 1, /nothing holds no checkpoint, adapter or model/],
  ["serve --tinker --engine.model bad-model", 1, /bad-model\/config\.json is not JSON/],
];

const ROWS = [...WORLDS, ...MODULES, ...POLICIES, ...RUNS, ...OTHERS];

test.each(ROWS)("bowline %s", { timeout: 12 * TIME_LIMIT_MS }, async (command, code, message) => {
  const refused = await runRefusedCommand(command.split(" "));
  expect(refused.stderr).toMatch(message);
  expect(refused.code).toBe(code);
});

test.runIf(existsSync("/proc/self"))(
  "an output folder that cannot be made is named, for all commands",
  async () => {
    for (const command of [
      "train smoke --out /proc/x",
      "init /proc/x --yes",
      "compare smoke --out /proc/x",
    ]) {
      const done = await bowline(command.split(" "));
      expect([command, done.code]).toEqual([command, 1]);
      expect(done.stderr).toMatch(/^error: cannot write [^\n]*\/proc\/x[^\n]*ENOENT[^\n]*$/);
    }
  },
  60_000,
);

// Root may read and write everything.
test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
  "an unreadable file and a folder that may not be written are named",
  { timeout: 60_000 },
  async () => {
    chmodSync("bare-run/run.json", 0o000);
    chmodSync("nothing", 0o555);
    const [report, train, init] = [
      await bowline(["report", "bare-run"]),
      await bowline(["train", "smoke", "--out", "nothing/out"]),
      await bowline(["init", "nothing/out", "--yes"]),
    ];
    chmodSync("bare-run/run.json", 0o644);
    chmodSync("nothing", 0o755);
    expect(report.stderr).toMatch(/^error: cannot read bare-run\/run\.json: EACCES[^\n]*$/);
    expect(train.stderr).toMatch(/^error: cannot write nothing\/out: EACCES[^\n]*$/);
    expect(init.stderr).toMatch(/^error: cannot write [^\n]*nothing\/out: EACCES[^\n]*$/);
    expect([report.code, train.code, init.code]).toEqual([1, 1, 1]);
  },
);
