/**
 * Plays hundreds of episodes of an environment whose programs die, hang, answer garbage and leave processes behind.
 * Nothing is counted twice, no reward is invented, no process and no folder is left, and memory does not grow. Then a
 * whole run is killed, and its programs end with it.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { compactScaffold, conversationRenderer } from "../../src/agent/index.ts";
import { mapConcurrently } from "../../src/core/index.ts";
import { openAgentConnections } from "../../src/server/agent/agent-connections.ts";
import { createTaskAgent } from "../../src/server/agent/train-agent.ts";
import { isGroupAlive } from "../../src/server/environment/process-group.ts";
import { command } from "../../src/server/index.ts";
import type { Policy } from "../../src/spec/index.ts";
import { fakeWorld } from "../../src/testing/index.ts";
import {
  CHAT_TOKENS,
  createNewModelText,
  defaultChatFormat,
  trainTokenizer,
} from "../../src/text/index.ts";
import { resolveConfig } from "../../src/train/index.ts";
import { CLI_PATH, createTemporaryFolder } from "../e2e/support/cli.ts";
import { readRetainedBytes, usualGrowth } from "../support/retained-memory.ts";
import { sweepSize } from "../support/sweep.ts";

const EPISODES = Number(process.env["BOWLINE_EPISODES"] ?? sweepSize(300, 1000));
/**
 * The growth that is allowed in 100 episodes. Without the test runner, this loop had 220 MB of resident memory after 100
 * episodes and 221 MB after 1,000.
 */
const MEMORY_MB = 5;
const folder = createTemporaryFolder();
afterAll(() => folder.remove());
const pids = join(folder.path, "pids");

/** What a program does, and the reward or the failure that must follow. `R` is the reward of its task. */
const KINDS: readonly { readonly script: string; readonly failure?: string }[] = [
  { script: 'echo $R > "$BOWLINE_REWARD"' },
  { script: 'echo "{\\"reward\\": $R}"' },
  { script: 'echo $R > "$BOWLINE_REWARD"; exit 3', failure: "exit-code" },
  { script: 'echo "{\\"reward\\": $R}"; kill -9 $$', failure: "killed" },
  { script: 'echo "{\\"reward\\": $R}"; echo "{\\"reward\\": 0."', failure: "bad-reward" },
  { script: "echo $R", failure: "no-reward" },
  { script: '(sleep 60; echo 1 > "$BOWLINE_REWARD") & echo $R > "$BOWLINE_REWARD"' },
  { script: 'echo 2 > "$BOWLINE_REWARD"', failure: "bad-reward" },
  { script: 'head -c 300000 /dev/zero | tr "\\0" "x"; echo; echo "{\\"reward\\": $R}"' },
  { script: 'head -c 9000 /dev/urandom > "$BOWLINE_REWARD"', failure: "bad-reward" },
];
/** Every fiftieth program hangs instead, with a child, and ignores the request to end. */
const HANGS = { script: "trap '' TERM; sleep 60 & sleep 60", failure: "time" };

const chooseKind = (i: number) => (i % 50 === 7 ? HANGS : KINDS[i % KINDS.length]!);
const tasks = Array.from({ length: EPISODES }, (_, i) => ({
  id: String(i),
  reward: ((i * 37) % 1000) / 1000,
}));

/** Each program is a shell that runs the script of its task, whose number stands in the episode's name. */
const run = command<(typeof tasks)[number]>({
  command: `one=\${BOWLINE_EPISODE#1/}; . ${folder.path}/\${one%/0}.sh`,
  ...{ timeoutSeconds: 8, graceSeconds: 0.2 },
});

const UNUSED_POLICY: Policy = {
  kind: "tokens",
  sample: () => Promise.reject(new Error("nobody asks")),
  release: () => {},
};
const readMegabytes = () => Math.round(readRetainedBytes() / 1e6);
const countFolders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith("bowline-episode-")).length;

