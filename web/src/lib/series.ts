/**
 * Columns of metrics as what a chart draws: one x for each step, a value or a gap for each line.
 *
 * A step may have several lines in `metrics.jsonl` (an evaluation writes one for each split), so lines of one step are
 * joined: of each name its last value.
 */
import type { Curves } from "../../../src/spec/studio/index.ts";

export type Phase = Curves["phases"][string];
export type Column = readonly (number | null)[];

export interface MetricTable {
  readonly x: readonly number[];
  readonly columns: readonly Column[];
}

/** The named columns of a phase, by step; steps at which none has a value are left out. */
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

/** Names of a phase that have a value anywhere. */
export function listRecordedMetrics(phase: Phase | undefined): string[] {
  if (!phase) return [];
  return Object.keys(phase.columns).filter((name) =>
    phase.columns[name]!.some((value) => value !== null),
  );
}

/** Several tables on one x; `place` of the result counts through all their columns. */
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

/** At each x the mean of the columns that have a value there; null where fewer than `least` have one. */
export function computeMeanColumn(columns: readonly Column[], minCount = 1): (number | null)[] {
  const length = columns[0]?.length ?? 0;
  return Array.from({ length }, (_, i) => {
    const values = columns.flatMap((column) => column[i] ?? []);
    if (values.length < minCount || values.length === 0) return null;
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  });
}

/** Meaning of a metric: its own entry, or that of the family it belongs to (`behaviour/turns` is of `behaviour/`). */
export function findMeaning(name: string, glossary: Readonly<Record<string, string>>): string {
  if (glossary[name] !== undefined) return glossary[name];
  const families = Object.keys(glossary).filter((key) => key.endsWith("/") && name.startsWith(key));
  const nearest = families.sort((a, b) => b.length - a.length)[0];
  return nearest === undefined ? "" : glossary[nearest]!;
}

/** A line of a chart. */
export interface Line {
  readonly name: string;
  readonly values: Column;
  /** A variable of the theme, such as `--series-1`. */
  readonly colour: string;
  /** Pixels; default 2. */
  readonly width?: number;
  readonly dashed?: boolean;
  /** Left out of the legend and the table: one of many thin lines under a thick one. */
  readonly isQuiet?: boolean;
}

/** A chart in a sentence a line: for those who do not see it. */
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
      `${name}: ${format(first.value)} at ${first.step}, ${format(last.value)} at ${last.step}, between ${format(low)} and ${format(high)}`,
    ];
  });
  return sentences.length === 0 ? "no values yet" : `${sentences.join("; ")}.`;
}

/** Ends of an axis: `wanted`, widened to what the values need. Null leaves them to the chart. */
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
