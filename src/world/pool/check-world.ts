/** Opens a world, proves its tasks on all workers, and closes the world. */
import { BowlineError, requireKnownFields, requireOneOf, requireSeed } from "../../core/index.ts";
import { type Dials, SPLITS, type Split } from "../../spec/index.ts";
import { checkTasks, sumReports, type TaskReport, type WorldReport } from "../check/index.ts";
import { requireScenarioCount } from "../episode/index.ts";
import type { OpenedWorld } from "../opened-world.ts";
import { openWorld } from "./open-world.ts";

/** What `checkWorld` proves, and with how many threads. */
export interface CheckWorldOptions<S extends Split | "all" = Split> {
  readonly seed: number;
  /** The split to check. `all` divides the scenarios among the composed splits that the world has. */
  readonly split: S;
  /** The number of scenarios to check. The default is the number that the world lists. */
  readonly scenarios?: number;
  readonly workers?: number;
  /** The time limit of `openWorld`, in milliseconds. */
  readonly wallClockMs?: number;
  readonly dials?: Partial<Dials>;
  /** Called after each task, with its report, the number of finished tasks and the number of all tasks. */
  readonly onTask?: (report: TaskReport, done: number, tasks: number) => void;
}

const OPTIONS = [
  "seed",
  "split",
  "scenarios",
  "workers",
  "wallClockMs",
  "dials",
  "onTask",
] as const satisfies (keyof CheckWorldOptions)[];

/** The sums over all splits, and the report of each split. */
export interface AllSplitsReport extends Omit<WorldReport, "split" | "agreementByTask"> {
  readonly split: "all";
  readonly splits: readonly WorldReport[];
}

/**
 * Proves tasks of one split or of all splits: solutions pass, doing nothing fails, mutants fail, equivalents pass.
 * Rejects with a `config` error for a wrong option, and with a `world` error when the world cannot be opened or has no
 * solutions.
 */
export async function checkWorld(
  moduleUrl: string,
  options: CheckWorldOptions,
): Promise<WorldReport>;
export async function checkWorld(
  moduleUrl: string,
  options: CheckWorldOptions<Split | "all">,
): Promise<WorldReport | AllSplitsReport>;
export async function checkWorld(
  moduleUrl: string,
  options: CheckWorldOptions<Split | "all">,
): Promise<WorldReport | AllSplitsReport> {
  requireKnownFields("options of checkWorld", options, OPTIONS);
  const { seed, split, scenarios, workers = 1, dials, onTask } = options;
  requireSeed("seed", seed);
  requireOneOf("split", split, [...SPLITS, "all"]);
  if (scenarios !== undefined) requireScenarioCount(scenarios);
  const { wallClockMs } = options;
  const limits = wallClockMs === undefined ? {} : { wallClockMs };
  const world = await openWorld(moduleUrl, { seed, workers, dials, ...limits });
  try {
    const { splits, ids } = selectTasks(world, split, scenarios);
    const total = ids.reduce((sum, { length }) => sum + length, 0);
    const reports: WorldReport[] = [];
    for (const [i, name] of splits.entries()) {
      const before = reports.reduce((sum, { tasks }) => sum + tasks, 0);
      const reportTask = (report: TaskReport, done: number) =>
        onTask?.(report, before + done, total);
      reports.push(await checkTasks(world, name, ids[i]!, 2 * workers, reportTask));
    }
    if (split !== "all") return reports[0]!;
    return { ...sumReports(reports), split, splits: reports };
  } finally {
    await world.close();
  }
}

/** Selects the splits to check, with the ids of their tasks. Throws a `config` error when there are no tasks. */
function selectTasks(
  world: OpenedWorld,
  split: Split | "all",
  scenarios: number | undefined,
): { readonly splits: readonly Split[]; readonly ids: readonly (readonly string[])[] } {
  const composed = world.splits.filter((name) => name !== "handmade");
  const wanted = split === "all" ? composed : world.splits.filter((name) => name === split);
  if (wanted.length === 0) {
    throw new BowlineError(
      "config",
      `split: ${world.name} has no ${split === "all" ? "composed" : split} tasks, so there is nothing to check; it has ${world.splits.join(", ")}`,
    );
  }
  const shares = wanted.map((name, i) => ({ name, share: evenShare(scenarios, wanted.length, i) }));
  const some = shares.filter(({ share }) => share !== 0);
  return {
    splits: some.map(({ name }) => name),
    ids: some.map(({ name, share }) => world.tasks(name, share).map(({ id }) => id)),
  };
}

/** Divides `whole` evenly into `parts` and returns the share with this index. The first shares get the remainder. */
function evenShare(whole: number | undefined, parts: number, index: number): number | undefined {
  if (whole === undefined) return undefined;
  return Math.floor(whole / parts) + (index < whole % parts ? 1 : 0);
}
