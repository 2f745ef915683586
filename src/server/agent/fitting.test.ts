/** Tests that the limits of an agent which imitates nothing follow ten sessions of the policy that training starts with. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createMemoryFolder, tableEngine } from "../../testing/index.ts";
import type { Fitting, TrainEvent } from "../../train/index.ts";
import type { AgentContext } from "./options.ts";
import { trainAgent } from "./train-agent.ts";

const root = createMemoryFolder("bowline-agent-fitting-");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** An agent that asks eleven questions. A session has at most eight answers, unless the limit is raised. */
async function askElevenTimes(_task: { id: string }, { session }: AgentContext): Promise<number> {
  for (let i = 0; i < 11; i++) {
    const parts = [{ type: "text" as const, text: `question ${i}` }];
    await session.respond({ messages: [{ role: "user", parts }] });
  }
  return 0.5;
}

async function trainAndCount(
  out: string,
  overrides: Record<string, unknown> = {},
  run: typeof askElevenTimes = askElevenTimes,
) {
  let sessions = 0;
  const events: TrainEvent[] = [];
  const tasks = ["a", "b", "c", "d"].map((id) => ({ id }));
  const summary = await trainAgent({
    tasks: { train: tasks, dev: [] },
    run: (task: { id: string }, context: AgentContext) => {
      sessions++;
      return run(task, context);
    },
    engine: ({ model }) => tableEngine(model.vocabularySize),
    out,
    overrides: {
      ...{ "algo.iterations": 1, "algo.tasksPerIteration": 4, "algo.groupSize": 2 },
      ...{ "scaffold.maxTurnTokens": 2, "warm.demonstrations": 0, "run.gates": "off" },
      ...overrides,
    },
    onEvent: (event) => events.push(event),
  });
  const record = existsSync(join(out, "run.json"))
    ? (JSON.parse(readFileSync(join(out, "run.json"), "utf8")) as {
        config: { scaffold: { maxTurns: number; evaluationTurns: number } };
        fitting?: Fitting;
      })
    : undefined;
  return { summary, sessions, events, record: record! };
}

test("ten sessions are played once, and decide the limits that run.json has and a continued run keeps", async () => {
  const out = join(root, "fitted");
  const { sessions, events, record } = await trainAndCount(out);
  expect(sessions).toBe(10 + 8);
  expect(record.fitting).toMatchObject({
    what: "sessions",
    measured: 10,
    fitsBefore: 0,
    fitsAfter: 1,
  });
  const [turns] = record.fitting!.values;
  expect(turns).toMatchObject({ limit: "scaffold.maxTurns", before: 8, largest: 11, lostAfter: 0 });
  expect(record.config.scaffold).toMatchObject({
    maxTurns: turns!.after,
    evaluationTurns: turns!.after,
  });
  expect(turns!.after).toBeGreaterThanOrEqual(11);
  expect(events.filter(({ type }) => type === "fitting")).toHaveLength(1);

  rmSync(join(out, "summary.json"));
  const again = await trainAndCount(out);
  expect(again.sessions).toBe(0);
  expect(again.record).toEqual(record);
});

test("a stopped run continues with the numbers of an uninterrupted one, and measures nothing again", async () => {
  const overrides = { "algo.iterations": 2 };
  const whole = await trainAndCount(join(root, "whole"), overrides);
  const out = join(root, "stopped");
  let plays = 0;
  const stopped = trainAndCount(out, overrides, async (task, context) => {
    if (++plays === 10 + 8 + 3) throw new Error("the service of the agent is down");
    return askElevenTimes(task, context);
  });
  await expect(stopped).rejects.toThrow();
  const rest = await trainAndCount(out, overrides);
  expect(rest.sessions).toBeLessThan(10);
  const metricsOf = (run: string) => readFileSync(join(root, run, "metrics.jsonl"), "utf8");
  expect(metricsOf("stopped")).toBe(metricsOf("whole"));
  expect(rest.record.fitting).toEqual(whole.record.fitting);
});

test("nothing is measured when the user set all limits or switched fitting off", async () => {
  const off = await trainAndCount(join(root, "off"), { "fitting.share": null });
  expect(off).toMatchObject({ sessions: 8, record: { config: { scaffold: { maxTurns: 8 } } } });
  expect(off.record.fitting?.what).toBeUndefined();
});
