/**
 * From a setting, a method and overrides to a whole configuration:
 * defaults < setting < the method's own numbers < numbers tuned for the pair < limits of another scaffold < overrides.
 *
 * Overrides come from a command line or a file, so names may be in kebab-case and values may be strings. What is wrong is
 * found here, before any work starts, with the field, what was expected, what came, and the nearest name.
 */
import {
  BowlineError,
  didYouMean,
  isRaw,
  messageOf,
  parseSection,
  pruned,
  requireFields,
  shown,
} from "../../core/index.ts";
import type { Method } from "../../methods/index.ts";
import { recipeName, recipes, settings } from "../settings/recipes.ts";
import { FITTED, TUNED } from "../settings/tuned.ts";
import { type Config, configFields, configSection, type Patch } from "./config.ts";
import { conflictIn, refusedField } from "./conflicts.ts";
import { fieldNamed } from "./field-named.ts";
import { coerced, flattened } from "./field-text.ts";
import { keepMethod, methodNamed } from "./method-named.ts";
import type { Overrides } from "./overrides.ts";
import { scaffoldPatch } from "./scaffolds.ts";
import { isChangeable, patchedPhase, scheduleOf } from "./stages.ts";
import { assignAt, merged, type Tree } from "./tree.ts";

/** Where a configuration comes from, later ones winning: setting, method, fields. */
export type ResolveInput = {
  /** A setting, or the name of a pair of setting and method; default `starter`. */
  readonly recipe?: string;
} & (
  | {
      /** By name, or by the path of a module that `loadMethod` has loaded; default: the recipe's. */
      readonly method?: string;
      /**
       * Values by the paths of fields. What comes from a command line or a file (a `Record<string, unknown>`) may be
       * kebab-case, text, or nested objects.
       */
      readonly overrides?: Overrides;
    }
  | {
      readonly method: Method;
      /** The method's own fields among them. */
      readonly overrides?: Overrides & Readonly<Record<string, unknown>>;
    }
);

const KEYS = ["recipe", "method", "overrides"];

/** Throws a `config` error that names the first wrong field. */
export function resolveConfig(input: ResolveInput = {}): Config {
  requireInput("resolveConfig", input);
  const { setting, method: standard } = pairNamed(input.recipe ?? "starter");
  const { name, method } = methodOf(input.method ?? standard);
  const fitted = FITTED[setting]?.[name];
  const chosen = merged(settings[setting]!.config, method.preset, fitted, TUNED[setting]?.[name]);
  const given = fieldsGiven(input.overrides, method);
  const paths = [...given.keys()];
  const overrides: Tree = {};
  for (const [path, value] of given) assignAt(overrides, path.split("."), value);
  const base = merged(chosen, limitsOfScaffold(chosen, given.get("scaffold.name")));
  const shape = configSection(method);
  const decided = merged(base, overrides);
  const raw = merged(pruned(shape, base, decided) as Tree, overrides);
  nameStages(raw, method);
  const recipe = recipeName(setting, name);
  const config = checked(parseSection(shape, { ...raw, recipe, setting, method: name }), method);
  const refused = refusedField(config, paths);
  if (refused !== undefined) throw wrong(refused);
  return config;
}

/** `asker`: the function that is called wrongly. */
export function requireInput(asker: string, input: ResolveInput): void {
  requireFields(asker, input, KEYS);
  if (input.recipe !== undefined && typeof input.recipe !== "string") {
    throw wrong(`recipe: expected the name of a setting or recipe, got ${shown(input.recipe)}`);
  }
  if (input.overrides !== undefined && !isRaw(input.overrides)) {
    throw wrong(
      `overrides: expected an object of fields, such as { "run.seed": 2 }, got ${shown(input.overrides)}`,
    );
  }
}

/** Which setting is meant, and what was asked for by the paths of fields, with values of their types. */
export function askedFields({ recipe = "starter", method, overrides }: ResolveInput): {
  readonly setting: string;
  readonly given: ReadonlyMap<string, unknown>;
} {
  const { setting, method: standard } = pairNamed(recipe);
  return { setting, given: fieldsGiven(overrides, methodOf(method ?? standard).method) };
}

function fieldsGiven(overrides: ResolveInput["overrides"], method: Method): Map<string, unknown> {
  const entries = [...flattened({ ...overrides }, configFields(method))];
  return new Map(
    entries.map(([path, value]) => {
      const field = fieldNamed(path, method);
      return [field.path, coerced(value, field)];
    }),
  );
}

/** Of a scaffold that is asked for in place of the setting's own. */
function limitsOfScaffold(chosen: Tree, asked: unknown): Patch {
  const { scaffold, model } = chosen as {
    readonly scaffold?: { readonly name?: string };
    readonly model?: { readonly contextLength?: number };
  };
  if (typeof asked !== "string") return {};
  return scaffoldPatch(asked, scaffold?.name ?? "compact", model?.contextLength ?? 0);
}

function pairNamed(name: string): { readonly setting: string; readonly method: string } {
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

function methodOf(asked: string | Method): { readonly name: string; readonly method: Method } {
  if (typeof asked === "string") return { name: asked, method: methodNamed(asked) };
  if (!isRaw(asked)) throw wrong(`method: expected a name or a method, got ${shown(asked)}`);
  keepMethod(asked.name, asked);
  return { name: asked.name, method: asked };
}

/** Fields of stages under their whole names, values as on the command line. What is no stage is left to the schema. */
function nameStages(raw: Tree, run: Method): void {
  const { schedule } = raw as { schedule?: { stages?: unknown } };
  if (!Array.isArray(schedule?.stages)) return;
  const stages = schedule.stages.map((stage: { patch?: unknown; method?: unknown }) => {
    if (typeof stage?.patch !== "object" || stage.patch === null) return stage;
    const method = typeof stage.method === "string" ? methodNamed(stage.method) : run;
    const named = [...flattened(stage.patch as Tree, configFields(method))].map(([path, value]) => {
      const field = fieldNamed(path, method);
      return [field.path, coerced(value, field)];
    });
    return { ...stage, patch: Object.fromEntries(named) };
  });
  raw["schedule"] = { ...schedule, stages };
}

/** A configuration that is whole but for what no single field can tell. */
export function checked(config: Config, method: Method): Config {
  const conflict = conflictIn(config) ?? method.conflict(config);
  if (conflict !== undefined) throw wrong(conflict);
  for (const [i, stage] of scheduleOf(config).stages.entries()) {
    checkStage(config, method, stage, `schedule.stages.${i}.patch`);
  }
  return config;
}

/** A stage is a whole configuration too. */
function checkStage(
  config: Config,
  method: Method,
  stage: Parameters<typeof patchedPhase>[1],
  at: string,
): void {
  const fixed = Object.keys(stage.patch).find((path) => !isChangeable(path));
  if (fixed !== undefined) throw wrong(`${at}: ${fixed} is the same in the whole run`);
  try {
    const phase = patchedPhase({ config, method }, stage);
    checked(phase.config, phase.method);
  } catch (cause) {
    throw new BowlineError("config", `${at}: ${messageOf(cause)}`, { cause });
  }
}

const wrong = (message: string) => new BowlineError("config", message);
