/**
 * A module for Node's option `--import`. After it, imports of `src/*.ts` and `worlds/everyday/*.ts` find the files that
 * the build made of them. So the campaign tests the program that users run, and each module exists once in a process.
 */
import { existsSync } from "node:fs";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

const ROOT = new URL("../../", import.meta.url);
const BUILDS = [
  [new URL("src/", ROOT).href, new URL("dist/", ROOT).href],
  [new URL("worlds/everyday/", ROOT).href, new URL("worlds/everyday/dist/", ROOT).href],
];

/** Resolves a relative import of a source to the file that the build made of it, if there is one. */
export async function resolve(specifier, context, nextResolve) {
  if (/^\.\.?\//.test(specifier) && context.parentURL?.startsWith("file:")) {
    const { href } = new URL(specifier, context.parentURL);
    const [from, to] = BUILDS.find(([folder]) => href.startsWith(folder)) ?? [];
    if (from !== undefined && !href.startsWith(to)) {
      const url = to + href.slice(from.length).replace(/\.ts$/, ".js");
      if (existsSync(fileURLToPath(url))) return nextResolve(url, context);
    }
  }
  return nextResolve(specifier, context);
}

if (isMainThread) register(import.meta.url);
