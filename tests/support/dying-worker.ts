import { parentPort, workerData } from "node:worker_threads";

/** Dies of an exception, quietly or of what it hoards, at its first message (or at once); says it is ready before. */
const { dies } = workerData as { dies: "at once" | "loudly" | "quietly" | "of hunger" };
if (dies === "at once") throw new Error("scuttled");
parentPort?.on("message", () => {
  const hoard: number[][] = [];
  while (dies === "of hunger") hoard.push(new Array<number>(10_000).fill(1));
  if (dies === "loudly") throw new Error("scuttled");
  process.exit(7);
});
parentPort?.postMessage({ type: "ready", parameters: 1 });
