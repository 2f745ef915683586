/** A module of ours for what a test starts: threads and programs load it by its URL. */
import { fileURLToPath } from "node:url";

const BUILT = !process.env["BOWLINE_NO_BUILD"];

/** URL of the module of this path in `src`, such as `worlds/toy/toy.ts`: of its build, where the test's own imports meet that. */
export function ownModule(path: string): string {
  const file = BUILT ? `../../dist/${path.replace(/\.ts$/, ".js")}` : `../../src/${path}`;
  return new URL(file, import.meta.url).href;
}

/** Options of Node with which a program loads it. */
export const OWN_LOADER: readonly string[] = BUILT ? [] : ["--import", "tsx"];

export const ownFile = (path: string) => fileURLToPath(ownModule(path));
