/**
 * Turns a request into the arguments of `bowline train`. No shell reads them, and no value can be taken for another
 * option. Settings and methods must be built in, and no field may name a module, because a module is code: which code
 * is run is chosen in a terminal.
 */
import { didYouMean, isModulePath, isPlainObject, toCamelCase } from "../../../core/index.ts";
import { methods } from "../../../methods/index.ts";
import type { StartRunRequest } from "../../../spec/studio/index.ts";
import {
  configLeaves,
  isLimitOfRun,
  listNamedModules,
  recipes,
  resolveConfig,
} from "../../../train/index.ts";
import { StudioError } from "../studio-error.ts";

/** Returns the requested name, or one made of setting, method and seed. */
export function chooseRunName({ setting, method, seed, name }: StartRunRequest): string {
  return name ?? `${setting}-${method}-seed${seed}`.replaceAll(/[^\w.-]+/g, "-");
}

/** Returns the arguments after `bowline` that start a run. Throws 400 for unknown names and for modules. */
export function buildStartArguments(request: StartRunRequest, directory: string): string[] {
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
 * Returns the arguments after `bowline` that resume a run: its setting and method, and every field that differs from
 * what they give now. Throws 409 if the configuration names no setting and method, and a `config` error for unknown
 * fields.
 */
export function buildResumeArguments(config: unknown, directory: string): string[] {
  const { setting, method } = isPlainObject(config) ? config : {};
  if (!isPlainObject(config) || typeof setting !== "string" || typeof method !== "string") {
    throw new StudioError(409, "its run.json names no setting and method, so it cannot be resumed");
  }
  const given = findChangedFields(config, setting, method).map(([path, value]) => {
    return `--${path}=${typeof value === "string" ? value : JSON.stringify(value)}`;
  });
  return ["train", setting, "--method", method, `--out=${directory}`, ...given];
}

/**
 * A field may set others (a scaffold sets its limits), so after the found fields are applied the search is repeated.
 */
const MAX_PASSES = 3;

const NO_LIMITS_SET = { fitting: { keep: [] } };

function findChangedFields(config: object, recipe: string, method: string): [string, unknown][] {
  const found = new Map<string, unknown>();
  // A path without a dot is a section that is switched off; it has no fields. A limit that nobody set is the run's own,
  // and as an argument it would count as set.
  const wantedLeaves = [...configLeaves(config)].filter(
    ([path]) => path.includes(".") && !isLimitOfRun(path, config, NO_LIMITS_SET),
  );
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
  const own = isModulePath(name) ? "; start a run with your own module in a terminal" : "";
  throw new StudioError(
    400,
    `unknown ${what} ${JSON.stringify(name)}${didYouMean(name, names)}; available: ${names.join(", ")}${own}`,
  );
}

/** Fields whose value may be a path, because it names a folder of data. */
const FOLDER_FIELDS = ["engine.model"];

function refuseModule(field: string, text: string): void {
  const path = toCamelCase(field);
  const value = parseJsonOrText(text);
  const named = listNamedModules(nestField(path, value));
  const isPath = !FOLDER_FIELDS.includes(path) && collectStrings(value).some(isModulePath);
  if (named.length === 0 && !isPath) return;
  throw new StudioError(
    400,
    `${field}: ${text} is a module, which is code: start a run with your own modules in a terminal`,
  );
}

/** Returns a configuration that has only the field at this path. */
function nestField(path: string, value: unknown): object {
  return path.split(".").reduceRight((inner, name) => ({ [name]: inner }), value) as object;
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
