/**
 * Gives a policy of each kind to every command that takes one. Each works, or is refused with a sentence that says why.
 * All models are tiny and have random weights, so what they say means nothing.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeInstructModel } from "../support/instruct-model.ts";
import { serveInProcess } from "../support/serve-in-process.ts";
import { splitGguf } from "../support/split-gguf.ts";
import { drawCases } from "../support/sweep.ts";
import { runBowlineInProcess } from "../support/terminal.ts";

const root = mkdtempSync(join(tmpdir(), "bowline-policies-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const at = (...names: string[]) => join(root, ...names);
const golden = (name: string) => fileURLToPath(new URL(`../golden/${name}`, import.meta.url));

/** Fields of a run that does as little as a run can. */
const SMALL_RUN = toArguments({
  "algo.iterations": 1,
  "algo.tasksPerIteration": 1,
  "algo.groupSize": 2,
  "evaluation.scenarios": 1,
  "evaluation.scores": "dev",
});
/** The same with attempts of four tokens, which fit no demonstration. */
const SHORT_RUN = [
  ...SMALL_RUN,
  ...toArguments({
    "scaffold.maxTurns": 1,
    "scaffold.evaluationTurns": 1,
    "scaffold.maxTurnTokens": 4,
  }),
];

function toArguments(fields: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(fields).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

beforeAll(async () => {
  // The context has room for a prompt of the toy world and a hundred tokens, so that attempts end soon.
  writeInstructModel(at("hf-qwen2"), 600);
  cpSync(golden("peft-qwen2"), at("adapter"), { recursive: true });
  mkdirSync(at("empty"));
  mkdirSync(at("begun"));
  writeFileSync(at("begun", "run.json"), "{}");
  for (const args of [
    ["train", "smoke", "--out", at("run"), "--warm.demonstrations", "32", ...SMALL_RUN],
    ["train", "smoke", "--out", at("adapter-run"), "--warm", at("adapter"), ...SHORT_RUN],
    ["export", at("hf-qwen2"), "--merged", "--format", "gguf", "--out", at("model.gguf")],
  ]) {
    const { code, stderr } = await runBowlineInProcess(args);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
  }
  cpSync(at("model.gguf"), at("split.gguf"));
  splitGguf(at("split.gguf"));
  rmSync(at("split.gguf"));
});

let outputs = 0;
const newPath = () => at(`out-${outputs++}`);

type Done = Awaited<ReturnType<typeof runBowlineInProcess>>;

/** The commands that take a policy, each with little to do. They return what the command line printed. */
const COMMANDS: Readonly<Record<string, (policy: string) => Promise<Done>>> = {
  chat: (policy) => runBowlineInProcess(["chat", policy, "--max-tokens", "2", "--json"], "hello\n"),
  eval: (policy) =>
    runBowlineInProcess([
      ...["eval", policy, "--world", "toy", "--split", "dev", "--scenarios", "1", "--json"],
    ]),
  play: (policy) =>
    runBowlineInProcess(["play", "dev/0/1", "--policy", policy, "--world", "toy", "--json"]),
  train: (policy) =>
    runBowlineInProcess([
      ...["train", "smoke", "--warm", policy, "--out", newPath(), "--json", ...SHORT_RUN],
    ]),
  "export --merged": (policy) =>
    runBowlineInProcess(["export", policy, "--merged", "--out", newPath(), "--json"]),
  "export --merged --format gguf": (policy) =>
    runBowlineInProcess([
      ...["export", policy, "--merged", "--format", "gguf", "--out", `${newPath()}.gguf`, "--json"],
    ]),
  export: (policy) => runBowlineInProcess(["export", policy, "--out", newPath(), "--json"]),
  "serve --openai": (policy) =>
    serveInProcess(["serve", "--openai", policy, "--port", "0", "--json"], ({ url, key }) =>
      fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ messages: [{ role: "user", content: "hello" }], max_tokens: 2 }),
      }),
    ),
  "serve --tinker": (policy) =>
    serveInProcess(
      ["serve", "--tinker", "--checkpoint", policy, "--port", "0", "--json"],
      ({ url }) =>
        fetch(`${url}/api/v1/get_server_capabilities`, { headers: { "x-api-key": "tml-x" } }),
    ),
};
type CommandName = keyof typeof COMMANDS;

/** What a command prints when it works: the last line of its JSON has these fields. */
const FIELDS: Readonly<Record<CommandName, readonly string[]>> = {
  chat: ["message", "text", "tokens"],
  eval: ["tgc", "scenarios"],
  play: ["outcome", "checks"],
  train: ["before", "after"],
  "export --merged": ["form", "files"],
  "export --merged --format gguf": ["form", "files"],
  export: ["form", "files"],
  "serve --openai": ["choices"],
  "serve --tinker": ["supported_models"],
};

