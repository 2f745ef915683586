/** Tests the training of a model in an environment that is a program, and how such a run continues. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createMemoryFolder, tableEngine } from "../../testing/index.ts";
import { readRollouts } from "../../train/index.ts";
import { trainAgent } from "../agent/index.ts";
import { command } from "./command.ts";

/** A program that asks the model once by OpenAI's dialect and rewards the right word. */
const PROGRAM = `
const { readFileSync, writeFileSync, appendFileSync } = require("node:fs");
const { OPENAI_BASE_URL: url, OPENAI_API_KEY: key, MODEL: model } = process.env;
const task = JSON.parse(readFileSync(process.env.BOWLINE_TASK, "utf8"));
appendFileSync(process.env.PLAYED, process.env.BOWLINE_EPISODE + "\\n");
const messages = [{ role: "user", content: "y or n" }];
fetch(url + "/chat/completions", {
  method: "POST",
  headers: { authorization: "Bearer " + key, "content-type": "application/json" },
  body: JSON.stringify({ model, messages }),
}).then((answer) => answer.json()).then(({ choices }) => {
  if (process.env.BOWLINE_EPISODE === process.env.HANGS) return setTimeout(() => {}, 60000);
  console.log(JSON.stringify({ reward: choices[0].message.content === task.right ? 1 : 0 }));
});
`;

const root = createMemoryFolder("bowline-train-command-");
const program = join(root, "program.cjs");
writeFileSync(program, PROGRAM);

function createOptions(name: string, env: Readonly<Record<string, string>> = {}) {
  const played = join(root, `${name}.played`);
  appendFileSync(played, "");
  const variables = { PLAYED: played, ...env };
  return {
    tasks: [0, 1].map((id) => ({ id, right: "y" })),
    run: command<{ readonly right: string }>({
      command: [process.execPath, program],
      ...{ env: variables, timeoutSeconds: 6, graceSeconds: 1 },
    }),
    warmStart: {
      teacher: (_: unknown, { rng }: { rng: { chance(p: number): boolean } }) => ({
        text: rng.chance(0.5) ? "y" : "n",
      }),
      demonstrations: 4,
    },
    engine: ({ model }: { model: { vocabularySize: number } }) => tableEngine(model.vocabularySize),
    out: join(root, name),
    overrides: {
      "algo.iterations": 1,
      "algo.tasksPerIteration": 2,
      "algo.groupSize": 3,
      "scaffold.maxTurnTokens": 2,
      "scaffold.maxFailed": 0.5,
      "warm.rows": 4,
      "warm.epochs": 2,
      "tokenizer.vocabularySize": 300,
      "evaluation.scores": [],
      "run.gates": "off" as const,
      "world.episodes": 1,
    },
  };
}

const listPlayed = (name: string) =>
  readFileSync(join(root, `${name}.played`), "utf8")
    .split("\n")
    .filter(Boolean);

it("trains with the sampled tokens of the program's requests and its rewards", async () => {
  const summary = await trainAgent(createOptions("whole"));
  expect(summary.rollouts).toBe(6);
  const rollouts = readRollouts(join(root, "whole"), "train-0001");
  for (const { outcome, session, tokens, evaluation } of rollouts) {
    expect({ outcome, answers: session?.answers }).toEqual({ outcome: "finished", answers: 1 });
    expect(tokens!.mask.filter((m) => m === 1).length).toBeGreaterThan(0);
    expect([0, 1]).toContain(evaluation!.reward);
  }
  expect(new Set(rollouts.map(({ id }) => id)).size).toBe(6);
}, 60_000);

it("leaves a rollout that took too long out of its group, also when the run continues", async () => {
  const stop = new AbortController();
  const options = createOptions("late", { HANGS: "1/0/1" });
  const run = Object.assign(
    (task: { readonly right: string }, context: Parameters<typeof options.run>[1]) => {
      if (context.session.id === "1/1/2") stop.abort();
      return options.run(task, context);
    },
    { settled: options.run.settled! },
  );
  await expect(trainAgent({ ...options, run, signal: stop.signal })).rejects.toThrow();
  const before = listPlayed("late").filter((id) => id.startsWith("1/"));
  expect(before).toContain("1/0/1");
  await trainAgent(createOptions("late"));
  const all = listPlayed("late").filter((id) => id.startsWith("1/") && id !== "1/1/2");
  expect(all).toHaveLength(new Set(all).size);
  const first = readRollouts(join(root, "late"), "train-0001");
  expect(first.map(({ id, failure }) => [id, failure?.code]).filter(([, code]) => code)).toEqual([
    ["1/0/1", "time"],
  ]);
  expect(first.find(({ id }) => id === "1/0/1")!.evaluation).toBeUndefined();
}, 60_000);
