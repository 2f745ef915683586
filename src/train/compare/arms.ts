/** The arms of a comparison before anything runs: which recipes, their configurations, what they share and what not. */
import {
  BowlineError,
  camelCase,
  didYouMean,
  isModulePath,
  messageOf,
  parseSection,
} from "../../core/index.ts";
import { type Config, configLeaves, configSection } from "../config/config.ts";
import { methodNamed } from "../config/method-named.ts";
import { resolveConfig } from "../config/resolve.ts";
import { requireEngine } from "../open/engine-needs.ts";
import type { Makers } from "../open/makers.ts";
import { COMPARED, recipeName, recipes, settings } from "../settings/recipes.ts";
import { decidesWarmStart, differingStart } from "../warm/warm-cache.ts";
import { atBudget } from "./budget.ts";
import type { CompareOptions } from "./compare-options.ts";

const DEFAULTS = { "evaluation.every": 2 };

/** An arm and how it runs under each seed. */
export interface PlannedArm {
  readonly name: string;
  readonly configs: readonly Config[];
}

export interface Plan {
  /** The start of all arms, a configuration a seed: a run of their setting without iterations. */
  readonly warm: readonly Config[];
  readonly arms: readonly PlannedArm[];
  readonly leftOut: readonly { readonly recipe: string; readonly why: string }[];
}

/** Throws a `config` error where a recipe is unknown, not served, starts elsewhere, or cannot spend the budget. */
export async function planOf(makers: Makers, options: CompareOptions): Promise<Plan> {
  const { names, leftOut } = await chosen(makers, options);
  const { seeds } = options;
  const arms = names.map((recipe) => {
    const configs = seeds.map((seed) => armConfig(recipe, seed, options));
    return { name: options.name ?? nameOf(configs[0]!), configs };
  });
  const taken = arms.find(({ name }, i) => arms.findIndex((one) => one.name === name) < i);
  if (taken !== undefined) throw wrong(`two arms are called ${taken.name}; rename a method`);
  const { setting = "starter" } = arms[0]?.configs[0] ?? {};
  const warm = seeds.map((seed) => warmConfig(seed, setting, options));
  for (const { configs } of arms) {
    for (const [i, config] of configs.entries()) requireSameStart(warm[i]!, config);
  }
  return { warm, arms, leftOut };
}

/** The recipe; of a method of one's own by its own name, not by where its module lies. */
function nameOf({ recipe, setting, method }: Config): string {
  return isModulePath(method) ? `${setting}/${methodNamed(method).name}` : recipe;
}

/** Named recipes must all be served; of the default ones, those that are not are left out and said to be. */
async function chosen(
  makers: Makers,
  options: CompareOptions,
): Promise<{ names: readonly string[]; leftOut: { recipe: string; why: string }[] }> {
  const names = recipesOf(options);
  const [seed = 1] = options.seeds;
  const configs = names.map((name) => armConfig(name, seed, options));
  const leftOut: { recipe: string; why: string }[] = [];
  const isNamed = options.recipes !== undefined || options.methods !== undefined;
  for (const config of configs) {
    try {
      await requireEngine(makers, { config, method: methodNamed(config.method) });
    } catch (error) {
      if (isNamed) throw error;
      const left = { recipe: config.recipe, why: messageOf(error) };
      options.onEvent?.({ type: "left-out", ...left });
      leftOut.push(left);
    }
  }
  const left = new Set(leftOut.map(({ recipe }) => recipe));
  return { names: names.filter((name) => !left.has(name)), leftOut };
}

/** The arms by the names of their pairs, each once. */
function recipesOf({ recipes: pairs, setting, methods, name }: CompareOptions): string[] {
  if (pairs !== undefined && (setting !== undefined || methods !== undefined)) {
    throw wrong("compare takes recipes, or methods on a setting, and came with both");
  }
  if (setting !== undefined && !Object.hasOwn(settings, setting)) {
    throw wrong(
      `unknown setting ${JSON.stringify(setting)}${didYouMean(setting, Object.keys(settings))}; settings: ${Object.keys(settings).join(", ")}`,
    );
  }
  const known = methods ?? COMPARED.map((one) => recipes[one]!.method);
  const all = pairs ?? known.map((method) => recipeName(setting ?? "starter", method));
  const each = [...new Set(all)];
  if (name !== undefined && each.length !== 1) {
    throw wrong(
      `the name ${JSON.stringify(name)} is for one arm, and ${each.length} were asked for`,
    );
  }
  return each;
}

function armConfig(recipe: string, seed: number, { overrides, rollouts }: CompareOptions): Config {
  const fields = { ...DEFAULTS, ...overrides, "run.seed": seed };
  try {
    const config = resolveConfig({ recipe, overrides: fields });
    const method = methodNamed(config.method);
    const budget = atBudget({ config, method }, rollouts);
    return resolveConfig({ recipe, overrides: { ...fields, ...budget } });
  } catch (cause) {
    if (!BowlineError.is(cause)) throw cause;
    throw new BowlineError(cause.code, `recipe ${recipe}: ${cause.message}`, { cause });
  }
}

/** Paths may be as the command line writes them, `optimizer.learning-rate`. */
function warmConfig(seed: number, setting: string, { overrides = {} }: CompareOptions): Config {
  const fields = Object.entries(overrides).filter(([path]) => isShared(camelCase(path)));
  const own = { "run.seed": seed, "algo.iterations": 0 };
  return resolveConfig({
    recipe: setting,
    overrides: { ...DEFAULTS, ...Object.fromEntries(fields), ...own },
  });
}

const isShared = (path: string) => decidesWarmStart(path) || path.startsWith("evaluation.");

function requireSameStart(warm: Config, config: Config): void {
  const [path] = differingStart(warm, config);
  if (path === undefined) return;
  throw wrong(
    `recipe ${config.recipe} has another start than ${warm.recipe}: ${path} is ${JSON.stringify(configLeaves(config).get(path))} there and ${JSON.stringify(configLeaves(warm).get(path))} in ${warm.recipe}; such recipes cannot be compared`,
  );
}

/** Fields of the warm start and of evaluation that are not at their defaults. */
export function sharedFields(warm: Config): Record<string, unknown> {
  return changed(warm, isShared);
}

/** The arm's other fields that are not at their defaults. */
export function changesOf(config: Config): Record<string, unknown> {
  return changed(config, (path) => !isShared(path));
}

/** They name the run, or change nothing that is learned. */
const APART = /^(recipe|setting|method|budget\..*|run\..*|world\.(workers|episodes))$/;

function changed(config: Config, wanted: (path: string) => boolean): Record<string, unknown> {
  const standard = configLeaves(parseSection(configSection(methodNamed(config.method)), {}));
  return Object.fromEntries(
    [...configLeaves(config)].filter(
      ([path, value]) => !APART.test(path) && wanted(path) && standard.get(path) !== value,
    ),
  );
}

function wrong(message: string): BowlineError {
  return new BowlineError("config", message);
}