const NO_ADAPTER = /has no adapter/;
const SCRIPT = /noop is a script without weights: expected a run directory, .*GGUF file$/;
const HOSTED = /hosted:some is a model on a server, and its weights are not here: expected a run/;
const NOTHING = /unknown policy .*nowhere: expected a run directory, .* or a GGUF file/;
const EMPTY = /empty holds no checkpoint, adapter or model: expected a run directory/;
const BEGUN = /begun is a run that has no checkpoint yet: expected a run directory/;
const refuseAll = (refusal: RegExp) =>
  Object.fromEntries(Object.keys(COMMANDS).map((command) => [command, refusal]));

/** The kinds of policies, each with the commands that refuse it and what they say. */
const KINDS: Readonly<
  Record<string, { path: string; refusals: Readonly<Record<string, RegExp>> }>
> = {
  "a run": { path: at("run"), refusals: { export: NO_ADAPTER } },
  "a checkpoint": { path: at("run/checkpoints/warm"), refusals: { export: NO_ADAPTER } },
  "a run of an adapter": { path: at("adapter-run"), refusals: {} },
  "a Hugging Face folder": { path: at("hf-qwen2"), refusals: { export: NO_ADAPTER } },
  "a PEFT folder": { path: at("adapter"), refusals: {} },
  "a GGUF file": { path: at("model.gguf"), refusals: { export: NO_ADAPTER } },
  "a split GGUF file": {
    path: at("split-00001-of-00002.gguf"),
    refusals: { export: NO_ADAPTER },
  },
  "a script": { path: "noop", refusals: { ...refuseAll(SCRIPT), eval: undefined! } },
  "a hosted model": {
    path: "hosted:some",
    refusals: { ...refuseAll(HOSTED), eval: /hosted:some: .*--base-url|baseUrl/ },
  },
  "a path with nothing": { path: at("nowhere"), refusals: refuseAll(NOTHING) },
  "a folder with nothing": { path: at("empty"), refusals: refuseAll(EMPTY) },
  "a run without a checkpoint": { path: at("begun"), refusals: refuseAll(BEGUN) },
};

/** The commands of this day, or all in a whole sweep. */
const DRAWN_COMMANDS = drawCases(Object.keys(COMMANDS), 0.3);

describe.each(Object.entries(KINDS))("%s", (_, { path, refusals }) => {
  test.each(DRAWN_COMMANDS)("is taken by %s, or refused with a reason", async (command) => {
    const { code, stdout, stderr } = await COMMANDS[command]!(path);
    const refusal = refusals[command];
    if (refusal !== undefined) {
      expect(stderr).toMatch(refusal);
      expect(stderr).toMatch(/^error: [^\n]+$/);
      expect(code).toBeGreaterThan(0);
      return;
    }
    // A task that was played and not solved has exit code 1.
    expect([code, stderr]).toEqual([command === "play" ? 1 : 0, expect.any(String)]);
    const printed: unknown = JSON.parse(stdout.trim().split("\n").at(-1)!);
    for (const field of FIELDS[command]!) expect(printed).toHaveProperty(field);
  });
});

test("an adapter whose base is elsewhere is taken by every command with --engine.model", async () => {
  cpSync(at("adapter"), at("far", "adapter"), { recursive: true });
  const [adapter, base] = [at("far", "adapter"), ["--engine.model", at("hf-qwen2")]];
  const take = (...args: string[]) => runBowlineInProcess(args, "hello\n");
  const short = ["--world", "toy", "--json"];
  const missing = await take("chat", adapter);
  expect(missing.stderr).toMatch(/base "\.\.\/hf-qwen2" .*--engine\.model PATH/);
  const out = at("far", "merged");
  for (const done of [
    await take("chat", adapter, ...base, "--max-tokens", "2"),
    await take("eval", adapter, ...base, "--split", "dev", "--scenarios", "1", ...short),
    await take("export", adapter, ...base, "--merged", "--out", out),
    await take("train", "smoke", "--warm", adapter, ...base, "--out", newPath(), ...SHORT_RUN),
  ]) {
    expect(done).toMatchObject({ code: 0 });
  }
  expect((await take("play", "dev/0/1", "--policy", adapter, ...base, ...short)).code).toBe(1);
  expect(existsSync(join(out, "model.safetensors"))).toBe(true);
  const whole = await take("eval", out, ...base, "--split", "dev");
  expect(whole.stderr).toMatch(/is a whole model and no adapter, so it has no base/);
  const scripted = await take("eval", "noop", ...base, "--split", "dev");
  expect(scripted.stderr).toMatch(/noop is no adapter, so it has no base/);
});

test("eval of a run scores as many scenarios as the run did, says so, and gets the run's own score", async () => {
  const { stdout, stderr } = await runBowlineInProcess([
    "eval",
    at("run"),
    "--split",
    "dev",
    "--json",
  ]);
  expect(stderr).toMatch(/as many scenarios of dev are played as the run scored: at most 1 /);
  const summary = JSON.parse(readFileSync(at("run", "summary.json"), "utf8"));
  expect(JSON.parse(stdout)).toMatchObject({ scenarios: 1, ...summary.after.dev });
});
