/**
 * The gateway and its sessions as a process of their own, so that what is measured is theirs: `load-controller.ts EPISODES
 * QUESTIONS` prints the places of its episodes as one line of JSON. When its input ends it proves every session exact, and
 * prints what it took as a second line.
 */
import { openGateway } from "../../../src/server/index.ts";
import { expectExact, openScripted, ROUNDS } from "./conversation.ts";

/** What the process took. */
export interface ControllerCost {
  /** Of all threads, from the first request to the last answer. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** The most that was ever resident, from the process's start on. */
  readonly peakBytes: number;
}

const [episodes, questions] = process.argv.slice(2).map(Number) as [number, number];
await using gateway = await openGateway();
const runs = Array.from({ length: episodes }, (_, i) => openScripted(`episode-${i}`));
const places = runs.map(({ session }) => {
  const { openaiBaseURL: url, key } = gateway.open(session);
  return { url, key, questions };
});
const before = process.cpuUsage();
const started = performance.now();
console.log(JSON.stringify(places));
for await (const _ of process.stdin) {
}
const { user, system } = process.cpuUsage(before);
const cost: ControllerCost = {
  cpuMs: (user + system) / 1000,
  wallMs: performance.now() - started,
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
for (const run of runs) expectExact(run, questions * ROUNDS);
console.log(JSON.stringify(cost));
