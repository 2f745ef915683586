/**
 * A method under the name that a configuration has for it. Names of the package's methods are found in its table; a method
 * of the user's travels as this value, with the run that it was handed to, and is found nowhere else. So two runs in one
 * process may have two methods of the same name.
 */
import { BowlineError, didYouMean, isModulePath, requireNonEmptyText } from "../../core/index.ts";
import { type Method, methods } from "../../methods/index.ts";
import { requireMethod } from "./require-method.ts";
import { loadDefault } from "./user-modules.ts";

export interface NamedMethod {
  /** The name of a method, or the path of the module that exports it. */
  readonly name: string;
  readonly method: Method;
}

/** Returns a method of the package. Throws a `config` error with the nearest name. */
export function findPackageMethod(name: string): NamedMethod {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method !== undefined) return { name, method };
  throw new BowlineError(
    "config",
    isModulePath(name)
      ? `method: ${name} is a module, which has to be loaded first: { method: await loadMethod(${JSON.stringify(name)}) }`
      : `method: unknown method ${JSON.stringify(name)}${didYouMean(name, Object.keys(methods))}; methods: ${Object.keys(methods).join(", ")}, or the path of a module`,
  );
}

/** Returns the method of the package that has this name, or the one that the module of this path exports as its default. */
export async function loadMethod(name: string): Promise<NamedMethod> {
  requireNonEmptyText("method", name, "the name of a method, or the path of a module");
  if (!isModulePath(name)) return findPackageMethod(name);
  const method = requireMethod(await loadDefault("method", name), `the default export of ${name}`);
  return { name, method };
}

/** Names a method that a program handed over by its own name, which no method of the package may have. */
export function nameOwnMethod(method: Method): NamedMethod {
  const { name } = requireMethod(method, "the method that was handed over");
  if (Object.hasOwn(methods, name) && methods[name] !== method) {
    throw new BowlineError(
      "config",
      `method: ${name} is the name of a method of the package; give yours another`,
    );
  }
  return { name, method };
}

/** Returns the method that `name` means in a run whose own method is `own`: that one, or one of the package. */
export function findMethodOfRun(name: string, own: NamedMethod | undefined): NamedMethod {
  return own !== undefined && own.name === name ? own : findPackageMethod(name);
}
