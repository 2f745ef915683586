/** Plans the arms of a comparison before anything runs: their recipes and configurations, and what they share. */
import {
  BowlineError,
  didYouMean,
  errorMessage,
  isModulePath,
  parseSection,
  toCamelCase,
} from "../../core/index.ts";
import { type Config, configLeaves, configSection } from "../config/config.ts";
import { findPackageMethod, type NamedMethod } from "../config/named-method.ts";
import type { ConfigAndMethod } from "../config/stages.ts";
import { requireCapableEngine } from "../parts/engine-needs.ts";
import type { Makers } from "../parts/makers.ts";
import { COMPARED_RECIPES, recipeName, recipes, settings } from "../settings/recipes.ts";
import { findSettingAndMethod, resolveConfigAndMethod } from "../settings/resolve.ts";
import { affectsWarmStart, findStartDifferences } from "../warm/copy-warm-start.ts";
import type { CompareOptions } from "./compare-options.ts";
import { fieldsToSpendBudget } from "./spend-budget.ts";

/** A method that learns nothing is a result of a comparison, so gates do not stop its runs. */
const DEFAULT_OVERRIDES = { "evaluation.every": 2, "run.gates": "note" } as const;

/** A planned arm, with its method and its configuration for each seed. */
export interface PlannedArm {
  readonly name: string;
  readonly runs: readonly ConfigAndMethod[];
}

/** The runs of a comparison. */
export interface ComparisonPlan {
  /** The run that makes the shared warm start of each seed: it has the arms' setting and no iterations. */
  readonly warm: readonly ConfigAndMethod[];
  readonly arms: readonly PlannedArm[];
  readonly leftOut: readonly { readonly recipe: string; readonly why: string }[];
}

/** The setting and method of an arm. */
interface ArmPair {
  readonly setting: string;
  readonly method: NamedMethod;
}

/**
 * Plans a comparison. Throws a `config` error when an arm cannot run, cannot spend the budget, or has another warm
 * start.
 */
export async function planComparison(
  makers: Makers,
  options: CompareOptions,
): Promise<ComparisonPlan> {
  const { pairs, leftOut } = await findRunnablePairs(makers, options);
  const { seeds } = options;
  const arms = pairs.map((pair) => {
    const runs = seeds.map((seed) => resolveArm(pair, seed, options));
    return { name: options.name ?? armName(runs[0]!), runs };
  });
  const repeated = arms.find(({ name }, i) => arms.findIndex((one) => one.name === name) < i);
  if (repeated !== undefined) {
    throw configError(`two arms are called ${repeated.name}; rename a method`);
  }
  const { setting = "starter" } = pairs[0] ?? {};
  const warm = seeds.map((seed) => resolveWarmStart(seed, setting, options));
  for (const { runs } of arms) {
    for (const [i, { config }] of runs.entries()) requireSameStart(warm[i]!.config, config);
  }
  return { warm, arms, leftOut };
}

/** Returns the name of an arm: its recipe, or, for a user's own method, the setting and the method's name. */
function armName({ config: { recipe, setting, method: name }, method }: ConfigAndMethod): string {
  return isModulePath(name) ? `${setting}/${method.name}` : recipe;
}

/** Returns the arms that the engine can run. Throws when the user named an arm that it cannot run. */
async function findRunnablePairs(
  makers: Makers,
  options: CompareOptions,
): Promise<{ pairs: readonly ArmPair[]; leftOut: { recipe: string; why: string }[] }> {
  const [seed = 1] = options.seeds;
  const leftOut: { recipe: string; why: string }[] = [];
  const pairs: ArmPair[] = [];
  const isRequired = options.recipes !== undefined || options.methods !== undefined;
  for (const pair of pairsToCompare(options)) {
    const phase = resolveArm(pair, seed, options);
    try {
      // Each arm asks its server again when it begins, so here only special needs are looked up.
      await requireCapableEngine(makers, phase, true);
      pairs.push(pair);
    } catch (error) {
      if (isRequired) throw error;
      const left = { recipe: phase.config.recipe, why: errorMessage(error) };
      options.onEvent?.({ type: "left-out", ...left });
      leftOut.push(left);
    }
  }
  return { pairs, leftOut };
}

