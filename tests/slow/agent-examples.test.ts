/**
 * Trains each agent of `examples/agents` in a small run with the real packages. A run stops when its first ratio
 * differs from 1, so a run that ends shows that it learned from the tokens that were sampled. `npm run test:all` shows
 * that one of the agents gets better.
 */
import { join } from "node:path";
import type { RunAgent } from "bowline";
import { afterAll, expect, test } from "vitest";
import { run as aiSdk } from "../../examples/agents/ai-sdk.ts";
import { run as openaiAgents } from "../../examples/agents/openai-agents.ts";
import { run as openaiClient } from "../../examples/agents/openai-client.ts";
import type { ShopTask } from "../../examples/agents/shop.ts";
import { train } from "../../examples/agents/train.ts";
import { readRollouts } from "../../src/train/index.ts";
import { createTemporaryFolder } from "../e2e/support/cli.ts";

const folder = createTemporaryFolder();
afterAll(folder.remove);
const runFolder = (name: string) => join(folder.path, name);
const ignoreEvents = () => {};

const SMALL = {
  "warm.demonstrations": 200,
  "warm.rows": 8,
  "algo.iterations": 1,
  "algo.tasksPerIteration": 4,
};

const agents: readonly (readonly [string, RunAgent<ShopTask>])[] = [
  ["ai-sdk", aiSdk],
  ["openai-client", openaiClient],
  ["openai-agents", openaiAgents],
];

test.each(agents)("the agent %s is trained on the sampled tokens", async (name, run) => {
  await train(run, runFolder(name), SMALL, ignoreEvents);
  const rollouts = readRollouts(runFolder(name), "train-0001");
  expect(rollouts.flatMap(({ failure }) => failure?.message ?? [])).toEqual([]);
  for (const { session, turns, tokens, segments } of rollouts) {
    expect(session).toMatchObject({ roots: 1, retries: 0, branches: 0, edits: 0 });
    expect(turns).toHaveLength(session!.answers);
    expect(segments).toBeUndefined();
    const sampled = turns.flatMap(({ span }) => tokens!.ids.slice(...span!));
    expect(tokens!.ids.filter((_, i) => tokens!.mask[i] === 1)).toEqual(sampled);
  }
});
