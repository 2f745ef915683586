import { parentPort, workerData } from "node:worker_threads";

/** Dies "at once", "loudly" (of an exception), "quietly" or "of hunger" at its first message, and says before that it is ready. */
const { dies } = workerData;
if (dies === "at once") throw new Error("scuttled");
parentPort?.on("message", () => {
  const hoard = [];
  while (dies === "of hunger") hoard.push(new Array(10_000).fill(1));
  if (dies === "loudly") throw new Error("scuttled");
  process.exit(7);
});
parentPort?.postMessage({ type: "ready", parameters: 1 });
