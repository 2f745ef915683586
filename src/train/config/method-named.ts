/** From a name, or the path of a module, to the method. Modules are loaded once, before any configuration is read. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  BowlineError,
  didYouMean,
  isModulePath,
  loadModule,
  messageOf,
  requireName,
} from "../../core/index.ts";
import { type Method, methods } from "../../methods/index.ts";
import { requireMethod } from "./require-method.ts";

const loaded = new Map<string, Method>();

/** A method of the package, or one that was loaded before. Throws a `config` error with the nearest name. */
export function methodNamed(name: string): Method {
  const found = Object.hasOwn(methods, name) ? methods[name] : loaded.get(name);
  if (found !== undefined) return found;
  throw new BowlineError(
    "config",
    isModulePath(name)
      ? `method: ${name} was not loaded; await loadMethod(${JSON.stringify(name)}) first`
      : `method: unknown method ${JSON.stringify(name)}${didYouMean(name, Object.keys(methods))}; methods: ${Object.keys(methods).join(", ")}, or the path of a module`,
  );
}

/** Loads the method that a module exports as its default; a name of the package's own is found at once. */
export async function loadMethod(name: string): Promise<Method> {
  requireName("method", name, "the name of a method, or the path of a module");
  if (!isModulePath(name) || loaded.has(name)) return methodNamed(name);
  const made = await loadDefault("method", name);
  const method = requireMethod(made, `the default export of ${resolve(name)}`);
  loaded.set(name, method);
  return method;
}

/**
 * Keeps a method that was handed over as a value, under the name that a configuration has for it. Throws a `config` error
 * when it is none, or when the name is taken by a method of the package.
 */
export function keepMethod(name: string, method: Method): void {
  if (methods[name] === method) return;
  requireMethod(method, `the method ${name}`);
  if (Object.hasOwn(methods, name)) {
    throw new BowlineError(
      "config",
      `method: ${name} is the name of a method of the package; give yours another`,
    );
  }
  loaded.set(name, method);
}

/** The default export of a user's module. `field` says which part of the configuration asked for it. */
export async function loadDefault(field: string, path: string): Promise<unknown> {
  const file = resolve(path);
  if (!existsSync(file)) throw new BowlineError("config", `${field}: there is no file ${file}`);
  let module: { readonly default?: unknown };
  try {
    module = await loadModule(pathToFileURL(file).href);
  } catch (cause) {
    const problem = `${field}: ${file} cannot be loaded: ${inOneLine(messageOf(cause))}`;
    throw new BowlineError("config", problem, { cause });
  }
  if (module.default !== undefined) return module.default;
  throw new BowlineError("config", `${field}: ${file} has no default export`);
}

/** The same of a module whose default export is a function; `signature` says in words which. */
export async function loadFunction(field: string, path: string, signature = ""): Promise<unknown> {
  const made = await loadDefault(field, path);
  if (typeof made === "function") return made;
  const expected = signature === "" ? "a function" : `a function ${signature}`;
  throw new BowlineError(
    "config",
    `${field}: expected ${path} to export ${expected} as its default`,
  );
}

/** A compiler heads its errors, and puts each on a line of its own. */
function inOneLine(message: string): string {
  return message.replace(/^Transform failed with .*:\n/, "").replaceAll(/\s*\n\s*/g, "; ");
}
