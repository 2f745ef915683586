/**
 * Plays 1,000 episodes of the presets' runner with a harness that dies, hangs, ends with 0 without a result, records
 * failures and writes garbage, and prints what was counted and what was left behind:
 *
 *   npx tsc -b
 *   node --import tsx --import ./tests/campaign/use-build.mjs bench/environments/preset-faults.ts [EPISODES]
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mapConcurrently } from "../../src/core/index.ts";
import {
  type AgentContext,
  harbor,
  openGateway,
  type RunAgent,
  tau2,
  verifiers,
} from "../../src/server/index.ts";
import { scriptedSession } from "../../src/testing/index.ts";

const episodes = Number(process.argv[2] ?? 1000);
const FAULTS = ["", "failed", "garbage", "silent", "exits", "dies"];
const FAKE = fileURLToPath(
  new URL("../../tests/support/harnesses/fake-harness.mjs", import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), "bowline-preset-faults-"));
const program = join(folder, "harness");
writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${FAKE}" "$@"\n`);
chmodSync(program, 0o755);

const limits = { timeoutSeconds: 20, graceSeconds: 0.2 };
const createOptions = (fake: string, fault: string) => ({
  ...{ program, env: { FAKE: fake, FAULT: fault, USER_KEY: "user" }, ...limits },
});
/** An agent, a task, and the reward of an episode without a fault. */
type Case = readonly [RunAgent<never>, unknown, number];
function createCase(i: number, fault: string): Case {
  const user = { userModel: "openai/u", userKeyFrom: "USER_KEY" };
  const cases: readonly (() => Case)[] = [
    () => [verifiers({ ...createOptions("verifiers", fault), taskset: "t" }), { idx: i }, 0.5],
    () => [harbor({ ...createOptions("harbor", fault), agent: "a" }), { path: "t" }, 1],
    () => [
      tau2({ ...createOptions("tau2", fault), ...user, domain: "d", data: folder }),
      { id: "1" },
      1,
    ],
  ];
  return cases[i % 3]!();
}

const gateway = await openGateway();
const before = readdirSync(tmpdir()).filter((name) => name.startsWith("bowline-episode-")).length;
const wrong: object[] = [];
let finished = 0;
let failed = 0;
const residentMb: number[] = [];
await mapConcurrently(
  Array.from({ length: episodes }, (_, i) => i),
  4,
  async (i) => {
    const fault = i % 100 === 50 ? "hangs" : FAULTS[Math.floor(i / 3) % FAULTS.length]!;
    const [agent, task, reward] = createCase(i, fault);
    const session = { ...scriptedSession(() => "yes"), id: `e${i}` };
    const episode = gateway.open(session);
    const context: AgentContext = {
      ...{ session, signal: new AbortController().signal, model: undefined as never },
      ...{ apiKey: episode.key, baseURL: episode.openaiBaseURL },
      ...{ anthropicBaseURL: episode.anthropicBaseURL, googleBaseURL: episode.googleBaseURL },
    };
    const outcome = await Promise.resolve(agent(task as never, context)).catch(
      (error: Error) => error,
    );
    await agent.settled?.();
    episode.close();
    const isRight =
      fault === ""
        ? (outcome as { reward?: number }).reward === reward
        : outcome instanceof Error && outcome.name === (fault === "hangs" ? "time" : "exit-code");
    if (!isRight) wrong.push({ i, fault, outcome: String(outcome) });
    if (outcome instanceof Error) failed++;
    else finished++;
    const done = finished + failed;
    if (done % 100 === 0) residentMb.push(Math.round(process.memoryUsage().rss / 1e6));
  },
);
await gateway.close();
const left = {
  folders:
    readdirSync(tmpdir()).filter((name) => name.startsWith("bowline-episode-")).length - before,
  results: readdirSync(join(folder, "simulations")).length,
  processes: readdirSync("/proc").filter(isHarness).length,
};
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ episodes, finished, failed, wrong, left, residentMb }));

/** Tells whether a process is a harness of this script. */
function isHarness(pid: string): boolean {
  if (!/^\d+$/.test(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
  } catch {
    return false;
  }
}
