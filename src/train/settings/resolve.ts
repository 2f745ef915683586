/**
 * Makes a whole configuration from a setting, a method and overrides. Later values replace earlier ones, in the order
 * defaults, setting, the method's own numbers, numbers tuned for the pair, limits of another scaffold, overrides.
 *
 * Overrides come from a command line or a file, so names may be in kebab-case and values may be texts. Every error is
 * found here, before any work starts. It names the field, the expected value, the actual value, and the nearest name.
 */
import {
  BowlineError,
  type Cure,
  createRefusalError,
  didYouMean,
  dropInactiveFields,
  formatValue,
  isModulePath,
  isPlainObject,
  parseSection,
  type Refusal,
  requireKnownFields,
} from "../../core/index.ts";
import type { Method } from "../../methods/index.ts";
import {
  type Config,
  configFields,
  configLeaves,
  configSection,
  type Patch,
} from "../config/config.ts";
import { type ConfigTree, mergeTrees, setAtPath } from "../config/config-tree.ts";
import { findDecidedField } from "../config/conflicts.ts";
import { FITTED_LIMITS, followLimits } from "../config/limits.ts";
import {
  findMethodOfRun,
  findPackageMethod,
  type NamedMethod,
  nameOwnMethod,
} from "../config/named-method.ts";
import type { Overrides } from "../config/overrides.ts";
import { flattenTree, parseFieldValue } from "../config/parse-field-values.ts";
import { findContradiction } from "../config/require-consistent.ts";
import { requireField } from "../config/require-field.ts";
import { scaffoldLimitsPatch } from "../config/scaffolds.ts";
import type { ConfigAndMethod } from "../config/stages.ts";
import { recipeName, recipes, settings } from "./recipes.ts";
import { BUDGET_VALUES, TUNED_VALUES } from "./tuned-values.ts";

/** What a configuration is made from: a setting, a method and overrides. */
export type ResolveInput = {
  /** The name of a setting, or of a pair of setting and method; default `starter`. */
  readonly recipe?: string;
} & (
  | {
      /** The name of a method of the package; by default the method of the recipe. */
      readonly method?: string;
      /**
       * Values by the paths of their fields. Overrides from a command line or a file (a `Record<string, unknown>`) may
       * have paths in kebab-case, values as text, and nested objects.
       */
      readonly overrides?: Overrides;
    }
  | {
      /** A user's own method: the value itself, or the value that `loadMethod` returned for a module. */
      readonly method: Method | NamedMethod;
      /** Values by the paths of their fields, which may be fields of this method. */
      readonly overrides?: Overrides & Readonly<Record<string, unknown>>;
    }
);

const INPUT_FIELDS = ["recipe", "method", "overrides"];

/**
 * Returns the whole configuration. Throws a `config` error that names the first wrong field, or all fields that
 * contradict each other.
 */
export function resolveConfig(input: ResolveInput = {}): Config {
  requireResolveInput("resolveConfig", input);
  return resolveConfigAndMethod(input).config;
}

/** Returns the whole configuration and its method. Throws the errors of `resolveConfig`. */
export function resolveConfigAndMethod(input: ResolveInput): ConfigAndMethod {
  const resolved = tryToResolve(input);
  if (!("refusal" in resolved)) return resolved;
  throw createRefusalError("config", listRefusals(input, resolved.refusal));
}

/** A configuration with its method, or the first contradiction in it. */
type Resolved = ConfigAndMethod | { readonly refusal: Refusal };

function tryToResolve(input: ResolveInput): Resolved {
  const { setting, method: defaultMethod } = findSettingAndMethod(input.recipe ?? "starter");
  const own = toNamedMethod(input.method ?? defaultMethod);
  const { name, method } = own;
  const fitted = BUDGET_VALUES[setting]?.[name];
  const chosen = mergeTrees(
    settings[setting]!.config,
    method.preset,
    fitted,
    TUNED_VALUES[setting]?.[name],
  );
  const given = parseOverrides(input.overrides, method);
  const paths = [...given.keys()];
  const overrides: ConfigTree = {};
  for (const [path, value] of given) setAtPath(overrides, path.split("."), value);
  const base = mergeTrees(chosen, limitsForScaffold(chosen, given.get("scaffold.name")));
  const decided = mergeTrees(base, overrides);
  const active = dropInactiveFields(configSection(method), base, decided) as ConfigTree;
  const raw = mergeTrees(active, overrides);
  completeStageFields(raw, own);
  completeLimits(raw, base, { paths, method });
  completeWarmStart(raw, given);
  const recipe = recipeName(setting, name);
  return checkResolved({ ...raw, recipe, setting, method: name }, method, paths);
}

