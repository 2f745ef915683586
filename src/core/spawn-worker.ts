/**
 * Worker threads that run from source and from `dist/` alike. Node 20 cannot start a TypeScript worker, so from
 * source a small module registers tsx inside the thread first and then imports the real entry.
 */
import { Worker, type WorkerOptions } from "node:worker_threads";
import { builtUrl } from "./load-module.ts";

const FROM_SOURCE = import.meta.url.endsWith(".ts");

/** `entry` is `new URL("./worker.ts", import.meta.url)`, whether we run from source or built. */
export function spawnWorker(entry: URL, options: WorkerOptions = {}): Worker {
  const url = builtUrl(entry.href);
  if (!FROM_SOURCE) return new Worker(new URL(url), options);
  const tsx = import.meta.resolve("tsx/esm/api");
  const source = `import { register } from ${JSON.stringify(tsx)}; register(); await import(${JSON.stringify(url)});`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), options);
}
