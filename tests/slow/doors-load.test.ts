/** Many agents at once: 200 episodes of 20 calls each, their clients in another process. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openGateway } from "../../src/server/index.ts";
import { expectExact, openScripted, ROUNDS } from "./doors/conversation.ts";

const EPISODES = 200;
const QUESTIONS = 4;
const CLIENTS = fileURLToPath(new URL("./doors/load-clients.mjs", import.meta.url));

test("200 episodes of 20 calls: no turn is lost, below one core and 1 GB", async () => {
  await using gateway = await openGateway();
  const runs = Array.from({ length: EPISODES }, (_, i) => openScripted(`episode-${i}`));
  const places = runs.map(({ session }) => {
    const { openaiBaseURL: url, key } = gateway.open(session);
    return { url, key, questions: QUESTIONS };
  });
  const before = process.cpuUsage();
  const started = performance.now();
  let mostBytes = 0;
  const watch = setInterval(() => {
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
  }, 100);
  const answers = await clients(JSON.stringify(places));
  clearInterval(watch);
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000;
  const cores = cpuMs / (performance.now() - started);
  const perAnswerMs = cpuMs / (EPISODES * QUESTIONS * ROUNDS);
  const mebibytes = (mostBytes / 2 ** 20).toFixed(0);
  console.log(
    `${cores.toFixed(2)} cores, ${perAnswerMs.toFixed(1)} ms an answer, ${mebibytes} MiB`,
  );
  expect(answers).toEqual(runs.map(() => QUESTIONS * ROUNDS));
  for (const run of runs) expectExact(run, QUESTIONS * ROUNDS);
  // The policy here takes no time, so the process is as busy as clients make it; what is to hold is that sixty answers a
  // second, more than any engine gives, are below one core.
  expect(perAnswerMs).toBeLessThan(16);
  expect(mostBytes).toBeLessThan(2 ** 30);
});

function clients(places: string): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [CLIENTS], { maxBuffer: 2 ** 24 }, (error, out) => {
      if (error) reject(error);
      else resolve(JSON.parse(out) as number[]);
    });
    child.stdin!.end(places);
  });
}
