/**
 * Writes a large run directory as `bowline train` does, but without training, to time programs that read such
 * directories.
 *
 *   npx tsx bench/studio/make-run.ts --rollouts 10000 --tokens 400 DIR
 *   npx tsx bench/studio/make-run.ts --rollouts 64 --tokens 20000 \
 *     --tokenizer runs/x/checkpoints/final/tokenizer.json DIR
 *
 * An iteration of the run has 24 groups of 8 rollouts, and notes on the tokens of twelve rollouts. There are
 * evaluations of 60 scenarios before and after training, and metrics that rise. Numbers are drawn from a seed. Texts
 * and tokens repeat, because only their length matters. `--open` writes no summary and puts the last iteration into the
 * journal, as in a run that was stopped.
 */
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Rng } from "../../src/core/index.ts";
import { formatIterationNumber } from "../../src/spec/index.ts";
import { resolveConfig, writeRolloutFile } from "../../src/train/index.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rollouts: { type: "string", default: "10000" },
    tokens: { type: "string", default: "400" },
    seed: { type: "string", default: "1" },
    tokenizer: { type: "string" },
    open: { type: "boolean", default: false },
  },
});
const [directory] = positionals;
const [total, tokens] = [Number(values.rollouts), Number(values.tokens)];
if (!directory || !(total > 0) || !(tokens >= 40) || existsSync(directory)) {
  console.error(
    "error: expected --rollouts of 1 or more, --tokens of 40 or more and a folder that does not exist",
  );
  process.exit(2);
}

const GROUP_SIZE = 8;
const TASKS_PER_ITERATION = 24;
const VARIANT_COUNT = 16;
const ROLLOUTS_WITH_NOTES = 12;
const rng = new Rng(Number(values.seed));
const iterations = Math.ceil(total / (GROUP_SIZE * TASKS_PER_ITERATION));
const pathInRun = (...names: string[]) => join(directory, ...names);

/**
 * How many tokens the prompt has. After the prompt, each turn has 24 sampled tokens and an observation of 16 tokens.
 */
const promptTokens = Math.min(Math.floor(tokens / 2), 400);
const turnCount = Math.max(1, Math.floor((tokens - promptTokens) / 40));

interface Variant {
  /** The fields `turns` and `tokens` of a rollout as JSON, without braces around them. */
  readonly text: string;
  readonly at: readonly number[];
}

const variants = Array.from({ length: VARIANT_COUNT }, () => createVariant());

function createVariant(): Variant {
  const ids = Array.from({ length: tokens }, () => rng.integer(5, 250));
  const mask = new Array<number>(tokens).fill(0);
  const turns = Array.from({ length: turnCount }, (_, t) => {
    const from = promptTokens + t * 40;
    const to = Math.min(from + 24, tokens);
    mask.fill(1, from, to);
    const amount = rng.integer(1, 99);
    const code = `const found = apis.money.search_people({ query: "Irene ${amount}" });\napis.money.send({ person: found[0].id, cents: ${amount * 100} });\nprint(found.length);`;
    const createCall = (api: string, wrote: boolean) => ({
      ...{ app: "money", api, args: { query: `Irene ${amount}` }, status: 200, wrote },
    });
    return {
      ...{
        message: code,
        code,
        observation: `${amount}\n[{"id":${amount},"name":"Irene Jensen"}]`,
      },
      ...{ status: "ok", calls: [createCall("search_people", false), createCall("send", true)] },
      span: [from, to],
    };
  });
  const logprobs = mask.map((one) => (one === 1 ? -Math.fround(rng.uniform() * 2) : 0));
  const at = mask.flatMap((one, position) => (one === 1 ? [position] : []));
  return { text: JSON.stringify({ turns, tokens: { ids, mask, logprobs } }).slice(1, -1), at };
}

