/**
 * `metrics.jsonl` and `timings.jsonl` as columns, read on from where the last look ended.
 *
 * Lines of one phase and step are one row, whichever file they are of; so are an evaluation's splits. A run that is continued
 * cuts its files back first, so what was read last is compared with what stands there now; where it differs, reading begins
 * anew.
 */
import { join } from "node:path";
import type { Curves } from "../../../spec/studio/index.ts";
import { GLOSSARY } from "../../../train/index.ts";
import { breather } from "./breather.ts";
import type { RunPlace } from "./find-runs.ts";
import { type Inside, withFile } from "./inside.ts";
import { eachLine, objectOf } from "./lines.ts";

type Column = (number | null)[];

/** Rows of one phase, in the order of their first line. */
export interface PhaseTable {
  readonly steps: number[];
  /** Of `eval`. */
  readonly when: string[];
  readonly columns: Map<string, Column>;
  readonly rowAt: Map<string, number>;
  /** Values that a line names and that are no numbers: JSON writes NaN and infinities as null. */
  readonly named: { readonly name: string; readonly row: number }[];
}

/** All that a run measured. */
export type Tables = ReadonlyMap<string, PhaseTable>;

export interface CurveStore {
  tables(place: RunPlace): Promise<Tables>;
}

interface Kept {
  readonly tables: Map<string, PhaseTable>;
  readonly ends: Record<string, number>;
  readonly lasts: Record<string, string>;
}

const NAMES = ["metrics.jsonl", "timings.jsonl"] as const;
const KEPT_RUNS = 12;
/** What identifies the place where the last look ended. */
const LAST_BYTES = 200;

export function curveStore(inside: Inside): CurveStore {
  const kept = new Map<string, Kept>();
  const running = new Map<string, Promise<Tables>>();

  const look = async (place: RunPlace): Promise<Tables> => {
    const paths = NAMES.map((name) => join(place.directory, name));
    let here = kept.get(place.id);
    if (here && !(await isContinued(inside, paths, here))) here = undefined;
    here ??= { tables: new Map(), ends: {}, lasts: {} };
    for (const path of paths) await readOn(inside, path, here);
    kept.delete(place.id);
    kept.set(place.id, here);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_RUNS && oldest !== undefined) kept.delete(oldest);
    return here.tables;
  };

  return {
    tables(place) {
      const going = running.get(place.id);
      if (going) return going;
      const work = look(place).finally(() => running.delete(place.id));
      running.set(place.id, work);
      return work;
    },
  };
}

async function isContinued(inside: Inside, paths: readonly string[], kept: Kept): Promise<boolean> {
  for (const path of paths) {
    const end = kept.ends[path] ?? 0;
    if (end === 0) continue;
    const now = await withFile(inside, path, (file) => textBefore(file, end));
    if (now !== kept.lasts[path]) return false;
  }
  return true;
}

type Opened = Parameters<typeof eachLine>[0];

async function textBefore(file: Opened, end: number): Promise<string> {
  const bytes = Buffer.alloc(Math.min(LAST_BYTES, end));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, end - bytes.length);
  return bytes.toString("latin1", 0, bytesRead);
}

async function readOn(inside: Inside, path: string, kept: Kept): Promise<void> {
  const breathe = breather();
  await withFile(inside, path, async (file, size) => {
    const from = kept.ends[path] ?? 0;
    if (size <= from) return;
    const end = await eachLine(file, from, (bytes, start, stop) => {
      for (const line of objectOf(bytes.toString("utf8", start, stop))) take(kept.tables, line);
    });
    kept.ends[path] = end;
    kept.lasts[path] = await textBefore(file, end);
    await breathe();
  });
}

function take(tables: Map<string, PhaseTable>, line: Record<string, unknown>): void {
  const { phase, step, when, ...values } = line;
  if (typeof phase !== "string" || typeof step !== "number") return;
  if (!tables.has(phase) && tables.size >= MOST_PHASES) return;
  const table: PhaseTable = tables.get(phase) ?? {
    ...{ steps: [], when: [], named: [], columns: new Map(), rowAt: new Map() },
  };
  tables.set(phase, table);
  const row = rowOf(table, step, typeof when === "string" ? when : "");
  for (const [name, value] of Object.entries(values)) {
    const column = table.columns.get(name) ?? [];
    table.columns.set(name, column);
    while (column.length < row) column.push(null);
    column[row] = typeof value === "number" && Number.isFinite(value) ? value : null;
    if (value === null) table.named.push({ name, row });
  }
}

const MOST_PHASES = 16;

function rowOf(table: PhaseTable, step: number, when: string): number {
  const key = `${step} ${when}`;
  const known = table.rowAt.get(key);
  if (known !== undefined) return known;
  const row = table.steps.push(step) - 1;
  table.when.push(when);
  table.rowAt.set(key, row);
  return row;
}

const SHOWN_GLOSSARY = Object.fromEntries(
  Object.entries(GLOSSARY).map(([name, meaning]) => [name.replace(/<[^>]*>/g, ""), meaning]),
);

/** As the page reads them. */
export function curvesOf(tables: Tables): Curves {
  const phases = [...tables].map(([phase, { steps, when, columns }]) => [
    phase,
    {
      steps,
      columns: Object.fromEntries(
        [...columns].map(([name, values]) => [name, filled(values, steps.length)]),
      ),
      ...(when.some((one) => one !== "") && { when }),
    },
  ]);
  return { phases: Object.fromEntries(phases), glossary: SHOWN_GLOSSARY };
}

function filled(values: Column, length: number): Column {
  return values.length === length
    ? values
    : [...values, ...new Array<null>(length - values.length).fill(null)];
}
