/** Computes the table of runs: the splits that it shows, the rows that pass the filter, and their order. */
import type { RunRow } from "../../../src/spec/studio/index.ts";
import { configPath, formatConfigValue, NO_EXTRAS, type RunExtras } from "./run-extras.ts";
import { type SortKey, type SortOrder, sortRows } from "./sort.ts";

/** The order of splits. Held-out splits come first, because they count more than splits that were used for tuning. */
const SPLIT_ORDER = ["test-normal", "test-challenge", "dev", "train"];

/** Sorts keys of scores (`dev`, `dev@T1`): greedy before sampled, held-out splits first. */
export function orderSplits(keys: Iterable<string>): string[] {
  const sortPosition = (key: string) => {
    const [split = "", mode] = key.split("@");
    const index = SPLIT_ORDER.indexOf(split);
    return (mode === undefined ? 0 : 100) + (index === -1 ? 50 : index);
  };
  return [...new Set(keys)].sort((a, b) => sortPosition(a) - sortPosition(b) || a.localeCompare(b));
}

/** Lists the splits for which any of the runs has a score. */
export function listSplits(runs: readonly RunRow[]): string[] {
  return orderSplits(
    runs.flatMap(({ before = {}, after = {} }) => [...Object.keys(before), ...Object.keys(after)]),
  );
}

/** Returns the split that is shown if there is space for only one: the first greedy split. */
export function findHeadlineSplit(run: Pick<RunRow, "before" | "after">): string | undefined {
  return listSplits([run as RunRow])[0];
}

export interface RunFilter {
  /** Words that must all occur in the row. */
  readonly text?: string | undefined;
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  readonly tag?: string | undefined;
}

export function filterRuns(
  runs: readonly RunRow[],
  filter: RunFilter,
  extras: RunExtras = NO_EXTRAS,
): RunRow[] {
  const words = (filter.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return runs.filter((run) => {
    if (filter.status && run.status !== filter.status) return false;
    if (filter.method && run.method !== filter.method) return false;
    const { tags = [], note = "" } = extras.notes(run.id) ?? {};
    if (filter.tag && !tags.includes(filter.tag)) return false;
    const said = `${searchableText(run)} ${tags.join(" ")} ${note}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

function searchableText({
  id,
  status,
  setting,
  method,
  world,
  model,
  seed,
  problem,
}: RunRow): string {
  const parts = [id, status, setting, method, world, model, `seed${seed}`, problem];
  return parts.filter(Boolean).join(" ").toLowerCase();
}

/**
 * Returns the value by which a column is sorted. For `tgc:SPLIT` this is the score after training, or otherwise the
 * score before training.
 */
export function runSortKey(run: RunRow, column: string, extras: RunExtras = NO_EXTRAS): SortKey {
  const path = configPath(column);
  if (path !== undefined) return configSortKey(extras.configValue(run.id, path));
  if (column.startsWith("tgc:")) {
    const split = column.slice("tgc:".length);
    return (run.after?.[split] ?? run.before?.[split])?.tgc;
  }
  switch (column) {
    case "status":
    case "method":
    case "setting":
    case "world":
    case "seed":
    case "rollouts":
    case "cost":
      return run[column];
    case "tags":
      return extras.notes(run.id)?.tags.join(" ") || undefined;
    case "note":
      return extras.notes(run.id)?.note || undefined;
    case "time":
      return run.seconds;
    case "progress":
      return fractionDone(run);
    case "changed":
      return run.changedMs ?? run.startedMs;
    default:
      return run.id;
  }
}

function configSortKey(json: string | undefined): SortKey {
  if (json === undefined) return undefined;
  const number = Number(json);
  return Number.isFinite(number) ? number : formatConfigValue(json);
}

export function sortRuns(
  runs: readonly RunRow[],
  { column, direction }: SortOrder,
  extras: RunExtras = NO_EXTRAS,
): RunRow[] {
  return sortRows(runs, (run) => runSortKey(run, column, extras), direction);
}

/** Returns the fraction (0 to 1) of the run's iterations that are done. */
export function fractionDone({
  iteration,
  iterations,
}: Partial<Pick<RunRow, "iteration" | "iterations">>): number | undefined {
  if (iteration === undefined || !iterations) return undefined;
  return Math.min(1, iteration / iterations);
}

/** Lists the values that a field has in the runs, as choices of a filter. */
export function listChoices(
  runs: readonly RunRow[],
  field: "status" | "method" | "setting",
): string[] {
  return [...new Set(runs.flatMap((run) => run[field] ?? []))].sort();
}
