/**
 * Reads, extends and writes files of results.
 *
 * New runs of other arms, seeds or worlds are added to those of a file, and a repeated run replaces the earlier one.
 * All runs of one table must be comparable, so they may differ only in their arms. A difference in fields of the warm
 * start or evaluation, in tasks, or in the warm start's scores is an error that names the difference.
 */
import { existsSync } from "node:fs";
import { BowlineError, errorMessage, readJson, writeFileAtomic } from "../../core/index.ts";
import { type Arm, type Comparison, type Results, resultsSchema } from "./comparison.ts";
import { testPrimaryComparisons } from "./primary-comparisons.ts";
import { formatResults } from "./results-text.ts";

/**
 * Reads a results file. A missing file gives results without comparisons. Throws a `store` error for any other kind of
 * file.
 */
export function readResults(path: string): Results {
  if (!existsSync(path)) return { version: 2, comparisons: [] };
  const value = readJson(path);
  const version = (value as { version?: unknown } | null)?.version;
  const found = version === 2 ? resultsSchema.safeParse(value) : undefined;
  if (found?.success) return found.data;
  const why = found
    ? `the file is damaged: ${errorMessage(found.error)}`
    : `it is not a results file of version 2${version === 1 ? ", but of version 1, which lacks the passed tasks by scenario" : ""}`;
  throw new BowlineError(
    "store",
    `cannot read ${path}: ${why}; name another file, or remove this one and compare again (finished runs are not repeated)`,
  );
}

/** Writes a results file, either completely or not at all. */
export function writeResults(path: string, results: Results): void {
  writeFileAtomic(path, formatResults(results));
}

/** What is known of a comparison before its runs are made. */
export type PlannedComparison = Pick<
  Comparison,
  "world" | "setting" | "rollouts" | "shared" | "splits" | "starts"
> & {
  readonly arms: readonly (Omit<Arm, "runs"> & { readonly runs: readonly { seed: number }[] })[];
};

/** Returns the comparison with the same world, setting and budget; undefined if there is none. */
export function findSameComparison(
  { comparisons }: Results,
  plan: PlannedComparison,
): Comparison | undefined {
  return comparisons.find((one) => comparisonKey(one) === comparisonKey(plan));
}

const comparisonKey = ({ world, setting, rollouts }: PlannedComparison) =>
  JSON.stringify([world.name, world.seed, setting, rollouts]);

/** Throws a `config` error when the new runs cannot be added to those of the file. The error names what differs. */
export function requireJoinable(results: Results, added: PlannedComparison, path: string): void {
  const there = findSameComparison(results, added);
  const why = there && (findJoinConflict(removeRepeatedRuns(there, added), added) ?? undefined);
  if (why === undefined) return;
  throw new BowlineError("config", `these runs cannot be added to those of ${path}: ${why}`);
}

/**
 * Adds the runs of a comparison to the results. A run replaces an earlier run of the same arm and seed. `path` names
 * the file in errors.
 */
export function joinResults(results: Results, added: Comparison, path: string): Results {
  requireJoinable(results, added, path);
  const there = findSameComparison(results, added);
  const others = results.comparisons.filter((one) => one !== there);
  const whole =
    there === undefined
      ? withPrimaryTests(added)
      : mergeComparisons(removeRepeatedRuns(there, added), added);
  return { version: 2, comparisons: [...others, whole].sort(compareByWorld) };
}

/** Compares two comparisons for sorting, by world and budget. */
function compareByWorld(a: Comparison, b: Comparison): number {
  const inNames = a.world.name.localeCompare(b.world.name, "en", { numeric: true });
  return inNames || a.rollouts - b.rollouts;
}

/** Returns the comparison without the runs that are made again, and without arms that then have no runs. */
function removeRepeatedRuns(there: Comparison, added: PlannedComparison): Comparison {
  const again = new Map(
    added.arms.map(({ name, runs }) => [name, new Set(runs.map(({ seed }) => seed))]),
  );
  const arms = there.arms
    .map((arm) => ({
      ...arm,
      runs: arm.runs.filter(({ seed }) => !again.get(arm.name)?.has(seed)),
    }))
    .filter(({ runs }) => runs.length > 0);
  const seeds = new Set(arms.flatMap(({ runs }) => runs.map(({ seed }) => seed)));
  return { ...there, arms, starts: there.starts.filter(({ seed }) => seeds.has(seed)) };
}

