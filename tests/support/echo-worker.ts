/** A worker that answers every message with its text and its hash. The hash needs our TypeScript sources. */
import { parentPort } from "node:worker_threads";
import { hash32 } from "../../src/core/index.ts";

parentPort?.on("message", (text: string) => {
  parentPort?.postMessage({ echo: text, hash: hash32(text) });
});
