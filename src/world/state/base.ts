/**
 * The population of a world: frozen tables with hash indexes, built once and shared by every episode of a thread.
 *
 * An episode never copies them. What it changes is kept in a `TableState`, which is a small overlay on top of these
 * tables.
 */
import type { Cell, Table, TableRow } from "../define.ts";

/**
 * A cell's value as the key of a map. A list becomes its JSON. If this equals another text, nothing goes wrong, because
 * candidates are compared again.
 */
export type CellKey = string | number | boolean | null;

export interface FrozenTable {
  readonly table: Table;
  /** The rows in ascending order of id. */
  readonly rows: readonly TableRow[];
  readonly byId: ReadonlyMap<number, TableRow>;
  readonly indexes: ReadonlyMap<string, ReadonlyMap<CellKey, readonly TableRow[]>>;
  /** The id that the next inserted row gets. */
  readonly nextId: number;
  /** Caches answers to queries on the frozen rows, for episodes that have not written to this table. */
  readonly queryCache: Map<string, readonly TableRow[]>;
}

export class FrozenTables {
  readonly #tables: ReadonlyMap<string, FrozenTable>;

  constructor(tables: Iterable<FrozenTable>) {
    this.#tables = new Map([...tables].map((table) => [table.table.name, table]));
  }

  /** Returns tables without rows, into which a population can be written. */
  static empty(tables: readonly Table[]): FrozenTables {
    return new FrozenTables(tables.map((table) => indexTable(table, [], 1)));
  }

  get tables(): Iterable<FrozenTable> {
    return this.#tables.values();
  }

  /** Returns the table of this name. Throws when no app of the world declares it. */
  table(name: string): FrozenTable {
    const found = this.#tables.get(name);
    if (!found) {
      throw new Error(
        `no app declares the table "${name}"; the declared tables are ${[...this.#tables.keys()].join(", ")}`,
      );
    }
    return found;
  }
}

/** Freezes and indexes the rows of a table. The rows themselves must be frozen already and in ascending order of id. */
export function indexTable(table: Table, rows: readonly TableRow[], nextId: number): FrozenTable {
  const indexes = new Map(table.indexes.map((column) => [column, indexColumn(rows, column)]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { table, rows: Object.freeze([...rows]), byId, indexes, nextId, queryCache: new Map() };
}

function indexColumn(rows: readonly TableRow[], column: string): Map<CellKey, readonly TableRow[]> {
  const index = new Map<CellKey, TableRow[]>();
  for (const row of rows) {
    const key = cellKey(row[column]!);
    const bucket = index.get(key);
    if (bucket) bucket.push(row);
    else index.set(key, [row]);
  }
  for (const bucket of index.values()) Object.freeze(bucket);
  return index;
}

export function cellKey(cell: Cell): CellKey {
  return isListCell(cell) ? JSON.stringify(cell) : cell;
}

export function isListCell(cell: Cell | undefined): cell is readonly string[] | readonly number[] {
  return Array.isArray(cell);
}

export function equalCells(a: Cell | undefined, b: Cell | undefined): boolean {
  if (a === b) return true;
  if (!isListCell(a) || !isListCell(b) || a.length !== b.length) return false;
  return a.every((item, i) => item === b[i]);
}