function formatTask(split: string, number: number): string {
  const scenario = `${split}/${Math.floor(number / 3)}`;
  return JSON.stringify({
    ...{ id: `${scenario}/${1 + (number % 3)}`, scenario, split, difficulty: 1 + (number % 3) },
    signature: "people.named > message + request",
    instruction: `Request $${10 + (number % 80)} from Irene Jensen, and also send them the message "the meeting is moved to noon" (${number}).`,
  });
}

function formatRollout(id: string, task: string, index: number, share: number): string {
  const passed = rng.uniform() < share;
  const evaluation = {
    ...{ passed, finished: true },
    checks: [
      { name: "money.requests: one new row", label: "progress", passed },
      { name: "messages: one new row", label: "progress", passed: passed || rng.uniform() < 0.5 },
      { name: "nothing else changed", label: "guard", passed: true },
    ],
  };
  const { text } = variants[rng.integer(0, VARIANT_COUNT - 1)]!;
  return `{"version":1,"id":"${id}","task":${task},"index":${index},"stream":${rng.uint32()},"temperature":1,"policyVersion":0,${text},"outcome":"finished","evaluation":${JSON.stringify(evaluation)}}\n`;
}

/** Writes `count` lines piece by piece, so that a large file is never in memory as a whole. */
function writeLines(file: string, count: number, make: (i: number) => string): void {
  const fd = openSync(file, "w");
  let piece: string[] = [];
  let pieceLength = 0;
  for (let i = 0; i < count; i++) {
    const text = make(i);
    piece.push(text);
    pieceLength += text.length;
    if (pieceLength < 1 << 22 && i < count - 1) continue;
    writeSync(fd, piece.join(""));
    piece = [];
    pieceLength = 0;
  }
  closeSync(fd);
}

/**
 * Writes the rollouts of an iteration in the order in which the trainer does: the first rollout of every group, then
 * the second rollout of every group, and so on.
 */
function writeIteration(iteration: number): void {
  const count = Math.min(
    GROUP_SIZE * TASKS_PER_ITERATION,
    total - (iteration - 1) * GROUP_SIZE * TASKS_PER_ITERATION,
  );
  const share = Math.min(0.9, 0.1 + (0.8 * iteration) / iterations);
  const isOpen = values.open && iteration === iterations;
  const file = pathInRun(
    isOpen ? "journal" : "rollouts",
    `train-${formatIterationNumber(iteration)}.jsonl`,
  );
  const tasks = Array.from({ length: TASKS_PER_ITERATION }, (_, t) =>
    formatTask("train", (iteration * TASKS_PER_ITERATION + t) % 360),
  );
  writeLines(file, count, (i) =>
    formatRollout(
      `${iteration}/${i % TASKS_PER_ITERATION}/${Math.floor(i / TASKS_PER_ITERATION)}`,
      tasks[i % TASKS_PER_ITERATION]!,
      Math.floor(i / TASKS_PER_ITERATION),
      share,
    ),
  );
  if (!isOpen) {
    writeNotes(iteration, Math.min(ROLLOUTS_WITH_NOTES, count));
    writeMetrics(iteration, count, share);
  }
}

/**
 * Writes notes on tokens. The positions in the notes are right for every rollout, because all rollouts have turns of
 * the same lengths.
 */
function writeNotes(iteration: number, count: number): void {
  const { at } = variants[0]!;
  const drawNumbers = (draw: () => number) => at.map(() => Number(draw().toFixed(5)));
  writeLines(
    pathInRun("rollouts", `notes-${formatIterationNumber(iteration)}.jsonl`),
    count,
    (i) => {
      const old = drawNumbers(() => -rng.uniform() * 2);
      const ratios = drawNumbers(() => 0.8 + rng.uniform() * 0.4);
      const current = old.map((value, t) => Number((value + Math.log(ratios[t]!)).toFixed(5)));
      const clipped = ratios.map((ratio) => Number(ratio > 1.1));
      const entropies = drawNumbers(() => rng.uniform() * 3);
      const notes = { at, ratios, old, current, clipped, entropies };
      return `${JSON.stringify({ id: `${iteration}/${i}/0`, advantage: rng.uniform() - 0.5, ...notes })}\n`;
    },
  );
}

