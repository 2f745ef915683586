/**
 * Worker threads that run from source and from `dist/` alike. Node 20 cannot start a TypeScript worker, so from
 * source a small module registers tsx inside the thread first and then imports the real entry. Where the build of this very
 * source has just been made, as the test suites do (BOWLINE_BUILT), threads are started from it: that takes a third of the time.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { builtUrl } from "./load-module.ts";

const FROM_SOURCE = import.meta.url.endsWith(".ts");
const SOURCE = new URL("..", import.meta.url).href;
const BUILT = new URL("../../dist/", import.meta.url).href;

/** The URL under which a thread finds the module that this one knows as `url`. */
export function threadUrl(url: string): string {
  if (!FROM_SOURCE || !process.env["BOWLINE_BUILT"] || !url.startsWith(SOURCE)) {
    return builtUrl(url);
  }
  const built = BUILT + url.slice(SOURCE.length).replace(/\.ts$/, ".js");
  return existsSync(fileURLToPath(built)) ? built : url;
}

/** `entry` is `new URL("./worker.ts", import.meta.url)`, whether we run from source or built. */
export function spawnWorker(entry: URL, options: WorkerOptions = {}): Worker {
  const url = threadUrl(entry.href);
  if (!FROM_SOURCE || url !== entry.href) return new Worker(new URL(url), options);
  const tsx = import.meta.resolve("tsx/esm/api");
  const source = `import { register } from ${JSON.stringify(tsx)}; register(); await import(${JSON.stringify(url)});`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), options);
}
