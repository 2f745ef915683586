/**
 * A worker that takes turns on a device which is not there. In each turn it adds 1 to a shared number in two steps
 * between which others could interfere. With `dies` it ends in the middle of its first turn.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { inDeviceTurn } from "../../src/engine/onnx/graph/device-turns.ts";
import { setProvider } from "../../src/engine/onnx/graph/index.ts";

const { memory, turns, dies } = workerData as {
  memory: SharedArrayBuffer;
  turns: number;
  dies: boolean;
};
const sum = new Int32Array(memory);
setProvider("webgpu");
for (let turn = 0; turn < turns; turn++) {
  await inDeviceTurn(async () => {
    if (dies) process.exit(3);
    const before = sum[0]!;
    await sleep(1);
    sum[0] = before + 1;
  });
}
parentPort?.postMessage("done");
