/** Tests trainAgent with fakes: what is trained, what counts as a failure, and that a killed run resumes exactly. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createMemoryFolder, fakeWorld, tableEngine } from "../../testing/index.ts";
import { openTextDirectory } from "../../text/index.ts";
import { evaluate, loadPolicy, readRollouts } from "../../train/index.ts";
import type { AgentContext } from "./options.ts";
import { trainAgent } from "./train-agent.ts";

interface Guess {
  readonly id: string;
  readonly right: string;
}

const guesses = (count: number, from = 0): Guess[] =>
  Array.from({ length: count }, (_, i) => ({ id: `g${from + i}`, right: "y" }));

/** Asks the model once and rewards the right word. */
async function guess(task: Guess, { session }: AgentContext): Promise<number> {
  const { parts } = await session.respond({
    messages: [{ role: "user", parts: [{ type: "text", text: "y or n" }] }],
  });
  const said = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  return said === task.right ? 1 : 0;
}

const FIELDS = {
  "algo.iterations": 3,
  "algo.tasksPerIteration": 4,
  "algo.groupSize": 4,
  "scaffold.maxTurnTokens": 2,
  "warm.rows": 4,
  "warm.epochs": 2,
  "tokenizer.vocabularySize": 300,
  "optimizer.learningRate": 0.3,
  "optimizer.finalRate": 1,
};

const PUBLISHED = fileURLToPath(new URL("../../../tests/golden/hf-qwen2", import.meta.url));
const root = createMemoryFolder("bowline-train-agent-");
let folders = 0;
const createFolder = () => join(root, String(++folders));

function createOptions(out: string, more: object = {}) {
  return {
    tasks: { train: guesses(8), dev: guesses(4, 100) },
    run: guess,
    warmStart: {
      teacher: (_: unknown, { rng }: { rng: { chance(p: number): boolean } }) => ({
        text: rng.chance(0.5) ? "y" : "n",
      }),
      demonstrations: 16,
    },
    engine: ({ model }: { model: { vocabularySize: number } }) => tableEngine(model.vocabularySize),
    out,
    ...more,
    overrides: { ...FIELDS, ...(more as { overrides?: object }).overrides },
  };
}

