import { once } from "node:events";
import { expect, test } from "vitest";
import { spawnWorker } from "../../../core/index.ts";
import { endTurnOfThread, shareDeviceTurns } from "./device-turns.ts";

const ENTRY = new URL("../../../../tests/support/turn-worker.ts", import.meta.url);

test("threads use the device one after the other, and one that dies in its turn holds up no other", async () => {
  shareDeviceTurns();
  const memory = new SharedArrayBuffer(4);
  const start = (turns: number, dies = false) => {
    const worker = spawnWorker(ENTRY, { workerData: { memory, turns, dies } });
    const { threadId } = worker;
    return once(worker, "exit").then(() => endTurnOfThread(threadId));
  };
  await Promise.all([start(20), start(20), start(20), start(1, true)]);
  expect(new Int32Array(memory)[0]).toBe(60);
});
