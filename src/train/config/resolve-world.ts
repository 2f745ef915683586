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
  requireTrustedServer,
  THIS_CALL,
} from "../../core/index.ts";
import { namesHosts, readHostAddresses } from "../../world/index.ts";
import { builtInWorlds, urlOfRemoteWorld } from "../../worlds/index.ts";

/**
 * Finds a world by its built-in name ("everyday/starter") or by the path of a module whose default export is a world
 * definition ("./my-world.ts", relative to the working directory), or by the hosts that serve it
 * ("openenv:http://10.0.0.1:8129"). Throws a `config` error with the nearest name when there is no such world.
 */
export function resolveWorld(reference: string): { name: string; url: string } {
  requireNonEmptyText("world", reference, "the name of a world, or the path of a module");
  const builtIn = Object.hasOwn(builtInWorlds, reference) ? builtInWorlds[reference] : undefined;
  if (builtIn !== undefined) return { name: reference, url: builtIn.url.href };
  if (namesHosts(reference)) {
    return { name: reference, url: urlOfRemoteWorld(readHostAddresses(reference)).href };
  }
  const looksLikePath = isModulePath(reference);
  const path = resolve(reference);
  if (looksLikePath && existsSync(path)) return { name: reference, url: pathToFileURL(path).href };
  const names = Object.keys(builtInWorlds);
  const problem = looksLikePath
    ? `there is no world module at ${path}`
    : `unknown world ${JSON.stringify(reference)}`;
  throw new BowlineError(
    "config",
    `${problem}${didYouMean(reference, names)}; expected ${names.join(", ")}, the path of a module such as ./my-world.ts, or openenv:URL for a world that bowline serve --openenv serves`,
  );
}

/**
 * Works like `resolveWorld`, for a world that `origin` names. The result says who has to be trusted: a built-in world is
 * part of the package, whoever names it, and so is the player of a remote world, whose hosts have to be trusted.
 */
export function resolveNamedWorld(
  reference: string,
  origin: ModuleOrigin,
): { readonly name: string; readonly url: string; readonly origin: ModuleOrigin } {
  const resolved = resolveWorld(reference);
  if (namesHosts(reference)) {
    for (const host of readHostAddresses(reference)) {
      requireTrustedServer(host, "world.name", origin);
    }
    return { ...resolved, origin: THIS_CALL };
  }
  const isBuiltIn = Object.hasOwn(builtInWorlds, reference);
  return { ...resolved, origin: isBuiltIn ? THIS_CALL : origin };
}
