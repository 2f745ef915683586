/** Finds the URLs of modules of the package. Threads and programs that a test starts load modules by their URL. */
import { fileURLToPath } from "node:url";
import { builtInWorlds } from "../../src/worlds/index.ts";

/** URL of `src/`, or of `dist/` when the test's own imports are resolved there (vitest.config.ts). */
const ROOT = new URL("../..", builtInWorlds["toy"]!.url);
const IS_BUILT = ROOT.pathname.endsWith("/dist/");

/** Returns the URL of a module by its path in `src`, such as `worlds/toy/toy.ts`. */
export function packageModuleUrl(path: string): string {
  return new URL(IS_BUILT ? path.replace(/\.ts$/, ".js") : path, ROOT).href;
}

/** Returns the file path of a module by its path in `src`. */
export const packageModulePath = (path: string) => fileURLToPath(packageModuleUrl(path));

/** Options with which Node can load these modules. */
export const NODE_LOADER_OPTIONS: readonly string[] = IS_BUILT ? [] : ["--import", "tsx"];
