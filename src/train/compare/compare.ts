/**
 * Recipes against each other: every recipe under every seed, at the same budget of rollouts, from the same start.
 *
 *   for each seed: one warm start, made once (`warm-seed<n>`)
 *   for each seed, recipe: a run from it (`<recipe>-seed<n>`), scored on the same tasks
 *
 * Every run is a run directory, so a comparison that was stopped continues where it was, and finished runs are only read.
 */
import { join } from "node:path";
import { isPassed } from "../../algo/index.ts";
import {
  BowlineError,
  didYouMean,
  messageOf,
  parseSection,
  readJsonLines,
  thisMachine,
} from "../../core/index.ts";
import type { MetricLine, Rollout, Summary } from "../../spec/index.ts";
import { type Config, configLeaves, configSection } from "../config/config.ts";
import { methodNamed } from "../config/method-named.ts";
import type { Overrides } from "../config/overrides.ts";
import { resolveConfig } from "../config/resolve.ts";
import { requireEngine } from "../open/engine-needs.ts";
import { type Makers, realMakers } from "../open/makers.ts";
import type { TrainEvent } from "../run/events.ts";
import { readRollouts } from "../run/run-store.ts";
import { versions } from "../run/versions.ts";
import { COMPARED, recipeName, recipes, settings } from "../settings/recipes.ts";
import { trainWith } from "../train.ts";
import { decidesWarmStart, differingStart } from "../warm/warm-cache.ts";
import { atBudget } from "./budget.ts";
import type { Arm, ComparedPair, ComparedRun, Comparison, CurvePoint } from "./comparison.ts";
import { holm, type Outcome, pairedTest } from "./significance.ts";

export type CompareEvent =
  | { readonly type: "run"; readonly name: string; readonly number: number; readonly of: number }
  | { readonly type: "train"; readonly event: TrainEvent }
  | { readonly type: "left-out"; readonly recipe: string; readonly why: string };

export interface CompareOptions {
  /** Pairs of setting and method by name ("starter", "ei", "smoke/grpo"). Default: `methods` on `setting`. */
  readonly recipes?: readonly string[];
  /** Default `starter`. */
  readonly setting?: string;
  /** Default: the methods of the paper's table that the engine can serve. */
  readonly methods?: readonly string[];
  readonly seeds: readonly number[];
  /** Of each run. */
  readonly rollouts: number;
  /** Fields for all recipes, as for `resolveConfig`. */
  readonly overrides?: Overrides;
  /** Folder of the run directories. */
  readonly out: string;
  readonly onEvent?: (event: CompareEvent) => void;
  readonly signal?: AbortSignal;
}

const DEFAULTS = { "evaluation.every": 2 };

/** Rejects with a BowlineError before any run when a recipe is unknown, not served, or cannot spend the budget. */
export function compare(options: CompareOptions): Promise<Comparison> {
  return compareWith(realMakers, options);
}

/** `compare` with other makers of worlds and engines. */
export async function compareWith(makers: Makers, options: CompareOptions): Promise<Comparison> {
  const { seeds, out, signal } = options;
  const { names, leftOut } = await chosen(makers, options);
  const plans = seeds.map((seed) => {
    const arms = names.map((recipe) => ({ recipe, config: armConfig(recipe, seed, options) }));
    const { setting = "starter" } = arms[0]?.config ?? {};
    return { seed, warm: warmConfig(seed, setting, options), arms };
  });
  for (const { warm, arms } of plans) {
    for (const { config } of arms) requireSameStart(warm, config);
  }
  const of = seeds.length * (names.length + 1);
  let number = 0;
  const run = async (name: string, config: Config, warmFrom?: string) => {
    options.onEvent?.({ type: "run", name, number: ++number, of });
    return trainWith(makers, config, {
      out: join(out, name),
      warmFrom,
      onEvent: (event) => options.onEvent?.({ type: "train", event }),
      ...(signal && { signal }),
    });
  };
  const warmSeconds: number[] = [];
  const runs = new Map(names.map((name): [string, Run[]] => [name, []]));
  for (const { seed, warm, arms } of plans) {
    const start = `warm-seed${seed}`;
    warmSeconds.push((await run(start, warm)).seconds);
    for (const { recipe, config } of arms) {
      const directory = `${recipe.replaceAll("/", "-")}-seed${seed}`;
      const summary = await run(directory, config, join(out, start));
      runs.get(recipe)!.push(readRun(join(out, directory), directory, summary, config, options));
    }
  }
  const base = plans[0]!.warm;
  const arms = plans[0]!.arms.map(
    ({ recipe, config }): Arm => ({
      recipe,
      summary: methodNamed(config.method).summary,
      changes: changes(base, config),
      runs: runs.get(recipe)!.map(({ record }) => record),
    }),
  );
  const seconds = [...warmSeconds, ...arms.flatMap((arm) => arm.runs.map((each) => each.seconds))];
  const { cpu, cores } = thisMachine();
  return {
    version: 1,
    world: { name: base.world.name, seed: base.world.seed },
    rollouts: options.rollouts,
    seeds: [...seeds],
    warmStart: {
      shared: true,
      demonstrations: base.warm.demonstrations,
      hastyShare: base.warm.hastyShare,
      seconds: warmSeconds,
    },
    arms,
    leftOut,
    pairs: pairsOf(new Map([...runs].map(([name, all]) => [name, all.flatMap(outcomesOf)]))),
    test: TEST,
    versions: versions(),
    machine: `${cores} cores of ${cpu}`,
    seconds: seconds.reduce((sum, value) => sum + value, 0),
  };
}