/** Returns the pairs of setting and method to compare, without repetitions. */
function pairsToCompare({ recipes: names, setting, methods, name }: CompareOptions): ArmPair[] {
  if (names !== undefined && (setting !== undefined || methods !== undefined)) {
    throw configError("expected recipes, or methods on a setting, got both");
  }
  if (setting !== undefined && !Object.hasOwn(settings, setting)) {
    throw configError(
      `unknown setting ${JSON.stringify(setting)}${didYouMean(setting, Object.keys(settings))}; settings: ${Object.keys(settings).join(", ")}`,
    );
  }
  const known = methods ?? COMPARED_RECIPES.map((recipe) => recipes[recipe]!.method);
  const pairs = names
    ? names.map(findSettingAndMethod).map(({ setting, method }) => createPair(setting, method))
    : known.map((method) => createPair(setting ?? "starter", method));
  requireDistinctMethods(pairs);
  const byName = new Map(pairs.map((pair) => [recipeName(pair.setting, pair.method.name), pair]));
  if (name !== undefined && byName.size !== 1) {
    throw configError(
      `the name ${JSON.stringify(name)} is for one arm, but there are ${byName.size}`,
    );
  }
  return [...byName.values()];
}

/** Throws when two different methods have one name, since arms and their run directories are named after methods. */
function requireDistinctMethods(pairs: readonly ArmPair[]): void {
  const methods = new Map(pairs.map(({ method }) => [method.name, method.method]));
  const other = pairs.find(({ method }) => methods.get(method.name) !== method.method);
  if (other === undefined) return;
  throw configError(`two different methods are called ${other.method.name}; rename one of them`);
}

function createPair(setting: string, method: string | NamedMethod): ArmPair {
  return { setting, method: typeof method === "string" ? findPackageMethod(method) : method };
}

function resolveArm(
  { setting, method }: ArmPair,
  seed: number,
  { overrides, rollouts }: CompareOptions,
): ConfigAndMethod {
  const fields = { ...DEFAULT_OVERRIDES, ...overrides, "run.seed": seed };
  try {
    const budget = fieldsToSpendBudget(
      resolveConfigAndMethod({ recipe: setting, method, overrides: fields }),
      rollouts,
    );
    return resolveConfigAndMethod({ recipe: setting, method, overrides: { ...fields, ...budget } });
  } catch (cause) {
    if (!BowlineError.is(cause)) throw cause;
    const recipe = recipeName(setting, method.name);
    throw new BowlineError(cause.code, `recipe ${recipe}: ${cause.message}`, { cause });
  }
}

/** Returns the run that makes the warm start of a seed. Override paths may be in kebab-case, as on the command line. */
function resolveWarmStart(
  seed: number,
  setting: string,
  { overrides = {} }: CompareOptions,
): ConfigAndMethod {
  const shared = Object.entries(overrides).filter(([path]) => isSharedField(toCamelCase(path)));
  const own = { "run.seed": seed, "algo.iterations": 0 };
  return resolveConfigAndMethod({
    recipe: setting,
    overrides: { ...DEFAULT_OVERRIDES, ...Object.fromEntries(shared), ...own },
  });
}

const isSharedField = (path: string) =>
  affectsWarmStart(path) || path.startsWith("evaluation.") || path.startsWith("fitting.");

function requireSameStart(warm: Config, config: Config): void {
  const [path] = findStartDifferences(warm, config);
  if (path === undefined) return;
  throw configError(
    `recipe ${config.recipe} cannot be compared with ${warm.recipe}, because its warm start differs: ${path} is ${JSON.stringify(configLeaves(config).get(path))} there and ${JSON.stringify(configLeaves(warm).get(path))} in ${warm.recipe}`,
  );
}

/** Returns the fields of the warm start and of evaluation that are not at their defaults. */
export function listSharedFields(warm: ConfigAndMethod): Record<string, unknown> {
  return listChangedFields(warm, isSharedField);
}

/** Returns the fields of an arm that differ from their defaults and are not shared with the other arms. */
export function listArmFields(arm: ConfigAndMethod): Record<string, unknown> {
  return listChangedFields(arm, (path) => !isSharedField(path));
}

/** Matches the fields that only name a run, and those that do not change what it learns. */
const NAMES_AND_LIMITS = /^(recipe|setting|method|budget\..*|run\..*|world\.(workers|episodes))$/;

function listChangedFields(
  { config, method }: ConfigAndMethod,
  isWanted: (path: string) => boolean,
): Record<string, unknown> {
  const defaults = configLeaves(parseSection(configSection(method), {}));
  return Object.fromEntries(
    [...configLeaves(config)].filter(
      ([path, value]) =>
        !NAMES_AND_LIMITS.test(path) && isWanted(path) && defaults.get(path) !== value,
    ),
  );
}

function configError(message: string): BowlineError {
  return new BowlineError("config", message);
}
