/** A module of ours for what a test starts: threads and programs load it by its URL. */
import { fileURLToPath } from "node:url";
import { builtInWorlds } from "../../src/worlds/index.ts";

/** `src/`, or `dist/` where the test's own imports meet that (vitest.config.ts). */
const ROOT = new URL("../..", builtInWorlds["toy"]!.url);
const IS_BUILT = ROOT.pathname.endsWith("/dist/");

/** URL of the module of this path in `src`, such as `worlds/toy/toy.ts`. */
export function packageModuleUrl(path: string): string {
  return new URL(IS_BUILT ? path.replace(/\.ts$/, ".js") : path, ROOT).href;
}

export const packageModulePath = (path: string) => fileURLToPath(packageModuleUrl(path));

/** Options of Node with which a program loads it. */
export const NODE_LOADER_OPTIONS: readonly string[] = IS_BUILT ? [] : ["--import", "tsx"];
