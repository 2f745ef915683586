/**
 * A method together with its name in a configuration. The package's methods are found in a table. A user's own method
 * is not registered anywhere: it is passed to the run as a value of this type. So two runs in one process may have two
 * methods of the same name.
 */
import {
  BowlineError,
  didYouMean,
  isModulePath,
  type ModuleOrigin,
  requireNonEmptyText,
  THIS_CALL,
} from "../../core/index.ts";
import { type Method, methods } from "../../methods/index.ts";
import { requireMethod } from "./require-method.ts";
import { loadDefaultExport } from "./user-modules.ts";

/** A method together with its name in a configuration. */
export interface NamedMethod {
  /** The name of a method, or the path of the module that exports it. */
  readonly name: string;
  readonly method: Method;
}

/** Returns the package's method of this name. Throws a `config` error with the nearest name if there is none. */
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

/** Returns the package's method of this name, or the default export of the module at this path. */
export function loadMethod(name: string): Promise<NamedMethod> {
  return loadNamedMethod(name, THIS_CALL);
}

/**
 * Works like `loadMethod`. `origin` says who named the method. Throws a `trust` error for an untrusted module of a file.
 */
export async function loadNamedMethod(name: string, origin: ModuleOrigin): Promise<NamedMethod> {
  requireNonEmptyText("method", name, "the name of a method, or the path of a module");
  if (!isModulePath(name)) return findPackageMethod(name);
  const method = requireMethod(
    await loadDefaultExport("method", name, origin),
    `the default export of ${name}`,
  );
  return { name, method };
}

/** Pairs a user's method with its own name. Throws a `config` error if a method of the package has this name. */
export function nameOwnMethod(method: Method): NamedMethod {
  const { name } = requireMethod(method, "the given method");
  if (Object.hasOwn(methods, name) && methods[name] !== method) {
    throw new BowlineError(
      "config",
      `method: ${name} is the name of a method of the package; give your method another name`,
    );
  }
  return { name, method };
}

/** Returns the method of this name: the run's own method if it has this name, otherwise a method of the package. */
export function findMethodOfRun(name: string, ownMethod: NamedMethod | undefined): NamedMethod {
  return ownMethod !== undefined && ownMethod.name === name ? ownMethod : findPackageMethod(name);
}
