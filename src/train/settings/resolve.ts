/**
 * From a setting, a method and overrides to a whole configuration: defaults < setting < the method's own numbers <
 * numbers tuned for the pair < limits of another scaffold < overrides.
 *
 * Overrides come from a command line or a file, so names may be in kebab-case and values may be strings. What is wrong
 * is found here, before any work starts, with the field, what was expected, what came, and the nearest name.
 */
import {
  BowlineError,
  didYouMean,
  dropInactiveFields,
  formatValue,
  isPlainObject,
  parseSection,
  requireKnownFields,
} from "../../core/index.ts";
import type { Method } from "../../methods/index.ts";
import { type Config, configFields, configSection, type Patch } from "../config/config.ts";
import { type ConfigTree, mergeTrees, setAtPath } from "../config/config-tree.ts";
import { findDecidedField } from "../config/conflicts.ts";
import {
  findMethodOfRun,
  findPackageMethod,
  type NamedMethod,
  nameOwnMethod,
} from "../config/named-method.ts";
import type { Overrides } from "../config/overrides.ts";
import { flattenTree, parseFieldValue } from "../config/parse-field-values.ts";
import { requireConsistentConfig } from "../config/require-consistent.ts";
import { requireField } from "../config/require-field.ts";
import { scaffoldLimitsPatch } from "../config/scaffolds.ts";
import type { Phase } from "../config/stages.ts";
import { recipeName, recipes, settings } from "./recipes.ts";
import { FITTED, TUNED } from "./tuned.ts";

/** Where a configuration comes from, later ones winning: setting, method, fields. */
export type ResolveInput = {
  /** A setting, or the name of a pair of setting and method; default `starter`. */
  readonly recipe?: string;
} & (
  | {
      /** The name of a method of the package; default: the recipe's method. */
      readonly method?: string;
      /**
       * Values by the paths of fields. What comes from a command line or a file (a `Record<string, unknown>`) may be
       * kebab-case, text, or nested objects.
       */
      readonly overrides?: Overrides;
    }
  | {
      /** A method of the user's: the value itself, or what `loadMethod` returned for a module. */
      readonly method: Method | NamedMethod;
      /** May set the method's own fields too. */
      readonly overrides?: Overrides & Readonly<Record<string, unknown>>;
    }
);

const KEYS = ["recipe", "method", "overrides"];

/** Returns the whole configuration. Throws a `config` error that names the first wrong field. */
export function resolveConfig(input: ResolveInput = {}): Config {
  requireInput("resolveConfig", input);
  return resolvePhase(input).config;
}

/** Returns the whole configuration and its method. Throws a `config` error that names the first wrong field. */
export function resolvePhase(input: ResolveInput): Phase {
  const { setting, method: standard } = findPair(input.recipe ?? "starter");
  const own = nameMethod(input.method ?? standard);
  const { name, method } = own;
  const fitted = FITTED[setting]?.[name];
  const chosen = mergeTrees(
    settings[setting]!.config,
    method.preset,
    fitted,
    TUNED[setting]?.[name],
  );
  const given = fieldsGiven(input.overrides, method);
  const paths = [...given.keys()];
  const overrides: ConfigTree = {};
  for (const [path, value] of given) setAtPath(overrides, path.split("."), value);
  const base = mergeTrees(chosen, limitsOfScaffold(chosen, given.get("scaffold.name")));
  const shape = configSection(method);
  const decided = mergeTrees(base, overrides);
  const raw = mergeTrees(dropInactiveFields(shape, base, decided) as ConfigTree, overrides);
  nameStages(raw, own);
  const recipe = recipeName(setting, name);
  const config = requireConsistentConfig(
    parseSection(shape, { ...raw, recipe, setting, method: name }),
    method,
  );
  const refused = findDecidedField(config, paths);
  if (refused !== undefined) throw wrong(refused);
  return { config, method };
}

/** `asker`: the function that is called wrongly. */
export function requireInput(asker: string, input: ResolveInput): void {
  requireKnownFields(asker, input, KEYS);
  if (input.recipe !== undefined && typeof input.recipe !== "string") {
    throw wrong(
      `recipe: expected the name of a setting or recipe, got ${formatValue(input.recipe)}`,
    );
  }
  if (input.overrides !== undefined && !isPlainObject(input.overrides)) {
    throw wrong(
      `overrides: expected an object of fields, such as { "run.seed": 2 }, got ${formatValue(input.overrides)}`,
    );
  }
}

/** Which setting is meant, and what was asked for by the paths of fields, with values of their types. */
export function askedFields({ recipe = "starter", method, overrides }: ResolveInput): {
  readonly setting: string;
  readonly given: ReadonlyMap<string, unknown>;
} {
  const { setting, method: standard } = findPair(recipe);
  return { setting, given: fieldsGiven(overrides, nameMethod(method ?? standard).method) };
}

function fieldsGiven(overrides: ResolveInput["overrides"], method: Method): Map<string, unknown> {
  const entries = [...flattenTree({ ...overrides }, configFields(method))];
  return new Map(
    entries.map(([path, value]) => {
      const field = requireField(path, method);
      return [field.path, parseFieldValue(value, field)];
    }),
  );
}

/** Of a scaffold that is asked for in place of the setting's own. */
function limitsOfScaffold(chosen: ConfigTree, asked: unknown): Patch {
  const { scaffold, model } = chosen as {
    readonly scaffold?: { readonly name?: string };
    readonly model?: { readonly contextLength?: number };
  };
  if (typeof asked !== "string") return {};
  return scaffoldLimitsPatch(asked, scaffold?.name ?? "compact", model?.contextLength ?? 0);
}

/** Returns the setting and the name of the method that a recipe means. Throws a `config` error for an unknown one. */
export function findPair(name: string): { readonly setting: string; readonly method: string } {
  const pair = Object.hasOwn(recipes, name) ? recipes[name] : undefined;
  if (pair !== undefined) return pair;
  const [setting = "", ...method] = name.split("/");
  if (method.length > 0 && Object.hasOwn(settings, setting)) {
    return { setting, method: method.join("/") };
  }
  const names = Object.keys(recipes);
  const pairs = Object.keys(settings).map((one) => [one, ...method].join("/"));
  throw wrong(
    `unknown recipe ${JSON.stringify(name)}${didYouMean(name, method.length > 0 ? pairs : names)}; settings: ${Object.keys(settings).join(", ")}; pairs with a method: ${names.filter((one) => !Object.hasOwn(settings, one)).join(", ")}`,
  );
}

function nameMethod(method: string | Method | NamedMethod): NamedMethod {
  if (typeof method === "string") return findPackageMethod(method);
  if (!isPlainObject(method)) {
    throw wrong(`method: expected a name or a method, got ${formatValue(method)}`);
  }
  return "method" in method ? (method as NamedMethod) : nameOwnMethod(method as Method);
}

/** Fields of stages under their whole names, values as on the command line. What is no stage is left to the schema. */
function nameStages(raw: ConfigTree, own: NamedMethod): void {
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

const wrong = (message: string) => new BowlineError("config", message);
