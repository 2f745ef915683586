/**
 * Measures the processor time and memory of this process while 200 rollouts at once wait for a remote model.
 * `bowline bench controller` measures the same with client, HTTP and a real world.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runAssignments } from "../../src/methods/index.ts";
import type { Policy, TaskInfo } from "../../src/spec/index.ts";
import { createMemoryFolder } from "../../src/testing/fake-makers.ts";
import { fakeWorld } from "../../src/testing/fake-world.ts";
import { openTextDirectory } from "../../src/text/index.ts";
import { createAgent } from "../../src/train/parts/agent.ts";
import { openJournal } from "../../src/train/run/journal.ts";
import { resolveConfig } from "../../src/train/settings/resolve.ts";

const ROLLOUTS = 200;
const TURNS = 3;
const LATENCY_MS = 100;
/** 200 rollouts with one second for each sample make 200 turns a second, so this limit is one core. */
const MOST_CPU_MS_PER_TURN = 5;
const MOST_HEAP_MB = 256;

it("200 waiting rollouts take less than a core and 256 MB", async () => {
  const directory = fileURLToPath(new URL("../golden/hf-qwen2", import.meta.url));
  const text = openTextDirectory(directory);
  const config = resolveConfig({
    recipe: "loop",
    overrides: { "engine.model": directory, "scaffold.name": "react" },
  });
  const agent = createAgent(config, text.tokenizer, text);
  const turn = agent.renderer.turn("I look.\n\n```js\nmaybe\n```");
  let waiting = 0;
  let mostWaiting = 0;
  const policy: Policy = {
    kind: "tokens",
    async sample() {
      mostWaiting = Math.max(mostWaiting, ++waiting);
      await wait(LATENCY_MS);
      waiting -= 1;
      return { tokens: turn, logprobs: turn.map(() => -0.5), stop: "stop", policyVersion: 0 };
    },
    release: () => {},
  };
  const world = fakeWorld();
  const tasks: readonly TaskInfo[] = world.tasks("train", Math.ceil(ROLLOUTS / 3));
  const folder = createMemoryFolder("bowline-load-");
  const plan = {
    world,
    policy,
    agent,
    temperature: 1,
    maxTurns: TURNS,
    episodes: ROLLOUTS,
    journal: openJournal(join(folder, "train-0001.jsonl")),
  };
  const createAssignments = (round: number) =>
    tasks
      .slice(0, ROLLOUTS)
      .map((task, i) => ({ task, id: `${round}/${i}/0`, index: 0, stream: i }));
  // In the first round V8 compiles the code, so this round is not measured.
  await runAssignments(createAssignments(0), plan);
  const heap = process.memoryUsage().heapUsed;
  const before = process.cpuUsage();
  const rollouts = await runAssignments(createAssignments(1), plan);
  const { user, system } = process.cpuUsage(before);
  rmSync(folder, { recursive: true });
  expect(mostWaiting).toBe(ROLLOUTS);
  expect(rollouts.every(({ turns }) => turns.length === TURNS)).toBe(true);
  expect((user + system) / 1000 / (ROLLOUTS * TURNS)).toBeLessThan(MOST_CPU_MS_PER_TURN);
  expect((process.memoryUsage().heapUsed - heap) / 2 ** 20).toBeLessThan(MOST_HEAP_MB);
});