describe("trainAgent", () => {
  it("trains the user's agent: rewards become returns and sessions become rows", async () => {
    const out = createFolder();
    const summary = await trainAgent(createOptions(out));
    expect(summary.rollouts).toBe(48);
    expect(summary.after["dev@T1"]!.tasks).toBe(4);
    const [first] = readRollouts(out, "train-0001");
    expect(first).toMatchObject({
      version: 2,
      outcome: "finished",
      session: { answers: 1, roots: 1 },
    });
    expect(first!.evaluation!.reward).toBe(Number(first!.evaluation!.passed));
    expect(first!.tokens!.mask.filter((m) => m === 1).length).toBeGreaterThan(0);
    const lines = readFileSync(join(out, "metrics.jsonl"), "utf8");
    expect(lines).toContain('"session/answers":1');
  });

  it("resumes after a kill in the middle of an iteration with the same numbers as an undisturbed run", async () => {
    const whole = createFolder();
    const played: string[] = [];
    const recordPlayed = async (task: Guess, context: AgentContext) => {
      played.push(context.session.id);
      return guess(task, context);
    };
    await trainAgent(createOptions(whole, { run: recordPlayed }));
    const all = played.splice(0);
    const killed = createFolder();
    const stop = new AbortController();
    const dying = (task: Guess, context: AgentContext) => {
      if (context.session.id === "2/1/2") stop.abort();
      return recordPlayed(task, context);
    };
    const one = { "world.episodes": 1 };
    await expect(
      trainAgent(createOptions(killed, { run: dying, signal: stop.signal, overrides: one })),
    ).rejects.toThrow();
    const before = played.filter((id) => id.startsWith("2/") && id !== "2/1/2");
    expect(before.length).toBeGreaterThan(4);
    played.length = 0;
    await trainAgent(createOptions(killed, { run: recordPlayed, overrides: one }));
    expect(played.filter((id) => before.includes(id))).toEqual([]);
    expect(all.filter((id) => id.startsWith("2/"))).toHaveLength(
      before.length + played.filter((id) => id.startsWith("2/")).length,
    );
    const files = [
      "metrics.jsonl",
      "rollouts/train-0002.jsonl",
      "rollouts/eval-after-dev-T1.jsonl",
    ];
    for (const file of files) {
      const [a, b] = [killed, whole].map((out) => readFileSync(join(out, file), "utf8"));
      expect(a).toBe(b);
    }
  });

  it("saves a policy that answers conversations and that only the user's agent can play", async () => {
    const out = createFolder();
    const { engine } = createOptions(out);
    await trainAgent(createOptions(out, { overrides: { "algo.iterations": 1 } }));
    await using policy = await loadPolicy(out, { engine });
    const said = await policy.generate([{ role: "user", content: "價格 😀" }], { maxTokens: 4 });
    expect(said.promptTokens).toBeGreaterThan(8);
    const tools = [{ name: "look", parameters: { type: "object", properties: { at: {} } } }];
    const asked = { messages: [{ role: "user" as const, parts: [] }], tools };
    expect(policy.session().countTokens(asked)).toBeGreaterThan(10);
    await expect(evaluate({ policy: out, split: "dev", engine })).rejects.toThrow(
      /trained by trainAgent\(\) with an agent of your own/,
    );
  });

  it("plays in a world, whose checks decide when the agent returns nothing", async () => {
    const out = createFolder();
    const { warmStart, engine } = createOptions(out);
    const teacher = warmStart.teacher as () => { text: string };
    await trainAgent({
      world: fakeWorld(),
      engine,
      out,
      warmStart: { teacher, demonstrations: 16 },
      overrides: { ...FIELDS, "algo.iterations": 1, "evaluation.scenarios": 2 },
      async run(task, { session, episode }) {
        const { parts } = await session.respond({
          messages: [{ role: "user", parts: [{ type: "text", text: task.instruction }] }],
        });
        const [first] = parts;
        await episode.step(first?.type === "text" && first.text.includes("y") ? "yes" : "no");
      },
    });
    const rewards = readRollouts(out, "train-0001").map(({ evaluation }) => evaluation);
    expect(rewards.every((one) => one?.finished && one.checks.length === 2)).toBe(true);
    expect(rewards.every((one) => one?.reward === undefined)).toBe(true);
  });

  it.each(["rloo", "grpo", "ei"])("trains with the method %s", async (method) => {
    const out = createFolder();
    const summary = await trainAgent(
      createOptions(out, { method, overrides: { "algo.iterations": 1 } }),
    );
    expect(summary.method).toBe(method);
    expect(summary.rollouts).toBeGreaterThan(0);
  });

  it("uses a published model's own chat template, without a warm start", async () => {
    const out = createFolder();
    const { warmStart: _, ...rest } = createOptions(out, {
      overrides: {
        "algo.iterations": 1,
        "engine.model": PUBLISHED,
        "model.contextLength": 128,
        "scaffold.maxTokens": 128,
      },
    });
    const { "tokenizer.vocabularySize": __, ...overrides } = rest.overrides as Record<
      string,
      unknown
    >;
    await trainAgent({ ...rest, overrides });
    const [first] = readRollouts(out, "train-0001");
    const { tokenizer } = openTextDirectory(PUBLISHED);
    expect(tokenizer.decode(first!.tokens!.ids)).toContain("<|im_start|>user\ny or n<|im_end|>");
  });

  it("counts an agent's errors as failed rollouts and stops when too many fail", async () => {
    const failing = (share: number) => {
      let played = 0;
      return async (task: Guess, context: AgentContext) => {
        const reward = await guess(task, context);
        played += 1;
        if (played > 20 && played % Math.round(1 / share) === 0) throw new TypeError("no such key");
        return reward;
      };
    };
    const out = createFolder();
    await trainAgent(
      createOptions(out, { run: failing(0.1), overrides: { "scaffold.maxFailed": 0.5 } }),
    );
    const failed = [1, 2, 3]
      .flatMap((n) => readRollouts(out, `train-000${n}`))
      .filter(({ outcome }) => outcome === "failed");
    expect(failed.length).toBeGreaterThan(0);
    expect(failed[0]!.failure).toMatchObject({ boundary: "agent", code: "TypeError" });
    expect(failed[0]!.evaluation).toBeUndefined();
    await expect(trainAgent(createOptions(createFolder(), { run: failing(1) }))).rejects.toThrow(
      /rollouts failed.*at the agent: no such key/,
    );
  });

  it("does not count a missing reward as zero", async () => {
    const silent = async (task: Guess, context: AgentContext) => {
      await guess(task, context);
      return undefined;
    };
    // It already fails in the lessons, at the start of the run.
    await expect(trainAgent(createOptions(createFolder(), { run: silent }))).rejects.toThrow(
      /the agent returned no reward/,
    );
  });

  it("accepts a reward that the agent posted to the episode's URL", async () => {
    const posting = async (task: Guess, context: AgentContext) => {
      const reward = await guess(task, context);
      const url = context.baseURL.replace(/\/openai\/v1$/, "/reward");
      await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${context.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ value: reward, metrics: { posted: 1 } }),
      });
    };
    const out = createFolder();
    await trainAgent(createOptions(out, { run: posting, overrides: { "algo.iterations": 1 } }));
    const [first] = readRollouts(out, "train-0001");
    expect(first!.evaluation!.metrics).toEqual({ posted: 1 });
    expect(readFileSync(join(out, "metrics.jsonl"), "utf8")).toContain('"agent/posted":1');
  });

  it.each([
    [{ run: 3 }, /run: expected a function .* got 3/],
    [{ tasks: [] }, /tasks: expected at least one task/],
    [{ tasks: { train: [{ id: "a" }, { id: "a" }] } }, /two tasks of train have the id/],
    [
      { tasks: { train: [{ q: 1 }, { q: 2 }], dev: [{ q: 3 }, { q: 2 }] } },
      /tasks: 1 task is both in train and in dev, the first is train\[1\] = dev\[1\] \(\{"q":2\}\)/,
    ],
    [
      { tasks: { train: guesses(4), test: guesses(4) } },
      /tasks: 4 tasks are both in train and in test, the first is train\[0\] = test\[0\]/,
    ],
    [{ passAt: 2 }, /passAt: expected a number above 0/],
    [{ world: "toy" }, /tasks: expected either your own tasks or a `world`/],
    [{ warmStart: {} }, /warmStart: expected \{ conversations/],
    [{ rum: 1 }, /rum/],
    [{ method: "dpo-mcts" }, /the method dpo-mcts.* shapes rollouts/],
  ])("refuses the options %j with an error that names the option", async (wrong, message) => {
    await expect(trainAgent(createOptions(createFolder(), wrong) as never)).rejects.toThrow(
      message,
    );
  });
});
