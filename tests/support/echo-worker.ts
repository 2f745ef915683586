/**
 * A worker that answers every message with the message and its hash. Computing the hash imports our TypeScript sources.
 */
import { parentPort } from "node:worker_threads";
import { hash32 } from "../../src/core/index.ts";

parentPort?.on("message", (text: string) => {
  parentPort?.postMessage({ echo: text, hash: hash32(text) });
});
