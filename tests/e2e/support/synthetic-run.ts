/**
 * Writes a finished run directory without training. Its numbers are plausible, and it fills every part of the report.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Rng, writeJson, writeJsonLines } from "../../../src/core/index.ts";
import type { MetricLine, Rollout, Score, Summary, Turn } from "../../../src/spec/index.ts";
import { loadTokenizer, trainTokenizer } from "../../../src/text/index.ts";
import { resolveConfig } from "../../../src/train/index.ts";

const TASKS = [
  {
    instruction:
      'Pay each of my roommates 14.50 dollars for groceries, and note it as "groceries <May>".',
    signature: "people.roommates > pay.each",
    hasty: [
      'const found = await apis.contacts.search({ query: "roommate" })\nprint(found.items[0])',
      'await apis.pay.send({ to: found.items[0].email, cents: 1450, note: "groceries <May>" })',
      "await apis.me.finishTask({})",
    ],
    careful: [
      'const found = await apis.contacts.search({ query: "roommate" })\nprint(found.items.map(p => p.email))',
      'for (const person of found.items)\n  await apis.pay.send({ to: person.email, cents: 1450, note: "groceries <May>" })\nprint(found.items.length)',
      "await apis.me.finishTask({})",
    ],
    seen: ['["ann.lee@mail.example", "bo@mail.example", "cy.ong@mail.example"]', "3", ""],
  },
  {
    instruction: "How many unread messages are there from people in my book club?",
    signature: "messages.unread-from-group > answer.count",
    hasty: [
      "const page = await apis.messages.list({ unread: true })\nprint(page.items.length)",
      "await apis.me.finishTask({ answer: 20 })",
    ],
    careful: [
      'let all = [], page = 1, next\ndo { next = await apis.messages.list({ unread: true, group: "book club", page }); all.push(...next.items); page++ } while (next.more)\nprint(all.length)',
      "await apis.me.finishTask({ answer: all.length })",
    ],
    seen: ["27", ""],
  },
] as const;

/** Writes a run into `directory`. Another `seed` gives other curves. */
export function writeSyntheticRun(directory: string, seed = 1): void {
  const rng = new Rng(seed);
  const config = resolveConfig({ recipe: "starter", overrides: { "run.seed": seed } });
  mkdirSync(join(directory, "rollouts"), { recursive: true });
  const tokenizerText = trainTokenizer(
    TASKS.flatMap((task) => [...task.hasty, ...task.careful, ...task.seen]),
    { vocabularySize: 512, minimumCount: 2 },
  );
  const checkpoint = join(directory, "checkpoints", "final");
  mkdirSync(checkpoint, { recursive: true });
  writeFileSync(join(checkpoint, "tokenizer.json"), tokenizerText);
  writeJson(join(directory, "run.json"), {
    version: 2,
    seed,
    config,
    versions: {
      bowline: "0.1.0",
      node: "20.20.2",
      "onnxruntime-node": "1.30.0",
      platform: "linux-x64",
    },
  });
  writeJsonLines(join(directory, "metrics.jsonl"), createSyntheticMetrics(rng));
  const encode = loadTokenizer(tokenizerText).encode;
  for (const iteration of [1, 8, 16, 24, 32, 40]) {
    const rows = Array.from({ length: 8 }, (_, k) => ({
      ...createSyntheticRollout(
        `train/${iteration}/0`,
        TASKS[k % 2]!,
        rng.chance(iteration / 45),
        encode,
      ),
      id: `${iteration}/0/${k}`,
    }));
    const name = `${String(iteration).padStart(4, "0")}.jsonl`;
    writeJsonLines(join(directory, "rollouts", `train-${name}`), rows);
    writeJsonLines(
      join(directory, "rollouts", `notes-${name}`),
      rows.map((rollout) => createTokenNotes(rollout, rng)),
    );
  }
  for (const [when, chance] of [
    ["before", 0.4],
    ["after", 0.85],
  ] as const) {
    for (const split of ["dev", "test-normal"]) {
      const rows = Array.from({ length: 30 }, (_, i) =>
        createSyntheticRollout(
          `${split}/${Math.floor(i / 3)}/${i % 3}`,
          TASKS[i % 2]!,
          i === 0 ? when === "after" : rng.chance(chance),
          encode,
        ),
      );
      writeJsonLines(join(directory, "rollouts", `eval-${when}-${split}-greedy.jsonl`), rows);
    }
  }
  writeJson(join(directory, "summary.json"), createSyntheticSummary(seed));
}

export function createSyntheticSummary(seed = 1): Summary {
  const scores = (tgc: number, sgc: number, docs: number) => ({
    dev: createScore(tgc, sgc, docs),
    "test-normal": createScore(tgc - 0.021, sgc - 0.033, docs),
    "dev@T1": createScore(tgc - 0.05, sgc - 0.08, docs),
    "test-normal@T1": createScore(tgc - 0.07, sgc - 0.1, docs),
  });
  return {
    recipe: "starter",
    seed,
    seconds: 561.3,
    rollouts: 9600,
    before: scores(0.433, 0.2, 0.4),
    after: scores(0.861, 0.733, 1.2),
    reward: { first: 0.52, last: 0.93 },
    warmStart: { demonstrations: 6000, hastyShare: 0.6 },
  };
}

