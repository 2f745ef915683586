/**
 * Reads `metrics.jsonl` and `timings.jsonl` into columns. Each read continues where the last one ended.
 *
 * Lines of one phase and step form one row, even if they come from both files; so do the splits of an evaluation. A
 * resumed run truncates its files first. So each read compares the last bytes that were read with the file, and starts
 * from the beginning where they differ.
 */
import { join } from "node:path";
import { giveWay } from "../../../core/index.ts";
import type { Curves } from "../../../spec/studio/index.ts";
import { METRIC_GLOSSARY } from "../../../train/index.ts";
import type { RunLocation } from "./find-runs.ts";
import { forEachLine, parseObjectLine } from "./json-lines.ts";
import { type StudioFolder, withFile } from "./studio-folder.ts";

type MetricColumn = (number | null)[];

/** The rows of one phase, in the order of their first line. */
export interface PhaseTable {
  readonly steps: number[];
  /** When each row was evaluated, such as `before`. Empty texts in all phases but `eval`. */
  readonly when: string[];
  readonly columns: Map<string, MetricColumn>;
  readonly rowByStep: Map<string, number>;
  /** Values that are null in the file, which is how JSON writes NaN and infinities. */
  readonly nonFinite: { readonly name: string; readonly row: number }[];
}

/** All metrics of a run, by phase. */
export type MetricTables = ReadonlyMap<string, PhaseTable>;

export interface MetricReader {
  readTables(location: RunLocation): Promise<MetricTables>;
}

interface CachedMetrics {
  readonly tables: Map<string, PhaseTable>;
  readonly endOffsets: Record<string, number>;
  readonly tails: Record<string, string>;
}

const METRIC_FILES = ["metrics.jsonl", "timings.jsonl"] as const;
const MAX_CACHED_RUNS = 12;
/** How many bytes before the end of the last read are kept, to notice a file that was truncated and written anew. */
const TAIL_BYTES = 200;

export function createMetricReader(folder: StudioFolder): MetricReader {
  const cache = new Map<string, CachedMetrics>();
  const pending = new Map<string, Promise<MetricTables>>();

  const readNewMetrics = async (location: RunLocation): Promise<MetricTables> => {
    const paths = METRIC_FILES.map((name) => join(location.directory, name));
    let metrics = cache.get(location.id);
    if (metrics && !(await isContinuationOfCached(folder, paths, metrics))) metrics = undefined;
    metrics ??= { tables: new Map(), endOffsets: {}, tails: {} };
    for (const path of paths) await readNewLines(folder, path, metrics);
    cache.delete(location.id);
    cache.set(location.id, metrics);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED_RUNS && oldest !== undefined) cache.delete(oldest);
    return metrics.tables;
  };

  return {
    readTables(location) {
      const current = pending.get(location.id);
      if (current) return current;
      const work = readNewMetrics(location).finally(() => pending.delete(location.id));
      pending.set(location.id, work);
      return work;
    },
  };
}

async function isContinuationOfCached(
  folder: StudioFolder,
  paths: readonly string[],
  cached: CachedMetrics,
): Promise<boolean> {
  for (const path of paths) {
    const end = cached.endOffsets[path] ?? 0;
    if (end === 0) continue;
    const now = await withFile(folder, path, (file) => readTailBefore(file, end));
    if (now !== cached.tails[path]) return false;
  }
  return true;
}

type OpenedFile = Parameters<typeof forEachLine>[0];

async function readTailBefore(file: OpenedFile, end: number): Promise<string> {
  const bytes = Buffer.alloc(Math.min(TAIL_BYTES, end));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, end - bytes.length);
  return bytes.toString("latin1", 0, bytesRead);
}

async function readNewLines(
  folder: StudioFolder,
  path: string,
  cached: CachedMetrics,
): Promise<void> {
  await withFile(folder, path, async (file, size) => {
    const from = cached.endOffsets[path] ?? 0;
    if (size <= from) return;
    const end = await forEachLine(file, from, (bytes, start, stop) => {
      for (const line of parseObjectLine(bytes.toString("utf8", start, stop)))
        addLine(cached.tables, line);
    });
    cached.endOffsets[path] = end;
    cached.tails[path] = await readTailBefore(file, end);
    await giveWay();
  });
}

function addLine(tables: Map<string, PhaseTable>, line: Record<string, unknown>): void {
  const { phase, step, when, ...values } = line;
  if (typeof phase !== "string" || typeof step !== "number") return;
  if (!tables.has(phase) && tables.size >= MAX_PHASES) return;
  const table: PhaseTable = tables.get(phase) ?? {
    ...{ steps: [], when: [], nonFinite: [], columns: new Map(), rowByStep: new Map() },
  };
  tables.set(phase, table);
  const row = findOrAddRow(table, step, typeof when === "string" ? when : "");
  for (const [name, value] of Object.entries(values)) {
    const column = table.columns.get(name) ?? [];
    table.columns.set(name, column);
    while (column.length < row) column.push(null);
    column[row] = typeof value === "number" && Number.isFinite(value) ? value : null;
    if (value === null) table.nonFinite.push({ name, row });
  }
}

const MAX_PHASES = 16;

function findOrAddRow(table: PhaseTable, step: number, when: string): number {
  const key = `${step} ${when}`;
  const known = table.rowByStep.get(key);
  if (known !== undefined) return known;
  const row = table.steps.push(step) - 1;
  table.when.push(when);
  table.rowByStep.set(key, row);
  return row;
}

const GLOSSARY_OF_METRICS = Object.fromEntries(
  Object.entries(METRIC_GLOSSARY).map(([name, meaning]) => [name.replace(/<[^>]*>/g, ""), meaning]),
);

/** Converts the tables into the form of the studio's API. */
export function buildCurves(tables: MetricTables): Curves {
  const phases = [...tables].map(([phase, { steps, when, columns }]) => [
    phase,
    {
      steps,
      columns: Object.fromEntries(
        [...columns].map(([name, values]) => [name, padWithNulls(values, steps.length)]),
      ),
      ...(when.some((one) => one !== "") && { when }),
    },
  ]);
  return { phases: Object.fromEntries(phases), glossary: GLOSSARY_OF_METRICS };
}

function padWithNulls(values: MetricColumn, length: number): MetricColumn {
  return values.length === length
    ? values
    : [...values, ...new Array<null>(length - values.length).fill(null)];
}