const TEST =
  "paired permutation of the signs of scenarios under seeds (9,999 draws, two-sided), Holm's correction over all pairs";

/** Named recipes must all be served; of the default ones, those that are not are left out and said to be. */
async function chosen(
  makers: Makers,
  options: CompareOptions,
): Promise<{ names: readonly string[]; leftOut: { recipe: string; why: string }[] }> {
  const names = namesOf(options);
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
function namesOf({ recipes: pairs, setting, methods }: CompareOptions): string[] {
  if (pairs !== undefined && (setting !== undefined || methods !== undefined)) {
    throw new BowlineError(
      "config",
      "compare takes recipes, or methods on a setting, and came with both",
    );
  }
  if (pairs !== undefined) return [...new Set(pairs)];
  if (setting !== undefined && !Object.hasOwn(settings, setting)) {
    throw new BowlineError(
      "config",
      `unknown setting ${JSON.stringify(setting)}${didYouMean(setting, Object.keys(settings))}; settings: ${Object.keys(settings).join(", ")}`,
    );
  }
  const names = methods ?? COMPARED.map((name) => recipes[name]!.method);
  return [...new Set(names.map((method) => recipeName(setting ?? "starter", method)))];
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

/** The start of all arms of a seed, with its evaluations: a run of their setting without iterations. */
function warmConfig(seed: number, setting: string, { overrides = {} }: CompareOptions): Config {
  const fields = Object.entries(overrides).filter(
    ([path]) => decidesWarmStart(path) || path.startsWith("evaluation."),
  );
  return resolveConfig({
    recipe: setting,
    overrides: {
      ...DEFAULTS,
      ...Object.fromEntries(fields),
      "run.seed": seed,
      "algo.iterations": 0,
    },
  });
}

function requireSameStart(warm: Config, config: Config): void {
  const [path] = differingStart(warm, config);
  if (path === undefined) return;
  throw new BowlineError(
    "config",
    `recipe ${config.recipe} has another start than ${warm.recipe}: ${path} is ${JSON.stringify(configLeaves(config).get(path))} there and ${JSON.stringify(configLeaves(warm).get(path))} in ${warm.recipe}; such recipes cannot be compared`,
  );
}

/** Fields in which an arm differs from its setting by LOOP; of sections that LOOP has not, from their defaults. */
function changes(base: Config, config: Config): Record<string, unknown> {
  const shared = configLeaves(base);
  const standard = configLeaves(parseSection(configSection(methodNamed(config.method)), {}));
  const before = (path: string) => (shared.has(path) ? shared.get(path) : standard.get(path));
  return Object.fromEntries(
    [...configLeaves(config)].filter(
      ([path, value]) => path !== "recipe" && path !== "setting" && before(path) !== value,
    ),
  );
}

interface Run {
  readonly record: ComparedRun;
  readonly after: readonly Rollout[];
}

function readRun(
  path: string,
  directory: string,
  { seconds, rollouts, before, after }: Summary,
  config: Config,
  options: CompareOptions,
): Run {
  const metrics = readJsonLines(join(path, "metrics.jsonl")) as MetricLine[];
  const updates = metrics.reduce((sum, line) => sum + Number(line["train/updates"] ?? 0), 0);
  const dev = devCurve(path, metrics, config, options.rollouts);
  const record = {
    seed: config.run.seed,
    directory,
    seconds,
    rollouts,
    updates,
    before,
    after,
    dev,
  };
  return { record, after: readRollouts(path, "eval-after-test-normal-greedy") };
}

/** The evaluations within a run score the first scenarios of dev; those before and after are read on the same ones. */
function devCurve(
  path: string,
  metrics: readonly MetricLine[],
  { algo, evaluation }: Config,
  budget: number,
): CurvePoint[] {
  const tasks = 3 * Math.min(evaluation.everyScenarios, evaluation.scenarios);
  const point = (name: string, iteration: number): CurvePoint[] => {
    const rollouts = readRollouts(path, name).slice(0, tasks);
    if (rollouts.length === 0) return [];
    const value = rollouts.filter(isPassed).length / rollouts.length;
    return [{ rollouts: (budget * iteration) / Math.max(algo.iterations, 1), value }];
  };
  const within = metrics.filter(({ when }) => String(when).startsWith("iteration"));
  return [
    ...point("eval-before-dev-greedy", 0),
    ...within.flatMap(({ step }) =>
      point(`eval-iteration-${String(step).padStart(4, "0")}-dev-greedy`, step),
    ),
    ...point("eval-after-dev-greedy", algo.iterations),
  ];
}

function outcomesOf({ record, after }: Run): Outcome[] {
  return after.map((rollout) => ({
    seed: record.seed,
    scenario: rollout.task.scenario,
    task: rollout.task.id,
    passed: isPassed(rollout),
  }));
}

function pairsOf(outcomes: ReadonlyMap<string, readonly Outcome[]>): ComparedPair[] {
  const names = [...outcomes.keys()];
  const pairs = names.flatMap((a, i) =>
    names.slice(i + 1).flatMap((b) => {
      const [x, y] = [outcomes.get(a)!, outcomes.get(b)!];
      return x.length > 0 ? [{ a, b, ...pairedTest(x, y) }] : [];
    }),
  );
  const adjusted = holm(pairs.map(({ p }) => p));
  return pairs.map((pair, i) => ({ ...pair, adjusted: adjusted[i]! }));
}
