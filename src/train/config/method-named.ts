/** From a name, or the path of a module, to the method. Modules are loaded once, before any configuration is read. */
import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BowlineError, loadModule, messageOf, nearest } from "../../core/index.ts";
import { type Method, methods } from "../../methods/index.ts";

const loaded = new Map<string, Method>();

export function isModulePath(name: string): boolean {
  return /^\.{1,2}[\\/]|\.[cm]?[jt]s$/.test(name) || isAbsolute(name);
}

/** A method of the package, or one that was loaded before. Throws a `config` error with the nearest name. */
export function methodNamed(name: string): Method {
  const found = Object.hasOwn(methods, name) ? methods[name] : loaded.get(name);
  if (found !== undefined) return found;
  const near = nearest(name, Object.keys(methods));
  throw new BowlineError(
    "config",
    isModulePath(name)
      ? `method: ${name} was not loaded; await loadMethod(${JSON.stringify(name)}) first`
      : `method: unknown method ${JSON.stringify(name)}${near ? ` (did you mean ${near}?)` : ""}; methods: ${Object.keys(methods).join(", ")}, or the path of a module`,
  );
}

/** Loads the method that a module exports as its default; a name of the package's own is found at once. */
export async function loadMethod(name: string): Promise<Method> {
  if (!isModulePath(name) || loaded.has(name)) return methodNamed(name);
  const made = await loadDefault("method", name);
  if (!isMethod(made)) {
    throw new BowlineError(
      "config",
      `method: expected ${resolve(name)} to export a method as its default, as defineMethod() makes it (name, sections, collect, grade, learn)`,
    );
  }
  loaded.set(name, made);
  return made;
}

/** For methods that `train()` is handed. */
export function keepMethod(name: string, method: Method): void {
  loaded.set(name, method);
}

/** The default export of a user's module. `field` says which part of the configuration asked for it. */
export async function loadDefault(field: string, path: string): Promise<unknown> {
  const file = resolve(path);
  if (!existsSync(file))
    throw new BowlineError("config", `${field}: there is no module at ${file}`);
  let module: { readonly default?: unknown };
  try {
    module = await loadModule(pathToFileURL(file).href);
  } catch (cause) {
    const problem = `${field}: ${file} cannot be loaded: ${messageOf(cause)}`;
    throw new BowlineError("config", problem, { cause });
  }
  if (module.default !== undefined) return module.default;
  throw new BowlineError("config", `${field}: ${file} has no default export`);
}

function isMethod(value: unknown): value is Method {
  if (typeof value !== "object" || value === null) return false;
  const has = (name: string, type: string) =>
    typeof (value as Record<string, unknown>)[name] === type;
  return (
    has("name", "string") &&
    has("sections", "object") &&
    ["collect", "grade", "learn", "needs", "conflict"].every((name) => has(name, "function"))
  );
}
