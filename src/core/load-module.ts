/**
 * Imports a module by URL in any thread, from source and from `dist/` alike. A user's own TypeScript is run by tsx;
 * our own modules are named by their source URL (`./starter.ts`) and are found built when we run built.
 */
import { register } from "node:module";
import { isAbsolute } from "node:path";

const FROM_SOURCE = import.meta.url.endsWith(".ts");
const OWN_ROOT = new URL("..", import.meta.url).href;

/** Whether a name says that a file is meant, not something of ours: `./mine`, `mine.ts`, or absolute. */
export function isModulePath(name: string): boolean {
  return /^\.{1,2}[\\/]|\.[cm]?[jt]s$/.test(name) || isAbsolute(name);
}

/** The URL that exists: in `dist/`, our own `.ts` was compiled to `.js`. */
export function builtUrl(url: string): string {
  return !FROM_SOURCE && url.startsWith(OWN_ROOT) ? url.replace(/\.ts$/, ".js") : url;
}

/**
 * Imports a module of ours or of a user, who needs neither a project nor an install for it: where no package `bowline` is in
 * reach of their file, the one that is running answers for it.
 */
export async function loadModule(url: string): Promise<Record<string, unknown>> {
  const target = builtUrl(url);
  if (!target.startsWith(OWN_ROOT)) once("own-package", () => addHook(OWN_PACKAGE));
  if (target.endsWith(".ts") && !FROM_SOURCE) await once("typescript", readTypeScript);
  return (await import(target)) as Record<string, unknown>;
}

async function readTypeScript(): Promise<void> {
  const tsx = await import("tsx/esm/api");
  tsx.register();
  addHook(TYPESCRIPT_IS_ESM);
  addHook(OWN_FILES);
}

/** Hooks hold for a thread until it ends, so each is added once. */
const added = new Map<string, unknown>();
function once<T>(name: string, add: () => T): T {
  if (!added.has(name)) added.set(name, add());
  return added.get(name) as T;
}

function addHook(source: string): void {
  register(`data:text/javascript,${encodeURIComponent(source)}`);
}

/**
 * In a project without `"type": "module"`, which is what `npm init` makes, Node takes a `.ts` file for CommonJS, and tsx gives
 * it an address of its own for that.
 */
const TYPESCRIPT_IS_ESM = `export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const url = found.url.replace(/%3Ftsx-commonjs-.*/, "");
  return url.endsWith(".ts") || url.includes(".ts?") ? { ...found, url, format: "module" } : found;
}`;

/** Our own files are built and name each other in full: tsx need not look for hundreds of them, nor read them for TypeScript. */
const OWN_FILES = `import { readFileSync } from "node:fs";
const own = ${JSON.stringify(OWN_ROOT)};
export function resolve(specifier, context, next) {
  if (!/^\\.\\.?\\//.test(specifier) || !context.parentURL?.startsWith(own)) return next(specifier, context);
  return { url: new URL(specifier, context.parentURL).href, format: "module", shortCircuit: true };
}
export function load(url, context, next) {
  if (!url.startsWith(own) || !url.endsWith(".js")) return next(url, context);
  return { format: "module", source: readFileSync(new URL(url), "utf8"), shortCircuit: true };
}`;

/** Seen from our own files, a package finds itself by its name, and its `exports` say what there is. */
const OWN_PACKAGE = `export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND" || !/^bowline(\\/|$)/.test(specifier)) throw error;
    return next(specifier, { ...context, parentURL: ${JSON.stringify(import.meta.url)} });
  }
}`;
