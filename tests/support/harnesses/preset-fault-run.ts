/**
 * Plays episodes of the presets with harnesses that die, hang, end with 0 without a result, record failures and write
 * garbage, and prints what was counted and what was left behind:
 *
 *   npx tsc -b
 *   node --expose-gc --import tsx --import ./tests/campaign/use-build.mjs \
 *     tests/support/harnesses/preset-fault-run.ts [EPISODES]
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mapConcurrently } from "../../../src/core/index.ts";
import {
  type AgentContext,
  harbor,
  nemoGym,
  openGateway,
  type RunAgent,
  tau2,
  verifiers,
} from "../../../src/server/index.ts";
import { scriptedSession } from "../../../src/testing/index.ts";
import { startRestartingProgram } from "../restarting-program.ts";

const episodes = Number(process.argv[2] ?? 1000);
const FAULTS = ["", "failed", "garbage", "silent", "exits", "dies"];
const HANGS_EVERY = 100;
const FAKE = fileURLToPath(new URL("./fake-harness.mjs", import.meta.url));
const FAKE_GYM = fileURLToPath(new URL("./fake-gym.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bowline-preset-faults-"));
const program = join(folder, "harness");
writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${FAKE}" "$@"\n`);
chmodSync(program, 0o755);

const limits = { timeoutSeconds: 20, graceSeconds: 0.2 };
const createOptions = (fake: string, fault: string) => ({
  ...{ program, env: { FAKE: fake, FAULT: fault, USER_KEY: "user" }, ...limits },
});

/** Finds a port that is free now. */
async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
const modelPort = await findFreePort();
const gym = await startRestartingProgram(FAKE_GYM, { MODEL_PORT: String(modelPort) });
/** One agent for all rows, because it holds the model's port. */
const gymAgent = nemoGym({ agent: gym.url, modelPort, timeoutSeconds: 8 });

/** An agent, a task, the reward of an episode without a fault, and the names of failures that its faults have. */
type Case = readonly [RunAgent<never>, unknown, number, readonly string[]];
function createCase(i: number, fault: string): Case {
  const user = { userModel: "openai/u", userKeyFrom: "USER_KEY" };
  const row = { fault: fault === "dies" && i % 8 === 3 ? "cut" : fault };
  const cases: readonly (() => Case)[] = [
    () => [
      verifiers({ ...createOptions("verifiers", fault), taskset: "t" }),
      ...([{ idx: i }, 0.5, ["exit-code"]] as const),
    ],
    () => [
      harbor({ ...createOptions("harbor", fault), agent: "a" }),
      ...([{ path: "t" }, 1, ["exit-code"]] as const),
    ],
    () => [
      tau2({ ...createOptions("tau2", fault), ...user, domain: "d", data: folder }),
      ...([{ id: "1" }, 1, ["exit-code"]] as const),
    ],
    () => [
      gymAgent,
      { ...row, responses_create_params: { input: "?" } },
      ...([1, ["server", "no-reward", "bad-reward"]] as const),
    ],
  ];
  return cases[i % cases.length]!();
}

const gateway = await openGateway();
const countFolders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith("bowline-episode-")).length;
const foldersBefore = countFolders();
const wrong: object[] = [];
const counts = { finished: 0, failed: 0, lost: 0 };
const memoryMb: number[] = [];

/** Plays one episode and counts it. */
async function play(i: number): Promise<void> {
  const fault =
    i % HANGS_EVERY >= HANGS_EVERY - 4 && i % 4 === Math.floor(i / HANGS_EVERY) % 4
      ? "hangs"
      : FAULTS[Math.floor(i / 4) % FAULTS.length]!;
  const [agent, task, reward, failures] = createCase(i, fault);
  const session = { ...scriptedSession(() => "yes"), id: `e${i}` };
  const episode = gateway.open(session);
  const context: AgentContext = {
    ...{ session, signal: new AbortController().signal, model: undefined as never },
    ...{ apiKey: episode.key, baseURL: episode.openaiBaseURL },
    ...{ anthropicBaseURL: episode.anthropicBaseURL, googleBaseURL: episode.googleBaseURL },
  };
  const outcome = await Promise.resolve(agent(task as never, context)).then(
    // An answer without a reward is no result, and `train` makes it the failure "no-reward".
    (result) => result ?? Object.assign(new Error("nothing"), { name: "no-reward" }),
    (error: Error) => error,
  );
  if (agent !== gymAgent) await agent.settled?.();
  episode.close();
  const isError = outcome instanceof Error;
  // A gym that dies fails the other episodes that it plays at that moment, and a busy machine is late.
  const lostBy = agent === gymAgent ? ["server", "time"] : ["time"];
  const isLost = fault === "" && isError && lostBy.includes(outcome.name);
  const isRight =
    fault === ""
      ? isLost || (outcome as { reward?: number }).reward === reward
      : isError && [...failures, "time"].includes(outcome.name);
  if (!isRight) wrong.push({ i, fault, outcome: String(outcome) });
  counts[isLost ? "lost" : isError ? "failed" : "finished"] += 1;
}

const numbers = Array.from({ length: episodes }, (_, i) => i);
let played = 0;
await mapConcurrently(numbers, 4, async (i) => {
  await play(i);
  played += 1;
  if (played === Math.min(100, episodes / 2) || played === episodes) {
    globalThis.gc?.();
    memoryMb.push(process.memoryUsage().rss / 2 ** 20);
  }
});
await gymAgent.settled!();
await gateway.close();
const restarts = gym.restarts();
await gym.stop();
const left = {
  foldersLeft: countFolders() - foldersBefore,
  resultsLeft: readdirSync(join(folder, "simulations")).length,
  processesLeft: readdirSync("/proc").filter(isHarness).length,
};
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ played, ...counts, restarts, wrong, memoryMb, ...left }));

/** Tells whether a process is a harness or a gym of this script. */
function isHarness(pid: string): boolean {
  if (!/^\d+$/.test(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
  } catch {
    return false;
  }
}
