import { parentPort, workerData } from "node:worker_threads";

/** Dies of an exception, or quietly, at its first message (or at once); says it is ready before. */
const { dies } = workerData as { dies: "at once" | "loudly" | "quietly" };
if (dies === "at once") throw new Error("scuttled");
parentPort?.on("message", () => {
  if (dies === "loudly") throw new Error("scuttled");
  process.exit(7);
});
parentPort?.postMessage({ type: "ready", parameters: 1 });