function writeMetrics(step: number, count: number, share: number): void {
  const metrics = {
    ...{ phase: "loop", step, "reward/mean": share + 0.05, "reward/pass_rate": share },
    ...{ "group/all_right": share / 4, "group/all_wrong": (1 - share) / 4, "group/mixed": 0.75 },
    ...{
      "rollout/count": count,
      "rollout/kept": count,
      "rollout/failed": 0,
      "rollout/cancelled": 0,
    },
    ...{ "rollout/tokens": 24 * turnCount, "train/updates": 12, "train/loss": -0.001 },
    ...{
      "gradient/norm": rng.uniform(),
      "ratio/clip_fraction": rng.uniform() / 10,
      "ratio/max": 2,
    },
    ...{ "kl/trajectory": rng.uniform(), "kl/token": 0.01, "logprob/sampler_gap": 1e-5 },
  };
  const timing = {
    ...{ phase: "loop", step, seconds: 60, elapsed: 60 * step },
    ...{ rolloutsPerSecond: count / 60, tokensPerSecond: (count * tokens) / 60 },
  };
  appendFileSync(pathInRun("metrics.jsonl"), `${JSON.stringify(metrics)}\n`);
  appendFileSync(pathInRun("timings.jsonl"), `${JSON.stringify(timing)}\n`);
}

const SCENARIOS = 60;

function writeEvaluation(when: "before" | "after", share: number): Record<string, unknown> {
  const name = `eval-${when}-dev-greedy`;
  writeLines(pathInRun("rollouts", `${name}.jsonl`), SCENARIOS * 3, (i) =>
    formatRollout(`${name}/${i}/0`, formatTask("dev", i), 0, share),
  );
  const score = {
    ...{ tgc: share, sgc: share ** 3, tgcInterval: [share * 0.8, Math.min(1, share * 1.2)] },
    ...{
      tasks: SCENARIOS * 3,
      scenarios: SCENARIOS,
      byDifficulty: {},
      reward: share,
      behaviour: {},
    },
  };
  return { dev: score };
}

/** Writes the facts of all whole files of rollouts, as the trainer does. */
function writeFacts(): void {
  const folder = pathInRun("rollouts");
  for (const name of readdirSync(folder)) {
    if (!/^(train|eval)-/.test(name)) continue;
    const lines = readFileSync(join(folder, name), "utf8").trim().split("\n");
    const rows = lines.map((line) => JSON.parse(line));
    writeRolloutFile(folder, name.slice(0, -".jsonl".length), rows, config.algo);
  }
}

for (const folder of ["rollouts", "checkpoints", ...(values.open ? ["journal"] : [])]) {
  mkdirSync(pathInRun(folder), { recursive: true });
}
const config = resolveConfig({
  recipe: "starter",
  overrides: { "algo.iterations": iterations, "run.seed": Number(values.seed) },
});
writeFileSync(
  pathInRun("run.json"),
  JSON.stringify({ version: 2, seed: Number(values.seed), config, versions: { bowline: "bench" } }),
);
if (values.tokenizer !== undefined) {
  mkdirSync(pathInRun("checkpoints", "final"));
  copyFileSync(values.tokenizer, pathInRun("checkpoints", "final", "tokenizer.json"));
}
const before = writeEvaluation("before", 0.1);
for (let iteration = 1; iteration <= iterations; iteration++) writeIteration(iteration);
if (!values.open) {
  const after = writeEvaluation("after", 0.8);
  const summary = {
    ...{ recipe: "starter", setting: "starter", method: "loop", seed: Number(values.seed) },
    ...{
      seconds: 60 * iterations,
      rollouts: total,
      before,
      after,
      reward: { first: 0.1, last: 0.9 },
    },
    warmStart: { demonstrations: 0, hastyShare: 0.85 },
  };
  writeFileSync(pathInRun("summary.json"), JSON.stringify(summary));
}
writeFacts();
console.log(`${directory}: ${total} rollouts of ${tokens} tokens in ${iterations} iterations`);
