import { parentPort, workerData } from "node:worker_threads";

/**
 * A worker that dies. `dies: "at once"` throws while it loads. The others send `ready`, and at the first message "loudly"
 * throws, "quietly" exits with code 7, and "of hunger" allocates memory until none is left.
 */
const { dies } = workerData;
if (dies === "at once") throw new Error("scuttled");
parentPort?.on("message", () => {
  const hoard = [];
  while (dies === "of hunger") hoard.push(new Array(10_000).fill(1));
  if (dies === "loudly") throw new Error("scuttled");
  process.exit(7);
});
parentPort?.postMessage({ type: "ready", parameters: 1 });