test("faulty programs invent no reward, are counted once, and leave nothing behind", async () => {
  const json = trainTokenizer(["yes"], {
    ...{ vocabularySize: 300, minimumCount: 2, specials: CHAT_TOKENS },
  });
  const text = createNewModelText(json, defaultChatFormat(256));
  const renderer = conversationRenderer({
    ...{ template: text.chatTemplate(), tokenizer: text.tokenizer },
    stopIds: text.generation.stopIds,
  });
  for (const [i, { reward }] of tasks.entries()) {
    const { script } = chooseKind(i);
    writeFileSync(join(folder.path, `${i}.sh`), `R=${reward}; echo $$ >> ${pids}; ${script}`);
  }
  const foldersBefore = countFolders();
  const connections = await openAgentConnections();
  const { agent, world } = createTaskAgent({ tasks, run, out: "" }, connections, undefined);
  const { play } = agent.player(renderer, resolveConfig({ recipe: "agent" }));
  let done = 0;
  // Episodes that go on hold memory of their own, so the least of several measurements counts in each hundred.
  const retained: number[] = [];
  const measure = (episode: number) => {
    const hundred = Math.floor(episode / 100);
    retained[hundred] = Math.min(retained[hundred] ?? Number.POSITIVE_INFINITY, readMegabytes());
  };
  const rollouts = await mapConcurrently(world!.tasks("train"), 4, async (task, index) => {
    const rollout = await play(fakeWorld(), task, {
      ...{ policy: UNUSED_POLICY, scaffold: compactScaffold() },
      ...{ id: `1/${index}/0`, index, stream: index, temperature: 1 },
    });
    if (++done % 20 === 0) measure(done - 1);
    return rollout;
  });
  await run.settled!();
  await connections.close();
  measure(done - 1);
  console.log(`retained, the least in every 100 episodes: ${retained.join(", ")} MB`);
  expect(rollouts.map(({ failure, evaluation }) => failure?.code ?? evaluation?.reward)).toEqual(
    tasks.map(({ reward }, i) => chooseKind(i).failure ?? reward),
  );
  expect(
    rollouts.every((one) => (one.outcome === "failed") === (one.evaluation === undefined)),
  ).toBe(true);
  expect(new Set(rollouts.map(({ id }) => id)).size).toBe(EPISODES);
  const groups = readFileSync(pids, "utf8").trim().split("\n").map(Number);
  expect(groups).toHaveLength(EPISODES);
  expect(groups.filter(isGroupAlive)).toEqual([]);
  expect(countFolders()).toBe(foldersBefore);
  expect(usualGrowth(retained)).toBeLessThanOrEqual(MEMORY_MB);
});

test.each(["SIGINT", "SIGKILL"] as const)(
  "a run that gets %s in the middle of an episode leaves no program",
  async (signal) => {
    const group = join(folder.path, `group-${signal}`);
    const file = join(folder.path, `env-${signal}.json`);
    const messages = [
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
    ];
    const start = join(folder.path, "start.jsonl");
    writeFileSync(start, `${JSON.stringify({ messages })}\n`.repeat(2));
    const hang = `echo $$ >> ${group}; sleep 300 & sleep 300`;
    writeFileSync(file, JSON.stringify({ command: hang, tasks: [1], conversations: start }));
    const small = ["--model.layers", "1", "--model.hidden-size", "32", "--model.heads", "2"];
    const fields = ["--tokenizer.vocabulary-size", "300", "--warm.rows", "2", "--run.gates", "off"];
    const out = ["--out", join(folder.path, `run-${signal}`)];
    const args = ["train", "--environment", file, ...out, ...small, ...fields];
    const env = { ...process.env, BOWLINE_HOME: join(folder.path, "home") };
    const child = spawn(process.execPath, [CLI_PATH, ...args], { env, stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    while (!existsSync(group) || readFileSync(group, "utf8") === "") await wait(20);
    const listAlive = () =>
      readFileSync(group, "utf8").trim().split("\n").map(Number).filter(isGroupAlive);
    expect(listAlive()).not.toEqual([]);
    child.kill(signal);
    await ended;
    // After a violent death the guard asks, waits two seconds, and kills.
    for (let i = 0; i < 500 && listAlive().length > 0; i++) await wait(20);
    expect(listAlive()).toEqual([]);
  },
);