function mergeComparisons(kept: Comparison, added: Comparison): Comparison {
  const names = [...new Set([...kept.arms, ...added.arms].map(({ name }) => name))];
  const arms = names.map((name): Arm => {
    const both = [kept, added].flatMap(({ arms }) => arms.filter((arm) => arm.name === name));
    return { ...both.at(-1)!, runs: sortBySeed(both.flatMap(({ runs }) => runs)) };
  });
  const seeds = new Set(added.starts.map(({ seed }) => seed));
  const recipes = new Set(arms.map(({ recipe }) => recipe));
  const made = [...kept.made, ...added.made].map((one) => JSON.stringify(one));
  const leftOut = [...kept.leftOut, ...added.leftOut].map((one) => JSON.stringify(one));
  return withPrimaryTests({
    ...added,
    arms,
    starts: sortBySeed([...kept.starts.filter(({ seed }) => !seeds.has(seed)), ...added.starts]),
    made: [...new Set(made)].map((text) => JSON.parse(text)),
    leftOut: [...new Set(leftOut)]
      .map((text): Comparison["leftOut"][number] => JSON.parse(text))
      .filter(({ recipe }) => !recipes.has(recipe)),
  });
}

const withPrimaryTests = (comparison: Comparison) => ({
  ...comparison,
  primary: testPrimaryComparisons(comparison),
});

function sortBySeed<T extends { readonly seed: number }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => a.seed - b.seed);
}

/** Says why the new runs cannot be added to the kept ones; undefined if they can. */
function findJoinConflict(kept: Comparison, added: PlannedComparison): string | undefined {
  if (kept.arms.length === 0) return undefined;
  const shared = describeDifference(kept.shared, added.shared);
  if (shared !== undefined) return `${shared}; all runs of one table must have the same value`;
  for (const arm of added.arms) {
    const there = kept.arms.find(({ name }) => name === arm.name);
    const changed = there && describeDifference(listArmChanges(there), listArmChanges(arm));
    if (changed !== undefined) {
      return `the arm ${arm.name} is different: ${changed}; give this one another name (--name), or run all its seeds again`;
    }
  }
  const split = Object.keys(added.splits).find(
    (name) =>
      kept.splits[name] !== undefined &&
      JSON.stringify(kept.splits[name]) !== JSON.stringify(added.splits[name]),
  );
  if (split !== undefined) return `the tasks of ${split} have changed`;
  const start = added.starts.find(({ seed, before }) => {
    const there = kept.starts.find((one) => one.seed === seed);
    return there !== undefined && JSON.stringify(there.before) !== JSON.stringify(before);
  });
  if (start === undefined) return undefined;
  return `the warm start of seed ${start.seed} has other scores, so it is not the same warm start (perhaps it was made on another machine or with other code), and its runs cannot be paired with the earlier ones`;
}

function listArmChanges({ recipe, changes }: Omit<Arm, "runs">): Record<string, unknown> {
  return { recipe, ...changes };
}

/** Describes the first field that differs, such as `evaluation.scenarios is 60 there and 20 here`. */
function describeDifference(
  there: Readonly<Record<string, unknown>>,
  here: Readonly<Record<string, unknown>>,
): string | undefined {
  const formatValue = (value: unknown) =>
    value === undefined ? "at its default" : JSON.stringify(value);
  const paths = [...new Set([...Object.keys(there), ...Object.keys(here)])];
  const path = paths.find((one) => formatValue(there[one]) !== formatValue(here[one]));
  return path && `${path} is ${formatValue(there[path])} there and ${formatValue(here[path])} here`;
}

/** Reads several results files as one. Throws if a file is missing or the results cannot be combined. */
export function readAllResults(paths: readonly string[]): Results {
  return paths.reduce<Results>(
    (all, path) => {
      if (!existsSync(path)) throw new BowlineError("store", `there is no file ${path}`);
      return readResults(path).comparisons.reduce((sum, one) => joinResults(sum, one, path), all);
    },
    { version: 2, comparisons: [] },
  );
}
