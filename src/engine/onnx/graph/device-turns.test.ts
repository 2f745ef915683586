import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { endTurnOfThread, shareDeviceTurns } from "./device-turns.ts";

const ENTRY = new URL("../../../../tests/support/turn-worker.ts", import.meta.url);

/** Starts the worker from its source, also where the tested code is the built one. */
function startWorker(workerData: object): Worker {
  const tsx = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  const source = `import { register } from ${tsx}; register(); await import("${ENTRY.href}");`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData });
}

test("threads use the device one after the other, and one that dies in its turn holds up no other", async () => {
  shareDeviceTurns();
  const memory = new SharedArrayBuffer(4);
  const start = (turns: number, dies = false) => {
    const worker = startWorker({ memory, turns, dies });
    const { threadId } = worker;
    return once(worker, "exit").then(() => endTurnOfThread(threadId));
  };
  await Promise.all([start(20), start(20), start(20), start(1, true)]);
  expect(new Int32Array(memory)[0]).toBe(60);
});
