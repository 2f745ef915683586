/**
 * Converts metrics into the data of a chart: one x for each step, and a value or a gap for each line.
 *
 * A step may have several lines in `metrics.jsonl` (an evaluation writes one for each split), so the lines of a step
 * are joined; for each name the last value counts.
 */
import type { Curves } from "../../../src/spec/studio/index.ts";

export type Phase = Curves["phases"][string];
export type Column = readonly (number | null)[];

export interface MetricTable {
  readonly x: readonly number[];
  readonly columns: readonly Column[];
}

/** Builds a table of the named columns of a phase, by step. Steps without any value are left out. */
export function buildTable(phase: Phase | undefined, names: readonly string[]): MetricTable {
  const rows = new Map<number, (number | null)[]>();
  for (const [i, step] of (phase?.steps ?? []).entries()) {
    for (const [place, name] of names.entries()) {
      const value = phase!.columns[name]?.[i];
      if (value === null || value === undefined) continue;
      const row = rows.get(step) ?? names.map(() => null);
      row[place] = value;
      rows.set(step, row);
    }
  }
  const x = [...rows.keys()].sort((a, b) => a - b);
  return { x, columns: names.map((_, place) => x.map((step) => rows.get(step)![place]!)) };
}

/** Lists the metrics of a phase that have at least one value. */
export function listRecordedMetrics(phase: Phase | undefined): string[] {
  if (!phase) return [];
  return Object.keys(phase.columns).filter((name) =>
    phase.columns[name]!.some((value) => value !== null),
  );
}

/** Joins tables on common steps. The result has the columns of all tables in order. */
export function joinTables(tables: readonly MetricTable[]): MetricTable {
  const x = [...new Set(tables.flatMap((table) => table.x))].sort((a, b) => a - b);
  const columns = tables.flatMap((table) => {
    const at = new Map(table.x.map((step, i) => [step, i]));
    return table.columns.map((column) =>
      x.map((step) => {
        const i = at.get(step);
        return i === undefined ? null : column[i]!;
      }),
    );
  });
  return { x, columns };
}

/** Computes the mean of the columns at each step; null if fewer than `minCount` columns have a value there. */
export function computeMeanColumn(columns: readonly Column[], minCount = 1): (number | null)[] {
  const length = columns[0]?.length ?? 0;
  return Array.from({ length }, (_, i) => {
    const values = columns.flatMap((column) => column[i] ?? []);
    if (values.length < minCount || values.length === 0) return null;
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  });
}

/** Returns the meaning of a metric, or that of its family: `behaviour/turns` belongs to `behaviour/`. */
export function findMeaning(name: string, glossary: Readonly<Record<string, string>>): string {
  if (glossary[name] !== undefined) return glossary[name];
  const families = Object.keys(glossary).filter((key) => key.endsWith("/") && name.startsWith(key));
  const nearest = families.sort((a, b) => b.length - a.length)[0];
  return nearest === undefined ? "" : glossary[nearest]!;
}

/** A line in a chart. */
export interface Line {
  readonly name: string;
  readonly values: Column;
  /** The name of a theme variable, such as `--series-1`. */
  readonly colour: string;
  /** The width in pixels. The default is 2. */
  readonly width?: number;
  readonly dashed?: boolean;
  /** True for a thin line that does not appear in the legend and the table. */
  readonly isQuiet?: boolean;
}

/** Describes each line of a chart in a sentence, for screen readers. */
export function describeLines(
  lines: readonly Pick<Line, "name" | "values">[],
  x: readonly number[],
  format: (value: number) => string,
): string {
  const sentences = lines.flatMap(({ name, values }) => {
    const there = values.flatMap((value, i) => (value === null ? [] : [{ value, step: x[i]! }]));
    const [first, last] = [there[0], there.at(-1)];
    if (!first || !last) return [];
    if (there.length === 1) return [`${name}: ${format(first.value)} at ${first.step}`];
    const all = there.map(({ value }) => value);
    const low = all.reduce((a, b) => Math.min(a, b));
    const high = all.reduce((a, b) => Math.max(a, b));
    return [
      `${name}: first ${format(first.value)} at ${first.step}, last ${format(last.value)} at ${last.step}, lowest ${format(low)}, highest ${format(high)}`,
    ];
  });
  return sentences.length === 0 ? "no values yet" : `${sentences.join("; ")}.`;
}

/**
 * Returns the range of an axis: `wanted`, widened to contain all values. Null means that the chart chooses the range.
 */
export function computeRange(
  columns: readonly Column[],
  wanted: readonly [number, number] | undefined,
): [number, number] | null {
  if (!wanted) return null;
  let [low, high] = wanted;
  for (const column of columns) {
    for (const value of column) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return [low, high];
}
