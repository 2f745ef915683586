/**
 * Shows that a small model learns in an environment of verifiers through `--environment`. For each seed it trains on
 * 100 tasks and scores 100 other tasks at T = 1 before and after, in the environment of `examples/verifiers`.
 *
 *   npx tsx bench/environments/verifiers.ts PYTHON [FOLDER]    PYTHON has verifiers 0.4
 *
 * It prints a line for each seed and writes the result to bench/results/environment-verifiers.json.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describeMachine, Rng } from "../../src/core/index.ts";
import { pairedTest, readRollouts } from "../../src/train/index.ts";

const [python = "python3", given] = process.argv.slice(2);
const folder = given ?? mkdtempSync(join(tmpdir(), "bowline-verifiers-"));
mkdirSync(folder, { recursive: true });
const SEEDS = [1, 2, 3];
const PORT = 8602;
const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../../examples/verifiers", import.meta.url));
const RESULT = fileURLToPath(new URL("../results/environment-verifiers.json", import.meta.url));
const FIELDS = [
  ...["--model.layers", "2", "--model.heads", "4", "--model.hidden-size", "64"],
  ...["--tokenizer.vocabulary-size", "400", "--warm.epochs", "4", "--algo.iterations", "30"],
  ...["--algo.tasks-per-iteration", "8", "--algo.group-size", "8", "--algo.clip", "0.2"],
  ...["--optimizer.learning-rate", "0.0015", "--scaffold.max-turn-tokens", "8"],
  ...["--run.gates", "off", "--world.episodes", "8", "--evaluation.scores", "test-normal@T1"],
];

async function startEnvironment(): Promise<ChildProcess> {
  const args = ["serve.py", "last_word", "--harness", "last_word", "--port", String(PORT)];
  const env = { ...process.env, PYTHONPATH: EXAMPLE, PYTHONDONTWRITEBYTECODE: "1" };
  const server = spawn(python, args, {
    cwd: EXAMPLE,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(createInterface({ input: server.stdout }), "line");
  return server;
}

/** Asks verifiers for the words of its tasks, which the recorded conversations need. */
async function readPrompts(): Promise<string[]> {
  const script =
    "import json, last_word as m; print(json.dumps([t.data.prompt for t in m.LastWordTaskset(m.LastWordConfig())]))";
  const env = { ...process.env, PYTHONPATH: EXAMPLE, PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn(python, ["-c", script], { env, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  return JSON.parse(text) as string[];
}

/** Writes the environment file. The conversations of its training tasks answer with any of the three words. */
function writeEnvironment(prompts: readonly string[]): string {
  const rng = new Rng(7);
  const conversations = Array.from({ length: 600 }, (_, i) => {
    const prompt = prompts[i % 100]!;
    const words = prompt.split(" ");
    const messages = [
      { role: "user", content: prompt },
      { role: "assistant", content: words[rng.integer(0, 2)]! },
    ];
    return `${JSON.stringify({ messages })}\n`;
  });
  writeFileSync(join(folder, "start.jsonl"), conversations.join(""));
  const list = (from: number) => Array.from({ length: 100 }, (_, i) => ({ idx: from + i }));
  const file = join(folder, "env.json");
  const environment = {
    url: `http://127.0.0.1:${PORT}/run`,
    timeoutSeconds: 120,
    tasks: { train: list(0), test: list(100) },
    conversations: "start.jsonl",
  };
  writeFileSync(file, JSON.stringify(environment));
  return file;
}

/** Returns the rewards of the unseen tasks at T = 1, by task. A failed rollout is an error here. */
function readRewards(run: string, moment: "before" | "after"): Map<string, number> {
  const rollouts = readRollouts(run, `eval-${moment}-test-normal-T1`);
  return new Map(rollouts.map(({ task, evaluation }) => [task.id, evaluation!.reward!]));
}

async function trainSeed(seed: number, file: string) {
  const run = join(folder, `seed${seed}`);
  const args = ["train", "--environment", file, "--out", run, "--seed", String(seed), ...FIELDS];
  const env = { ...process.env, BOWLINE_HOME: join(folder, "home") };
  const child = spawn(process.execPath, [MAIN, ...args], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number];
  if (code !== 0) throw new Error(`seed ${seed}: bowline train exited with the code ${code}`);
  const [before, after] = [readRewards(run, "before"), readRewards(run, "after")];
  const differences = [...after].map(([task, reward]) => reward - before.get(task)!);
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const { difference, interval } = pairedTest(differences);
  const summary = JSON.parse(readFileSync(join(run, "summary.json"), "utf8")) as {
    readonly seconds: number;
    readonly rollouts: number;
  };
  return {
    seed,
    before: mean([...before.values()]),
    after: mean([...after.values()]),
    difference,
    interval,
    seconds: Math.round(summary.seconds),
    rollouts: summary.rollouts,
  };
}

const file = writeEnvironment(await readPrompts());
const server = await startEnvironment();
try {
  const seeds = [];
  for (const seed of SEEDS) {
    seeds.push(await trainSeed(seed, file));
    console.log(JSON.stringify(seeds.at(-1)));
  }
  const about = "share of 100 unseen tasks solved at T = 1; interval: paired over tasks, 95%";
  const result = { about, machine: describeMachine(), fields: FIELDS.join(" "), seeds };
  writeFileSync(RESULT, `${JSON.stringify(result, undefined, 2)}\n`);
} finally {
  server.kill();
}