function createScore(tgc: number, sgc: number, docs: number): Score {
  const level = (shift: number, share: number) => ({
    tgc: tgc + shift,
    sgc: sgc + shift,
    tasks: Math.round(180 * share),
    share,
  });
  return {
    tgc,
    sgc,
    tgcInterval: [tgc - 0.07, tgc + 0.06],
    tasks: 180,
    scenarios: 60,
    byDifficulty: { "1": level(0.06, 0.56), "2": level(-0.07, 0.44) },
    reward: tgc + 0.1,
    behaviour: {
      turns: 3.1,
      docs_calls: docs,
      api_calls: 4.4 + docs,
      failed_calls: 0.31 - docs / 6,
      errors_per_turn: 0.08,
      give_up_rate: 0.2,
    },
  };
}

function createSyntheticMetrics(rng: Rng): MetricLine[] {
  const warm = Array.from(
    { length: 188 },
    (_, i): MetricLine => ({
      phase: "warm",
      step: i + 1,
      "warm/loss": 0.12 + 5.6 * Math.exp(-i / 25) + 0.02 * rng.uniform(),
    }),
  );
  const loop = Array.from(
    { length: 40 },
    (_, i): MetricLine => ({
      phase: "loop",
      step: i + 1,
      "reward/mean": 0.93 - 0.42 * Math.exp(-i / 9) + 0.03 * rng.normal(),
      "reward/pass_rate": 0.85 - 0.45 * Math.exp(-i / 9) + 0.03 * rng.normal(),
      "ratio/clip_fraction": 0.02 + 0.03 * rng.uniform(),
      "gradient/norm": 0.4 + 0.3 * rng.uniform(),
      "logprob/sampler_gap": 2e-6 + 1e-5 * rng.uniform(),
      "rollout/kept": Math.round(150 * Math.exp(-i / 18)),
      "behaviour/docs_calls": 0.4 + i * 0.02,
    }),
  );
  const evaluations = [0, 10, 20, 30, 40].map(
    (iteration): MetricLine => ({
      phase: "eval",
      step: iteration,
      "tgc/dev": 0.86 - 0.43 * Math.exp(-iteration / 12),
    }),
  );
  return [...warm, ...loop, ...evaluations];
}

type EncodeText = (text: string) => readonly number[];

export function createSyntheticRollout(
  id: string,
  task: (typeof TASKS)[number],
  solved: boolean,
  encode: EncodeText,
): Rollout {
  const cells = solved ? task.careful : task.hasty;
  const ids: number[] = [1, ...encode(task.instruction), 2];
  const mask: (0 | 1)[] = ids.map(() => 0);
  const turns = cells.map((code, i): Turn => {
    const sampled = [...encode(code), 3];
    const span: [number, number] = [ids.length, ids.length + sampled.length];
    const observation = task.seen[i] ?? "";
    const environment = [...encode(observation), 2];
    ids.push(...sampled, ...environment);
    mask.push(...sampled.map(() => 1 as const), ...environment.map(() => 0 as const));
    const calls = [...code.matchAll(/apis\.(\w+)\.(\w+)/g)].map(([, app, api]) => ({
      app: app!,
      api: api!,
      args: {},
      status: 200,
      wrote: api === "send",
    }));
    return { message: code, code, observation, status: "ok", calls, span };
  });
  return {
    version: 1,
    id,
    task: {
      id,
      scenario: id.replace(/\/\d+$/, ""),
      split: "test-normal",
      difficulty: 1,
      signature: task.signature,
      instruction: task.instruction,
    },
    index: 0,
    stream: 7,
    temperature: 1,
    policyVersion: 3,
    turns,
    tokens: { ids, mask, logprobs: ids.map((_, i) => (mask[i] === 1 ? -0.1 : 0)) },
    outcome: "finished",
    evaluation: {
      passed: solved,
      finished: true,
      checks: [
        {
          name: "the transfers are as asked",
          label: "progress",
          passed: solved,
          ...(solved ? {} : { detail: "expected 3 new rows in pay.transfers, found 1" }),
        },
        { name: "nothing else changed", label: "guard", passed: true },
      ],
    },
  };
}

/** Creates the notes on a rollout's tokens: one advantage for all of them, and ratios near 1. */
function createTokenNotes(rollout: Rollout, rng: Rng): unknown {
  const positions = rollout.tokens!.mask.flatMap((bit, i) => (bit === 1 ? [i] : []));
  const advantage = rollout.evaluation?.passed ? 0.35 : -0.45;
  return {
    id: rollout.id,
    advantage,
    at: positions,
    ratios: positions.map(() => 1 + 0.06 * rng.normal()),
  };
}
