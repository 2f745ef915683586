/** Converts the world that a person names after `--world` to the URL of a module that worker threads can load. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  BowlineError,
  didYouMean,
  isModulePath,
  type ModuleOrigin,
  requireNonEmptyText,
  THIS_CALL,
} from "../../core/index.ts";
import { builtInWorlds } from "../../worlds/index.ts";

/**
 * Finds a world by its built-in name ("everyday/starter") or by the path of a module whose default export is a world
 * definition ("./my-world.ts", relative to the working directory). Throws a `config` error with the nearest name when
 * there is no such world.
 */
export function resolveWorld(reference: string): { name: string; url: string } {
  requireNonEmptyText("world", reference, "the name of a world, or the path of a module");
  const builtIn = Object.hasOwn(builtInWorlds, reference) ? builtInWorlds[reference] : undefined;
  if (builtIn !== undefined) return { name: reference, url: builtIn.url.href };
  const looksLikePath = isModulePath(reference);
  const path = resolve(reference);
  if (looksLikePath && existsSync(path)) return { name: reference, url: pathToFileURL(path).href };
  const names = Object.keys(builtInWorlds);
  const problem = looksLikePath
    ? `there is no world module at ${path}`
    : `unknown world ${JSON.stringify(reference)}`;
  throw new BowlineError(
    "config",
    `${problem}${didYouMean(reference, names)}; expected ${names.join(", ")} or the path of a module such as ./my-world.ts`,
  );
}

/**
 * Works like `resolveWorld`, for a world that `origin` names. The result says who has to be trusted: a built-in world is
 * part of the package, whoever names it.
 */
export function resolveNamedWorld(
  reference: string,
  origin: ModuleOrigin,
): { readonly name: string; readonly url: string; readonly origin: ModuleOrigin } {
  const isBuiltIn = Object.hasOwn(builtInWorlds, reference);
  return { ...resolveWorld(reference), origin: isBuiltIn ? THIS_CALL : origin };
}