/** Checks a configuration. `paths` are the fields that the user set. */
function checkResolved(raw: ConfigTree, method: Method, paths: readonly string[]): Resolved {
  let config: Config;
  try {
    config = parseSection(configSection(method), raw);
  } catch (error) {
    const refusal = readContradiction(error, paths);
    if (refusal === undefined) throw error;
    return { refusal };
  }
  const refusal = findContradiction(config, method) ?? findDecidedField(config, paths);
  return refusal === undefined ? { config, method } : { refusal };
}

/** Returns an error as a contradiction if leaving out a field that the user set cures it. */
function readContradiction(error: unknown, paths: readonly string[]): Refusal | undefined {
  if (!BowlineError.is(error) || error.cure === undefined) return undefined;
  const isGiven = (field: string) => paths.some((path) => `${path}.`.startsWith(`${field}.`));
  return Object.keys(error.cure).every(isGiven)
    ? { sentence: error.message, cure: error.cure }
    : undefined;
}

/** The largest number of contradictions that are listed. */
const MAX_REFUSALS = 20;

/**
 * Lists all contradictions. A contradiction may hide others, so each is cured, and the cured configuration is resolved
 * again, until nothing contradicts itself or no cure is known.
 */
function listRefusals(input: ResolveInput, first: Refusal): readonly Refusal[] {
  const refusals: Refusal[] = [];
  let tried = input;
  for (let found: Refusal | undefined = first; found !== undefined; ) {
    const { sentence } = found;
    const cure = found.cure ?? cureByLeavingOut(tried, sentence);
    refusals.push({ sentence, cure });
    if (cure === undefined || refusals.length === MAX_REFUSALS) break;
    tried = withCure(tried, cure);
    found = findRefusal(tried);
  }
  return refusals;
}

/** Returns the first contradiction of an input; undefined when it has none or something else is wrong with it. */
function findRefusal(input: ResolveInput): Refusal | undefined {
  try {
    const resolved = tryToResolve(input);
    return "refusal" in resolved ? resolved.refusal : undefined;
  } catch (error) {
    if (!BowlineError.is(error)) throw error;
    return { sentence: error.message };
  }
}

/**
 * Returns the cure of a contradiction between two fields that leaves one out: a field which the sentence names and the
 * user set, otherwise another field of its section. Returns undefined when that does not help.
 */
function cureByLeavingOut(input: ResolveInput, sentence: string): Cure | undefined {
  const { given, method } = parseResolveInput(input);
  const isNamed = (path: string) => sentence.includes(path);
  if (configFields(method).filter(({ path }) => isNamed(path)).length < 2) return undefined;
  const last = [...given.keys()].reverse();
  const inSection = last.filter((path) => sentence.includes(`${path.split(".")[0]}.`));
  const helps = (path: string) => {
    const left = findRefusal(withCure(input, { [path]: null }));
    return left === undefined || withoutNumbers(left.sentence) !== withoutNumbers(sentence);
  };
  const path = [...last.filter(isNamed), ...inSection].find(helps);
  return path === undefined ? undefined : { [path]: null };
}

/** A sentence with another number says the same about another value. */
const withoutNumbers = (sentence: string) => sentence.replace(/\d+/g, "");

/** Returns the input with the values of a cure in place of its own. */
export function withCure<I extends ResolveInput>(input: I, cure: Cure): I {
  const isCured = (path: string) =>
    Object.keys(cure).some((field) => `${path}.`.startsWith(`${field}.`));
  const kept = [...parseResolveInput(input).given].filter(([path]) => !isCured(path));
  const set = Object.entries(cure).filter(([, value]) => value !== null);
  return { ...input, overrides: Object.fromEntries([...kept, ...set]) } as I;
}

/**
 * Throws a `config` error if the input has an unknown field or a value of a wrong type. The error names the function
 * `caller`.
 */
export function requireResolveInput(caller: string, input: ResolveInput): void {
  requireKnownFields(caller, input, INPUT_FIELDS);
  if (input.recipe !== undefined && typeof input.recipe !== "string") {
    throw configError(
      `recipe: expected the name of a setting or recipe, got ${formatValue(input.recipe)}`,
    );
  }
  if (input.overrides !== undefined && !isPlainObject(input.overrides)) {
    throw configError(
      `overrides: expected an object of fields, such as { "run.seed": 2 }, got ${formatValue(input.overrides)}`,
    );
  }
}

/** Returns the setting, the method, and the overrides by their paths, with values of the fields' types. */
export function parseResolveInput(input: ResolveInput): {
  readonly setting: string;
  readonly method: Method;
  readonly given: ReadonlyMap<string, unknown>;
} {
  const { setting, method: standard } = findSettingAndMethod(input.recipe ?? "starter");
  const { method } = toNamedMethod(input.method ?? standard);
  return { setting, method, given: parseOverrides(input.overrides, method) };
}

