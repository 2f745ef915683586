/**
 * Compares recipes: runs every recipe with every seed, at the same budget of rollouts, from the same start.
 *
 *   for each seed: one warm start, made once (`warm-seed<n>`)
 *   for each seed and recipe: a run from it (`<recipe>-seed<n>`), evaluated on the same tasks
 *
 * Every run is a run directory, so a comparison that was stopped continues where it stopped, and finished runs are read
 * and not repeated.
 */
import { join } from "node:path";
import { describeMachine } from "../../core/index.ts";
import type { Summary } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import type { ConfigAndMethod } from "../config/stages.ts";
import { type Makers, realMakers } from "../parts/makers.ts";
import { readVersions } from "../run/versions.ts";
import { trainWith } from "../train.ts";
import type { CompareOptions } from "./compare-options.ts";
import type { Arm, ComparedRun, Comparison, Results, Start } from "./comparison.ts";
import {
  type ComparisonPlan,
  listArmFields,
  listSharedFields,
  type PlannedArm,
  planComparison,
} from "./plan-comparison.ts";
import { readComparedRun, readOutcomes, readSplits } from "./read-run.ts";
import {
  findSameComparison,
  joinResults,
  type PlannedComparison,
  readResults,
  requireJoinable,
  writeResults,
} from "./results.ts";

/**
 * Runs a comparison. Resolves with its results, including those of the same comparison in the file of results. Rejects
 * with a BowlineError before any run when a recipe is unknown, the engine cannot run it, it cannot spend the budget, or
 * its runs cannot be added to the file.
 */
export function compare(options: CompareOptions): Promise<Comparison> {
  return compareWith(realMakers, options);
}

const NO_RESULTS: Results = { version: 2, comparisons: [] };

/** Works like `compare`, with functions that the caller passes to make worlds and engines. */
export async function compareWith(makers: Makers, options: CompareOptions): Promise<Comparison> {
  const { results: path } = options;
  const plan = await planComparison(makers, options);
  const planned = describePlan(plan, options);
  if (path !== undefined) requireJoinable(readResults(path), planned, path);
  const made = await runAllArms(makers, plan, options);
  const { cpu, cores } = describeMachine();
  const comparison: Comparison = {
    ...planned,
    ...made,
    leftOut: [...plan.leftOut],
    primary: [],
    made: [{ machine: `${cores} cores of ${cpu}`, versions: readVersions() }],
  };
  // The file is read again, because another comparison may have written it meanwhile.
  const earlier = path === undefined ? NO_RESULTS : readResults(path);
  const results = joinResults(earlier, comparison, path ?? "");
  if (path !== undefined) writeResults(path, results);
  return findSameComparison(results, comparison)!;
}

/** Describes a comparison before its runs are made. */
function describePlan(
  { warm, arms }: ComparisonPlan,
  { rollouts, seeds }: CompareOptions,
): PlannedComparison {
  const base = warm[0]!;
  const { world, setting } = base.config;
  return {
    world: { name: world.name, seed: world.seed },
    setting,
    rollouts,
    shared: listSharedFields(base),
    splits: {},
    starts: [],
    arms: arms.map((arm) => ({ ...describeArm(arm), runs: seeds.map((seed) => ({ seed })) })),
  };
}

function describeArm({ name, runs }: PlannedArm): Omit<Arm, "runs"> {
  const phase = runs[0]!;
  const { recipe, setting, method } = phase.config;
  const { summary } = phase.method;
  return { name, recipe, setting, method, summary, changes: listArmFields(phase) };
}

/** Runs all arms seed by seed, so that a stopped comparison has complete seeds. */
async function runAllArms(
  makers: Makers,
  { warm, arms }: ComparisonPlan,
  options: CompareOptions,
): Promise<Pick<Comparison, "splits" | "starts" | "arms">> {
  const { out, signal } = options;
  const of = warm.length * (arms.length + 1);
  let number = 0;
  const run = (
    name: string,
    { config, method }: ConfigAndMethod,
    warmFrom?: string,
  ): Promise<Summary> => {
    options.onEvent?.({ type: "run", name, number: ++number, of });
    return trainWith(makers, config, {
      out: join(out, name),
      method,
      warmFrom,
      onEvent: (event) => options.onEvent?.({ type: "train", event }),
      ...(signal && { signal }),
    });
  };
  const starts: Start[] = [];
  const runs = arms.map((): ComparedRun[] => []);
  let splits: Comparison["splits"] = {};
  for (const [i, phase] of warm.entries()) {
    const { seed } = phase.config.run;
    const start = join(out, `warm-seed${seed}`);
    const { seconds, before } = await run(`warm-seed${seed}`, phase);
    splits = readSplits(start, before);
    const outcomes = readOutcomes(start, "before", before);
    starts.push({ seed, seconds: Math.round(seconds), before: outcomes });
    for (const [j, { name, runs: phases }] of arms.entries()) {
      const armPhase = phases[i]!;
      const directory = runDirectoryName(name, armPhase.config);
      const summary = await run(directory, armPhase, start);
      runs[j]!.push(readComparedRun(join(out, directory), summary, armPhase.config));
    }
  }
  return { splits, starts, arms: arms.map((arm, j) => ({ ...describeArm(arm), runs: runs[j]! })) };
}

function runDirectoryName(name: string, { run }: Config): string {
  return `${name.replace(/[^\w.-]+/g, "-")}-seed${run.seed}`;
}
