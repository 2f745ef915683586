/**
 * Imports a module by URL in any thread, whether this program runs from source or from `dist/`. tsx runs a user's own
 * TypeScript. Our own modules are named by the URL of their source, such as `./starter.ts`. When the program runs from
 * `dist/`, the compiled file is loaded instead.
 */
import { register } from "node:module";
import { isAbsolute } from "node:path";

const RUNS_FROM_SOURCE = import.meta.url.endsWith(".ts");
const OWN_ROOT = new URL("..", import.meta.url).href;

/**
 * Returns true if a name is the path of a file and not the name of a built-in part: `./mine`, `mine.ts`, or an absolute
 * path.
 */
export function isModulePath(name: string): boolean {
  return /^\.{1,2}[\\/]|\.[cm]?[jt]s$/.test(name) || isAbsolute(name);
}

/** Returns the URL of the file that exists. In `dist/`, our own `.ts` files are compiled to `.js`. */
export function resolveBuiltUrl(url: string): string {
  return !RUNS_FROM_SOURCE && url.startsWith(OWN_ROOT) ? url.replace(/\.ts(?=\?|$)/, ".js") : url;
}

/**
 * Imports one of our modules or a user's module. A user's file may import `bowline` even if no such package is
 * installed for it. The import then refers to the package that is running.
 *
 * Without `obeysTsconfig`, the `tsconfig.json` of the working directory does not decide what imports mean. The first
 * TypeScript module of a thread decides this for all.
 */
export async function loadModule(
  url: string,
  { obeysTsconfig = true } = {},
): Promise<Record<string, unknown>> {
  const target = resolveBuiltUrl(url);
  if (!target.startsWith(OWN_ROOT))
    registerOnce("own-package", () => registerHook(OWN_PACKAGE_HOOK));
  if (target.endsWith(".ts") && !RUNS_FROM_SOURCE)
    await registerOnce("typescript", () => enableTypeScript(obeysTsconfig));
  return (await import(target)) as Record<string, unknown>;
}

async function enableTypeScript(obeysTsconfig: boolean): Promise<void> {
  const tsx = await import("tsx/esm/api");
  tsx.register(obeysTsconfig ? {} : { tsconfig: false });
  registerHook(TYPESCRIPT_IS_ESM_HOOK);
  registerHook(BUILT_FILES_HOOK);
}

/**
 * The hooks that are registered in this thread, by name. A hook stays until the thread ends, so each is registered only
 * once.
 */
const registeredHooks = new Map<string, unknown>();
function registerOnce<T>(name: string, add: () => T): T {
  if (!registeredHooks.has(name)) registeredHooks.set(name, add());
  return registeredHooks.get(name) as T;
}

function registerHook(source: string): void {
  register(`data:text/javascript,${encodeURIComponent(source)}`);
}

/**
 * The source of a hook that loads every `.ts` file as an ES module. In a project without `"type": "module"`, which is
 * what `npm init` makes, Node treats a `.ts` file as CommonJS, and tsx gives it a URL with a suffix.
 */
const TYPESCRIPT_IS_ESM_HOOK = `export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const url = found.url.replace(/%3Ftsx-commonjs-.*/, "");
  return url.endsWith(".ts") || url.includes(".ts?") ? { ...found, url, format: "module" } : found;
}`;

/**
 * The source of a hook that resolves and loads our own compiled files directly. They import each other by full name, so
 * tsx need not search for hundreds of files or read them as TypeScript.
 */
const BUILT_FILES_HOOK = `import { readFileSync } from "node:fs";
const own = ${JSON.stringify(OWN_ROOT)};
export function resolve(specifier, context, next) {
  if (!/^\\.\\.?\\//.test(specifier) || !context.parentURL?.startsWith(own)) return next(specifier, context);
  return { url: new URL(specifier, context.parentURL).href, format: "module", shortCircuit: true };
}
export function load(url, context, next) {
  if (!url.startsWith(own) || !url.endsWith(".js")) return next(url, context);
  return { format: "module", source: readFileSync(new URL(url), "utf8"), shortCircuit: true };
}`;

/**
 * The source of a hook that makes an import of `bowline` refer to the running package, if the importing file cannot
 * find another one.
 */
const OWN_PACKAGE_HOOK = `export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND" || !/^bowline(\\/|$)/.test(specifier)) throw error;
    return next(specifier, { ...context, parentURL: ${JSON.stringify(import.meta.url)} });
  }
}`;
