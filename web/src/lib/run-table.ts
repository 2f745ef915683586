/** The table of runs as values: which splits it shows, which rows a filter leaves, and in which order. */
import type { RunRow } from "../../../src/spec/studio/index.ts";
import { type SortKey, type SortOrder, sortRows } from "./sort.ts";

/** Held-out splits first: what counts comes before what was looked at while building. */
const SPLIT_ORDER = ["test-normal", "test-challenge", "dev", "train"];

/** Keys of scores (`dev`, `dev@T1`) in one order: greedy before sampled, held-out first. */
export function orderSplits(keys: Iterable<string>): string[] {
  const place = (key: string) => {
    const [split = "", mode] = key.split("@");
    const index = SPLIT_ORDER.indexOf(split);
    return (mode === undefined ? 0 : 100) + (index === -1 ? 50 : index);
  };
  return [...new Set(keys)].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}

/** Splits of which any of the runs has a score. */
export function listSplits(runs: readonly RunRow[]): string[] {
  return orderSplits(
    runs.flatMap(({ before = {}, after = {} }) => [...Object.keys(before), ...Object.keys(after)]),
  );
}

/** The split that stands for a run where there is room for one: the first greedy one. */
export function findHeadlineSplit(run: Pick<RunRow, "before" | "after">): string | undefined {
  return listSplits([run as RunRow])[0];
}

export interface RunFilter {
  /** Every word must occur in what the row shows. */
  readonly text?: string | undefined;
  readonly status?: string | undefined;
  readonly method?: string | undefined;
}

export function filterRuns(runs: readonly RunRow[], filter: RunFilter): RunRow[] {
  const words = (filter.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return runs.filter((run) => {
    if (filter.status && run.status !== filter.status) return false;
    if (filter.method && run.method !== filter.method) return false;
    const said = searchableText(run);
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

/** What a column is sorted by; `tgc:SPLIT` by the score after training, or before where there is none yet. */
export function runSortKey(run: RunRow, column: string): SortKey {
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

export function sortRuns(runs: readonly RunRow[], { column, direction }: SortOrder): RunRow[] {
  return sortRows(runs, (run) => runSortKey(run, column), direction);
}

/** 0..1, of the iterations that were asked for. */
export function fractionDone({ iteration, iterations }: RunRow): number | undefined {
  if (iteration === undefined || !iterations) return undefined;
  return Math.min(1, iteration / iterations);
}

/** Values that occur, for a filter's choices. */
export function listChoices(
  runs: readonly RunRow[],
  field: "status" | "method" | "setting",
): string[] {
  return [...new Set(runs.flatMap((run) => run[field] ?? []))].sort();
}
