/**
 * Makes five unusual runs with fake engines, each in a second: one with token prices, one with a rewritten context, one
 * with other participants, one with a memory, and one with a custom agent.
 */
import { join } from "node:path";
import { type AgentContext, trainAgent } from "../../../src/server/index.ts";
import type { SessionMessage } from "../../../src/spec/index.ts";
import { fakeMakers, tableEngine } from "../../../src/testing/index.ts";
import { resolveConfig, trainWith } from "../../../src/train/index.ts";

const TINY_FIELDS = {
  "tokenizer.vocabularySize": 280,
  "tokenizer.minimumCount": 5,
  "warm.demonstrations": 48,
  "warm.rows": 8,
  "warm.learningRate": 0.8,
  "warm.hastyShare": 0.6,
  "world.trainScenarios": 4,
  "algo.iterations": 2,
  "algo.tasksPerIteration": 4,
  "algo.groupSize": 4,
  "algo.minibatch": 0,
  "optimizer.learningRate": 0.1,
  "scaffold.maxTurns": 4,
  "scaffold.maxTurnTokens": 6,
  "scaffold.maxTokens": 160,
  "evaluation.scenarios": 1,
  "evaluation.every": 0,
  "evaluation.scores": ["dev", "test-normal"],
};

/** The configuration fields of each run, by its name. */
const FIELDS_BY_RUN = {
  priced: {
    "budget.prefillPrice": 0.5,
    "budget.cachedPrice": 0.1,
    "budget.samplePrice": 2,
    "budget.trainPrice": 4,
    "budget.ceiling": 1,
  },
  summary: { "context.kind": "summary", "context.tokens": 24, "scaffold.maxTurns": 3 },
  cast: {
    "participants.user": "policy",
    "participants.trainedUser": true,
    "participants.trainedUser.opposed": true,
    "credit.key": "role",
  },
  memory: { "memory.kind": "q-values", "collect.attempts.most": 2 },
} as const;

export type UnusualRun = keyof typeof FIELDS_BY_RUN | "agent";

/** Makes all unusual runs under `folder`. */
export async function makeUnusualRuns(folder: string): Promise<void> {
  for (const [name, fields] of Object.entries(FIELDS_BY_RUN)) {
    const config = resolveConfig({
      recipe: "smoke/on-policy",
      overrides: { ...TINY_FIELDS, ...fields },
    });
    await trainWith(fakeMakers(), config, { out: join(folder, name) });
  }
  await trainAgent({
    tasks: { train: makeWordTasks(8), dev: makeWordTasks(4, 100) },
    run: runTwoAgents,
    engine: ({ model }) => tableEngine(model.vocabularySize),
    out: join(folder, "agent"),
    warmStart: {
      teacher: (_, { rng }) => ({ text: rng.chance(0.5) ? "y" : "n" }),
      demonstrations: 16,
    },
    overrides: AGENT_FIELDS,
  });
}

const AGENT_FIELDS = {
  "algo.iterations": 2,
  "algo.tasksPerIteration": 4,
  "algo.groupSize": 4,
  "scaffold.maxTurnTokens": 2,
  "warm.rows": 4,
  "warm.epochs": 2,
  "tokenizer.vocabularySize": 300,
  "optimizer.learningRate": 0.3,
  "optimizer.finalRate": 1,
};

interface WordTask {
  readonly id: string;
}

const makeWordTasks = (count: number, from = 0): WordTask[] =>
  Array.from({ length: count }, (_, i) => ({ id: `word ${from + i}` }));

const userMessage = (text: string): SessionMessage => ({
  role: "user",
  parts: [{ type: "text", text }],
});

/** An agent with two conversations: one answers a question twice, the other judges the answer. */
async function runTwoAgents(_: WordTask, { session }: AgentContext): Promise<number> {
  const asked = [userMessage("y or n")];
  const first = await session.respond({ messages: asked });
  const back = { role: "assistant", parts: first.parts, ids: [first.id] } as const;
  await session.respond({ messages: [...asked, back, userMessage("sure?")] });
  await session.respond({ messages: [userMessage("was it right?")] });
  const said = first.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  return said === "y" ? 1 : 0;
}
