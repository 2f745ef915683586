/**
 * Measures the gateway with 200 episodes of 20 calls at once. The gateway is one process and the clients are another.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCommand } from "../e2e/support/cli.ts";
import { ROUNDS } from "./clients/conversation.ts";
import type { ControllerCost } from "./clients/load-controller.ts";

const EPISODES = 200;
const QUESTIONS = 4;
const ANSWERS = QUESTIONS * ROUNDS;
/** Limits the heap, because without a limit V8 collects garbage late and memory shows what the machine has. */
const HEAP_MIB = 512;

const scriptPath = (name: string) => fileURLToPath(new URL(`./clients/${name}`, import.meta.url));

test("the gateway loses no turn of 200 episodes with 20 calls, and takes less than one core and 1 GB", async () => {
  const { answers, cost } = await runLoad();
  const { cpuMs, wallMs, peakBytes } = cost;
  const perAnswerMs = cpuMs / (EPISODES * ANSWERS);
  const mebibytes = (peakBytes / 2 ** 20).toFixed(0);
  console.log(
    `${(cpuMs / wallMs).toFixed(2)} cores, ${perAnswerMs.toFixed(1)} ms an answer, ${mebibytes} MiB`,
  );
  expect(answers).toEqual(Array.from({ length: EPISODES }, () => ANSWERS));
  // The policy takes no time, so the clients keep the process busy. Sixty answers a second, more than any engine gives,
  // must take less than one core.
  expect(perAnswerMs).toBeLessThan(16);
  expect(peakBytes).toBeLessThan(2 ** 30);
});

/**
 * Runs the gateway and the clients. Returns each client's number of answers and the gateway's cost. Fails when a
 * session is wrong.
 */
async function runLoad(): Promise<{ answers: number[]; cost: ControllerCost }> {
  const flags = [`--max-old-space-size=${HEAP_MIB}`, "--import", "tsx"];
  const args = [...flags, scriptPath("load-controller.ts"), String(EPISODES), String(QUESTIONS)];
  const controller = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(controller, "close");
  try {
    const lines = createInterface({ input: controller.stdout })[Symbol.asyncIterator]();
    const places = (await lines.next()).value as string;
    const clients = await runCommand(process.execPath, [scriptPath("load-clients.mjs")], {
      input: places,
    });
    expect(clients.stderr).toBe("");
    controller.stdin.end();
    const cost = (await lines.next()).value as string;
    expect(await ended).toEqual([0, null]);
    return { answers: JSON.parse(clients.stdout), cost: JSON.parse(cost) };
  } finally {
    controller.kill();
  }
}
