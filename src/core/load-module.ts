/**
 * Imports a module by URL in any thread, from source and from `dist/` alike. A user's own TypeScript is run by tsx;
 * our own modules are named by their source URL (`./starter.ts`) and are found built when we run built.
 */
import { register } from "node:module";
import { isAbsolute } from "node:path";

const FROM_SOURCE = import.meta.url.endsWith(".ts");
const OWN_ROOT = new URL("..", import.meta.url).href;
let registered = false;

/** Whether a name says that a file is meant, not something of ours: `./mine`, `mine.ts`, or absolute. */
export function isModulePath(name: string): boolean {
  return /^\.{1,2}[\\/]|\.[cm]?[jt]s$/.test(name) || isAbsolute(name);
}

/** The URL that exists: in `dist/`, our own `.ts` was compiled to `.js`. */
export function builtUrl(url: string): string {
  return !FROM_SOURCE && url.startsWith(OWN_ROOT) ? url.replace(/\.ts$/, ".js") : url;
}

export async function loadModule(url: string): Promise<Record<string, unknown>> {
  const target = builtUrl(url);
  if (target.endsWith(".ts") && !FROM_SOURCE && !registered) {
    const tsx = await import("tsx/esm/api");
    tsx.register();
    register(`data:text/javascript,${encodeURIComponent(TYPESCRIPT_IS_ESM)}`);
    registered = true;
  }
  return (await import(target)) as Record<string, unknown>;
}

/** In a project without `"type": "module"`, which is what `npm init` makes, Node takes a `.ts` file for CommonJS. */
const TYPESCRIPT_IS_ESM = `export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  return found.url.endsWith(".ts") || found.url.includes(".ts?") ? { ...found, format: "module" } : found;
}`;
