/**
 * The changed rows of one table, by id: the new row, or null after the row was removed. All other rows are those of the
 * base table.
 *
 * Indexes of columns over the changed rows are built when a query first needs one, and `set` keeps them up to date. A
 * clone starts without indexes, so that cloning copies only one small map.
 */
import type { TableRow } from "../define.ts";
import type { CellKey, FrozenTable } from "./base.ts";
import { cellKey, equalCells } from "./base.ts";

export type RowOrRemoved = TableRow | null;

/** The largest number of cached queries of one table. It limits memory, not which queries are possible. */
const MAX_CACHED_QUERIES = 1000;
const NO_ROWS: readonly TableRow[] = Object.freeze([]);

export class TableOverlay {
  readonly base: FrozenTable;
  readonly changed: Map<number, RowOrRemoved>;
  nextId: number;
  readonly #indexes = new Map<string, Map<CellKey, Set<number>>>();
  #all: readonly TableRow[] | undefined;

  constructor(base: FrozenTable, changed = new Map<number, RowOrRemoved>(), nextId = base.nextId) {
    this.base = base;
    this.changed = changed;
    this.nextId = nextId;
  }

  get isUntouched(): boolean {
    return this.changed.size === 0 && this.nextId === this.base.nextId;
  }

  clone(): TableOverlay {
    return new TableOverlay(this.base, new Map(this.changed), this.nextId);
  }

  get(id: number): TableRow | undefined {
    const row = this.changed.get(id);
    return row === undefined ? this.base.byId.get(id) : (row ?? undefined);
  }

  /** Sets the present row of an id. Null means that the row was removed, and `undefined` takes the change back. */
  set(id: number, row: RowOrRemoved | undefined): void {
    const previous = this.changed.get(id);
    for (const [column, index] of this.#indexes) {
      if (previous) index.get(cellKey(previous[column]!))?.delete(id);
      if (row) addToIndex(index, cellKey(row[column]!), id);
    }
    if (row === undefined) this.changed.delete(id);
    else this.changed.set(id, row);
    this.#all = undefined;
  }

  all(): readonly TableRow[] {
    if (this.changed.size === 0) return this.base.rows;
    this.#all ??= this.#mergeRows(this.base.rows, this.changed.values());
    return this.#all;
  }

  /** Returns the rows that equal `match` in all its columns (at least one), in ascending order of id. */
  where(match: Readonly<Record<string, unknown>>): readonly TableRow[] {
    if (typeof match["id"] === "number") {
      const row = this.get(match["id"]);
      return row && rowMatches(row, match) ? [row] : [];
    }
    return this.changed.size === 0 ? this.#queryBase(match) : this.#findRows(match);
  }

  /** Answers a query on an unchanged table from a cache. Most episodes read most tables and write to few of them. */
  #queryBase(match: Readonly<Record<string, unknown>>): readonly TableRow[] {
    const { queryCache, indexes } = this.base;
    const [only, ...others] = Object.keys(match);
    const index = others.length === 0 ? indexes.get(only!) : undefined;
    if (index) return index.get(cellKey(match[only!] as CellKey)) ?? NO_ROWS;
    let key = "";
    for (const column in match) {
      const cell = match[column];
      key += `${column} ${typeof cell} ${typeof cell === "object" ? JSON.stringify(cell) : cell}\n`;
    }
    const known = queryCache.get(key);
    if (known) return known;
    if (queryCache.size >= MAX_CACHED_QUERIES) queryCache.clear();
    const rows = Object.freeze(this.#findRows(match));
    queryCache.set(key, rows);
    return rows;
  }

  #findRows(match: Readonly<Record<string, unknown>>): readonly TableRow[] {
    const column = this.#smallestIndex(match);
    if (column === undefined) return this.all().filter((row) => rowMatches(row, match));
    const key = cellKey(match[column] as CellKey);
    const base = this.base.indexes.get(column)?.get(key) ?? [];
    if (this.changed.size === 0) return base.filter((row) => rowMatches(row, match));
    const changed = [...(this.#indexChanges(column).get(key) ?? [])].map(
      (id) => this.changed.get(id)!,
    );
    return this.#mergeRows(base, changed).filter((row) => rowMatches(row, match));
  }

  /** Returns the indexed column of `match` for which the base has the fewest rows. */
  #smallestIndex(match: Readonly<Record<string, unknown>>): string | undefined {
    let best: string | undefined;
    let bestSize = Number.POSITIVE_INFINITY;
    for (const [column, index] of this.base.indexes) {
      if (match[column] === undefined) continue;
      const size = index.get(cellKey(match[column] as CellKey))?.length ?? 0;
      if (size < bestSize) [best, bestSize] = [column, size];
    }
    return best;
  }

  #indexChanges(column: string): Map<CellKey, Set<number>> {
    const known = this.#indexes.get(column);
    if (known) return known;
    const index = new Map<CellKey, Set<number>>();
    for (const [id, row] of this.changed) if (row) addToIndex(index, cellKey(row[column]!), id);
    this.#indexes.set(column, index);
    return index;
  }

  /** Returns the unchanged base rows together with the changed rows that exist, in ascending order of id. */
  #mergeRows(base: readonly TableRow[], changed: Iterable<RowOrRemoved>): readonly TableRow[] {
    const rows = base.filter((row) => !this.changed.has(row.id));
    const kept = rows.length;
    for (const row of changed) if (row) rows.push(row);
    return rows.length === kept ? rows : rows.sort((a, b) => a.id - b.id);
  }
}

function rowMatches(row: TableRow, match: Readonly<Record<string, unknown>>): boolean {
  for (const column in match) if (!equalCells(row[column], match[column] as CellKey)) return false;
  return true;
}

function addToIndex(index: Map<CellKey, Set<number>>, key: CellKey, id: number): void {
  const bucket = index.get(key);
  if (bucket) bucket.add(id);
  else index.set(key, new Set([id]));
}
