/**
 * A request as the words of `bowline train`, one argument each: no shell reads them, and none of them can be taken for another
 * option. Names of settings and methods are those that ship, and a field's value is no module: a module is code, and which code
 * is run is chosen where it is typed.
 */
import { didYouMean, isModulePath, isPlainObject, toCamelCase } from "../../../core/index.ts";
import { methods } from "../../../methods/index.ts";
import type { StartRequest } from "../../../spec/studio/index.ts";
import { configLeaves, recipes, resolveConfig } from "../../../train/index.ts";
import { StudioError } from "../studio-error.ts";

/** Where nobody says another. */
export function chooseRunName({ setting, method, seed, name }: StartRequest): string {
  return name ?? `${setting}-${method}-seed${seed}`.replaceAll(/[^\w.-]+/g, "-");
}

/** Behind `bowline`. Throws 400. */
export function buildStartArguments(request: StartRequest, directory: string): string[] {
  const { setting, method, seed, fields = {} } = request;
  requireKnownName("setting", setting, Object.keys(recipes));
  requireKnownName("method", method, Object.keys(methods));
  for (const [field, value] of Object.entries(fields)) refuseModule(field, value);
  const given = Object.entries(fields).map(([field, value]) => `--${field}=${value}`);
  return [
    "train",
    setting,
    "--method",
    method,
    "--seed",
    `${seed}`,
    `--out=${directory}`,
    ...given,
  ];
}

/**
 * A run goes on by its own configuration: the fields in which it differs from what its setting and method say now. Throws 409
 * where it names none, and a `config` error where this version has no such fields.
 */
export function buildResumeArguments(config: unknown, directory: string): string[] {
  const { setting, method } = isPlainObject(config) ? config : {};
  if (!isPlainObject(config) || typeof setting !== "string" || typeof method !== "string") {
    throw new StudioError(409, "its run.json names no setting and method to go on with");
  }
  const given = findChangedFields(config, setting, method).map(([path, value]) => {
    return `--${path}=${typeof value === "string" ? value : JSON.stringify(value)}`;
  });
  return ["train", setting, "--method", method, `--out=${directory}`, ...given];
}

/** A field may bring others with it (a scaffold its limits), so what differs is looked for again behind those that were found. */
const MAX_PASSES = 3;

function findChangedFields(config: object, recipe: string, method: string): [string, unknown][] {
  const found = new Map<string, unknown>();
  // A section that is off has no field.
  const wantedLeaves = [...configLeaves(config)].filter(([path]) => path.includes("."));
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const overrides: Record<string, unknown> = Object.fromEntries(found);
    const currentLeaves = configLeaves(resolveConfig({ recipe, method, overrides }));
    for (const [path, value] of wantedLeaves)
      if (currentLeaves.get(path) !== value) found.set(path, value);
  }
  return [...found];
}

function requireKnownName(what: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const own = isModulePath(name) ? "; a module of your own is started in a terminal" : "";
  throw new StudioError(
    400,
    `unknown ${what} ${JSON.stringify(name)}${didYouMean(name, names)}; there are ${names.join(", ")}${own}`,
  );
}

/** Fields that name a folder of data. */
const FOLDER_FIELDS = ["engine.model"];

function refuseModule(field: string, value: string): void {
  if (
    FOLDER_FIELDS.includes(toCamelCase(field)) ||
    !collectStrings(parseJsonOrText(value)).some(isModulePath)
  )
    return;
  throw new StudioError(
    400,
    `${field}: ${value} is a module, which is code: a run with modules of your own is started in a terminal`,
  );
}

function parseJsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function collectStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(collectStrings);
}
