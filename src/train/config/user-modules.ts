/** Loads the user's modules that a configuration names, and returns the default export of each. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  BowlineError,
  explainLoadFailure,
  isTrustError,
  loadUserModule,
  type ModuleOrigin,
} from "../../core/index.ts";

/**
 * Returns the default export of a user's module. `field` is the field that names the module, for errors. Throws a
 * `trust` error when `origin` is a file whose modules this user has not trusted.
 */
export async function loadDefaultExport(
  field: string,
  path: string,
  origin: ModuleOrigin,
): Promise<unknown> {
  const file = resolve(path);
  if (!existsSync(file)) throw new BowlineError("config", `${field}: there is no file ${file}`);
  let module: { readonly default?: unknown };
  try {
    module = await loadUserModule(pathToFileURL(file).href, field, origin);
  } catch (cause) {
    if (isTrustError(cause)) throw cause;
    const problem = `${field}: ${file} cannot be loaded: ${explainLoadFailure(cause, pathToFileURL(file).href)}`;
    throw new BowlineError("config", problem, { cause });
  }
  if (module.default !== undefined) return module.default;
  throw new BowlineError("config", `${field}: ${file} has no default export`);
}

/**
 * Returns the default export of a user's module, which must be a function. `signature` describes the expected function
 * in the error.
 */
export async function loadDefaultFunction(
  field: string,
  path: string,
  origin: ModuleOrigin,
  signature = "",
): Promise<unknown> {
  const made = await loadDefaultExport(field, path, origin);
  if (typeof made === "function") return made;
  const expected = signature === "" ? "a function" : `a function ${signature}`;
  throw new BowlineError(
    "config",
    `${field}: expected ${path} to export ${expected} as its default`,
  );
}
