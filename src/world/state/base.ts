/**
 * The population of a world: frozen tables with hash indexes, built once and shared by every episode of a thread.
 *
 * An episode never copies it. What an episode changes lives in a State, a small overlay on top of this.
 */
import type { Cell, Table, TableRow } from "../define.ts";

/** Cells as map keys. Arrays go by their JSON; a clash with a string is harmless, candidates are compared again. */
export type Key = string | number | boolean | null;

export interface BaseTable {
  readonly table: Table;
  /** Ascending id. */
  readonly rows: readonly TableRow[];
  readonly byId: ReadonlyMap<number, TableRow>;
  readonly indexes: ReadonlyMap<string, ReadonlyMap<Key, readonly TableRow[]>>;
  /** The id that the next inserted row gets. */
  readonly nextId: number;
  /** Answers to queries on the table as it is here, for episodes that have not written to it; frozen. */
  readonly answers: Map<string, readonly TableRow[]>;
}

export class Base {
  readonly #tables: ReadonlyMap<string, BaseTable>;

  constructor(tables: Iterable<BaseTable>) {
    this.#tables = new Map([...tables].map((table) => [table.table.name, table]));
  }

  /** No rows at all: what a population is written onto. */
  static empty(tables: readonly Table[]): Base {
    return new Base(tables.map((table) => indexTable(table, [], 1)));
  }

  get tables(): Iterable<BaseTable> {
    return this.#tables.values();
  }

  /** Throws when no app of the world declares a table of this name. */
  table(name: string): BaseTable {
    const found = this.#tables.get(name);
    if (!found) {
      throw new Error(
        `table "${name}" is not declared by any app; declared are ${[...this.#tables.keys()].join(", ")}`,
      );
    }
    return found;
  }
}

/** `rows` are frozen and in ascending id. */
export function indexTable(table: Table, rows: readonly TableRow[], nextId: number): BaseTable {
  const indexes = new Map(table.indexes.map((column) => [column, indexColumn(rows, column)]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { table, rows: Object.freeze([...rows]), byId, indexes, nextId, answers: new Map() };
}

function indexColumn(rows: readonly TableRow[], column: string): Map<Key, readonly TableRow[]> {
  const index = new Map<Key, TableRow[]>();
  for (const row of rows) {
    const key = keyOf(row[column]!);
    const bucket = index.get(key);
    if (bucket) bucket.push(row);
    else index.set(key, [row]);
  }
  for (const bucket of index.values()) Object.freeze(bucket);
  return index;
}

export function keyOf(cell: Cell): Key {
  return isList(cell) ? JSON.stringify(cell) : cell;
}

export function isList(cell: Cell | undefined): cell is readonly string[] | readonly number[] {
  return Array.isArray(cell);
}

export function sameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  if (a === b) return true;
  if (!isList(a) || !isList(b) || a.length !== b.length) return false;
  return a.every((item, i) => item === b[i]);
}