function parseOverrides(
  overrides: ResolveInput["overrides"],
  method: Method,
): Map<string, unknown> {
  const entries = [...flattenTree({ ...overrides }, configFields(method))];
  return new Map(
    entries.map(([path, value]) => {
      const field = requireField(path, method);
      return [field.path, parseFieldValue(value, field)];
    }),
  );
}

/** Returns the limits of the chosen scaffold if it replaces that of the setting; empty otherwise. */
function limitsForScaffold(chosen: ConfigTree, asked: unknown): Patch {
  const { scaffold, model } = chosen as {
    readonly scaffold?: { readonly name?: string };
    readonly model?: { readonly contextLength?: number };
  };
  if (typeof asked !== "string") return {};
  return scaffoldLimitsPatch(asked, scaffold?.name ?? "compact", model?.contextLength ?? 0);
}

/**
 * Returns the setting and the name of the method that a recipe means. Throws a `config` error for an unknown recipe.
 */
export function findSettingAndMethod(name: string): {
  readonly setting: string;
  readonly method: string;
} {
  const pair = Object.hasOwn(recipes, name) ? recipes[name] : undefined;
  if (pair !== undefined) return pair;
  const [setting = "", ...method] = name.split("/");
  if (method.length > 0 && Object.hasOwn(settings, setting)) {
    return { setting, method: method.join("/") };
  }
  const names = Object.keys(recipes);
  const pairs = Object.keys(settings).map((one) => [one, ...method].join("/"));
  throw configError(
    `unknown recipe ${JSON.stringify(name)}${didYouMean(name, method.length > 0 ? pairs : names)}; settings: ${Object.keys(settings).join(", ")}; pairs with a method: ${names.filter((one) => !Object.hasOwn(settings, one)).join(", ")}`,
  );
}

/**
 * Completes the limits that nobody set and that follow a limit which the user set, and lists the limits that the user
 * set in `fitting.keep`.
 */
function completeLimits(
  raw: ConfigTree,
  base: ConfigTree,
  { paths, method }: { readonly paths: readonly string[]; readonly method: Method },
): void {
  const set = new Set(paths);
  const defaults = new Map(configFields(method).map((field) => [field.path, field.default]));
  const [now, before] = [configLeaves(raw), configLeaves(base)];
  const followed = followLimits(
    set,
    (path) => now.get(path) ?? defaults.get(path),
    (path) => before.get(path) ?? defaults.get(path),
  );
  for (const [path, value] of followed) setAtPath(raw, path.split("."), value);
  const listed = (raw["fitting"] as { readonly keep?: unknown } | undefined)?.keep;
  // A wrong list is left as it is, and the schema rejects it.
  if (listed !== undefined && !Array.isArray(listed)) return;
  const kept = new Set([...FITTED_LIMITS.filter((path) => set.has(path)), ...(listed ?? [])]);
  if (kept.size > 0) setAtPath(raw, ["fitting", "keep"], [...kept].sort());
}

/**
 * Lets the warm start go on until the policy solves something (`warm.auto`), when the world is the user's own module
 * and the user set nothing of the warm start. A setting's length of the warm start is measured on the setting's world,
 * so for another world it is a guess.
 */
function completeWarmStart(raw: ConfigTree, given: ReadonlyMap<string, unknown>): void {
  const world = given.get("world.name");
  const warm = raw["warm"] as { readonly demonstrations?: unknown } | undefined;
  const isSet = [...given.keys()].some((path) => path.startsWith("warm."));
  if (typeof world !== "string" || !isModulePath(world) || isSet) return;
  if (Number(warm?.demonstrations ?? 0) > 0) setAtPath(raw, ["warm", "auto"], {});
}

function toNamedMethod(method: string | Method | NamedMethod): NamedMethod {
  if (typeof method === "string") return findPackageMethod(method);
  if (!isPlainObject(method)) {
    throw configError(`method: expected a name or a method, got ${formatValue(method)}`);
  }
  return "method" in method ? (method as NamedMethod) : nameOwnMethod(method as Method);
}

/**
 * Completes the paths and types of the fields in the patches of stages, as for overrides. The schema checks everything
 * else.
 */
function completeStageFields(raw: ConfigTree, own: NamedMethod): void {
  const { schedule } = raw as { schedule?: { stages?: unknown } };
  if (!Array.isArray(schedule?.stages)) return;
  const stages = schedule.stages.map((stage: { patch?: unknown; method?: unknown }) => {
    if (typeof stage?.patch !== "object" || stage.patch === null) return stage;
    const { method } = typeof stage.method === "string" ? findMethodOfRun(stage.method, own) : own;
    const named = [...flattenTree(stage.patch as ConfigTree, configFields(method))].map(
      ([path, value]) => {
        const field = requireField(path, method);
        return [field.path, parseFieldValue(value, field)];
      },
    );
    return { ...stage, patch: Object.fromEntries(named) };
  });
  raw["schedule"] = { ...schedule, stages };
}

const configError = (message: string) => new BowlineError("config", message);
