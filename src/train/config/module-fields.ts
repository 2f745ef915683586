/**
 * The fields of a configuration that may name a module, and so code. A configuration that a file stores is data, so
 * everything that would load its modules asks first whether they are trusted.
 */
import { resolve } from "node:path";
import {
  describeEdit,
  isModulePath,
  isPlainObject,
  type ModuleOrigin,
  requireTrust,
  requireTrustedServer,
} from "../../core/index.ts";
import { isParticipantModule } from "../../methods/index.ts";
import { namesHosts, splitHostAddresses } from "../../world/index.ts";
import { builtInWorlds } from "../../worlds/index.ts";

/** A module that a configuration names. */
export interface NamedModule {
  /** The path of the field. */
  readonly field: string;
  /** The absolute path of the module. */
  readonly path: string;
}

/** The fields that may name a module. The value of some is a list. */
export const MODULE_FIELDS = [
  "world.name",
  "method",
  "engine.name",
  "scaffold.name",
  "algo.taskSampling",
  "extensions.rewards",
  "extensions.filters",
  "participants.user",
  "participants.judge",
] as const;

/** Lists the modules that a configuration names. The configuration may come from anywhere and is not checked. */
export function listNamedModules(config: unknown): readonly NamedModule[] {
  return MODULE_FIELDS.flatMap((field) =>
    [readField(config, field)]
      .flat()
      .filter((value) => isModuleName(field, value))
      .map((value) => ({ field, path: resolve(value) })),
  );
}

/** Returns true if the value of this field names a module, by the rules of what loads it. */
function isModuleName(field: string, value: unknown): value is string {
  if (typeof value !== "string") return false;
  if (field === "participants.user") return isParticipantModule("user", value);
  if (field === "participants.judge") return isParticipantModule("judge", value);
  if (field.startsWith("extensions.")) return true;
  return isModulePath(value) && !(field === "world.name" && Object.hasOwn(builtInWorlds, value));
}

function readField(config: unknown, field: string): unknown {
  return field
    .split(".")
    .reduce(
      (value, name) =>
        isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined,
      config,
    );
}

/** A server that a configuration names: the one of a remote engine, or a host of a remote world. */
export interface NamedServer {
  /** The path of the field. */
  readonly field: string;
  readonly url: string;
}

/** The fields that may name servers. */
const SERVER_FIELDS = ["engine.url", "world.name"] as const;

/** Lists the servers that a configuration names. The configuration may come from anywhere and is not checked. */
export function listNamedServers(config: unknown): readonly NamedServer[] {
  return SERVER_FIELDS.flatMap((field) => listServersInField(field, readField(config, field)));
}

function listServersInField(field: string, value: unknown): NamedServer[] {
  if (typeof value !== "string") return [];
  if (field === "engine.url") return [{ field, url: value }];
  if (field !== "world.name" || !namesHosts(value)) return [];
  return splitHostAddresses(value).map((url) => ({ field, url }));
}

/** Throws a `trust` error for the first module or server of the configuration that this user has not trusted. */
export function requireTrustedModules(config: unknown, origin: ModuleOrigin): void {
  for (const { field, path } of listNamedModules(config)) requireTrust(path, field, origin);
  for (const { field, url } of listNamedServers(config)) requireTrustedServer(url, field, origin);
}

/** Throws a `trust` error for the first of these fields, by paths, that names a module or server which is not trusted. */
export function requireTrustedFields(
  fields: Iterable<readonly [string, unknown]>,
  origin: ModuleOrigin,
): void {
  for (const [field, value] of fields) {
    const isModule = MODULE_FIELDS.some((known) => known === field) && isModuleName(field, value);
    if (isModule) requireTrust(resolve(value), field, origin);
    for (const { url } of listServersInField(field, value))
      requireTrustedServer(url, field, origin);
  }
}

/** Returns a sentence for each of these modules that was edited since this user trusted it. */
export function describeEdits(
  config: unknown,
  origin: ModuleOrigin,
  fields: readonly string[],
): readonly string[] {
  return listNamedModules(config).flatMap(({ field, path }) =>
    fields.includes(field) ? (describeEdit(path, field, origin) ?? []) : [],
  );
}
