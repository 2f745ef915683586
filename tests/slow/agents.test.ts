/**
 * The agents of `examples/agents` over the real packages: one of them learns as its page says, the others come through a
 * small run. What is sampled is what is learned from, or the first ratio, off 1, would stop the run.
 */
import { join } from "node:path";
import type { RunAgent } from "bowline";
import { afterAll, expect, test, vi } from "vitest";
import { run as aiSdk } from "../../examples/agents/ai-sdk.ts";
import { run as openaiAgents } from "../../examples/agents/openai-agents.ts";
import { run as openaiClient } from "../../examples/agents/openai-client.ts";
import type { ShopTask } from "../../examples/agents/shop.ts";
import { train } from "../../examples/agents/train.ts";
import { readRollouts } from "../../src/train/index.ts";
import { temporaryFolder } from "../e2e/support/cli.ts";

vi.setConfig({ testTimeout: 1_800_000 });

const folder = temporaryFolder();
afterAll(folder.remove);
const at = (name: string) => join(folder.path, name);
const quiet = () => {};

test("an agent of the AI SDK learns to look before it acts", async () => {
  const { before, after } = await train(aiSdk, at("learns"), { "run.seed": 1 }, quiet);
  expect(before["dev@T1"]!.reward).toBeLessThanOrEqual(0.3);
  expect(after["dev@T1"]!.reward).toBeGreaterThanOrEqual(0.8);
});

const SMALL = {
  "warm.demonstrations": 200,
  "warm.rows": 8,
  "algo.iterations": 1,
  "algo.tasksPerIteration": 4,
};

const others: readonly (readonly [string, RunAgent<ShopTask>])[] = [
  ["openai-client", openaiClient],
  ["openai-agents", openaiAgents],
];

test.each(others)("an agent of %s is trained over HTTP", async (name, run) => {
  await train(run, at(name), SMALL, quiet);
  const rollouts = readRollouts(at(name), "train-0001");
  expect(rollouts.flatMap(({ failure }) => failure?.message ?? [])).toEqual([]);
  for (const { session, turns, tokens, segments } of rollouts) {
    expect(session).toMatchObject({ roots: 1, retries: 0, branches: 0, edits: 0 });
    expect(turns).toHaveLength(session!.answers);
    expect(segments).toBeUndefined();
    const sampled = turns.flatMap(({ span }) => tokens!.ids.slice(...span!));
    expect(tokens!.ids.filter((_, i) => tokens!.mask[i] === 1)).toEqual(sampled);
  }
});
