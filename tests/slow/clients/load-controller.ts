/**
 * Runs the gateway and its sessions in a separate process, to measure their cost. `load-controller.ts EPISODES
 * QUESTIONS` prints a line of JSON with the addresses and keys of its episodes. When its input ends, it checks every
 * session, and prints the measured cost as a second line.
 */
import { openGateway } from "../../../src/server/index.ts";
import { expectExactRecord, openScriptedSession, ROUNDS } from "./conversation.ts";

/** Processor time, duration and memory of the process. */
export interface ControllerCost {
  /** Processor time of all threads, from the first request to the last answer. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** The largest resident memory since the process started. */
  readonly peakBytes: number;
}

const [episodes, questions] = process.argv.slice(2).map(Number) as [number, number];
await using gateway = await openGateway();
const runs = Array.from({ length: episodes }, (_, i) => openScriptedSession(`episode-${i}`));
const connections = runs.map(({ session }) => {
  const { openaiBaseURL: url, key } = gateway.open(session);
  return { url, key, questions };
});
const before = process.cpuUsage();
const started = performance.now();
console.log(JSON.stringify(connections));
for await (const _ of process.stdin) {
}
const { user, system } = process.cpuUsage(before);
const cost: ControllerCost = {
  cpuMs: (user + system) / 1000,
  wallMs: performance.now() - started,
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
for (const run of runs) expectExactRecord(run, questions * ROUNDS);
console.log(JSON.stringify(cost));
