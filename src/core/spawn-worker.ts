/**
 * Starts worker threads, both from source and from `dist/`. Node 20 cannot start a TypeScript worker, so from source a
 * small module first registers tsx inside the thread and then imports the real entry.
 */
import { Worker, type WorkerOptions } from "node:worker_threads";
import { resolveBuiltUrl } from "./load-module.ts";

const RUNS_FROM_SOURCE = import.meta.url.endsWith(".ts");

/** Starts a worker. `entry` is `new URL("./worker.ts", import.meta.url)`, both from source and from `dist/`. */
export function spawnWorker(entry: URL, options: WorkerOptions = {}): Worker {
  const url = resolveBuiltUrl(entry.href);
  if (!RUNS_FROM_SOURCE) return new Worker(new URL(url), options);
  const tsx = import.meta.resolve("tsx/esm/api");
  const source = `import { register } from ${JSON.stringify(tsx)}; register(); await import(${JSON.stringify(url)});`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), options);
}
