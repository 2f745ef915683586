/**
 * The changed rows of one table: id -> the row now, or null once removed. Ids that are absent are as in the base.
 *
 * Column indexes over the changed rows are built when a query first needs one and kept right by `set` from then on;
 * a clone starts without them, so cloning copies one small map.
 */
import type { TableRow } from "../define.ts";
import type { BaseTable, Key } from "./base.ts";
import { keyOf, sameCell } from "./base.ts";

export type Changed = TableRow | null;

/** A table's; a bound on memory, not on what can be asked. */
const MAX_ANSWERS = 1000;
const NONE: readonly TableRow[] = Object.freeze([]);

export class TableOverlay {
  readonly base: BaseTable;
  readonly changed: Map<number, Changed>;
  nextId: number;
  readonly #indexes = new Map<string, Map<Key, Set<number>>>();
  #all: readonly TableRow[] | undefined;

  constructor(base: BaseTable, changed = new Map<number, Changed>(), nextId = base.nextId) {
    this.base = base;
    this.changed = changed;
    this.nextId = nextId;
  }

  get untouched(): boolean {
    return this.changed.size === 0 && this.nextId === this.base.nextId;
  }

  clone(): TableOverlay {
    return new TableOverlay(this.base, new Map(this.changed), this.nextId);
  }

  get(id: number): TableRow | undefined {
    const row = this.changed.get(id);
    return row === undefined ? this.base.byId.get(id) : (row ?? undefined);
  }

  /** `undefined` forgets the change. */
  set(id: number, row: Changed | undefined): void {
    const previous = this.changed.get(id);
    for (const [column, index] of this.#indexes) {
      if (previous) index.get(keyOf(previous[column]!))?.delete(id);
      if (row) addTo(index, keyOf(row[column]!), id);
    }
    if (row === undefined) this.changed.delete(id);
    else this.changed.set(id, row);
    this.#all = undefined;
  }

  all(): readonly TableRow[] {
    if (this.changed.size === 0) return this.base.rows;
    this.#all ??= this.#merge(this.base.rows, this.changed.values());
    return this.#all;
  }

  /** `match` has at least one column; every row that is equal in all of them, ascending id. */
  where(match: Readonly<Record<string, unknown>>): readonly TableRow[] {
    if (typeof match["id"] === "number") {
      const row = this.get(match["id"]);
      return row && matches(row, match) ? [row] : [];
    }
    return this.changed.size === 0 ? this.#answer(match) : this.#search(match);
  }

  /** Most episodes read most tables and write to few, so what the base holds is looked for once. */
  #answer(match: Readonly<Record<string, unknown>>): readonly TableRow[] {
    const { answers, indexes } = this.base;
    const [only, ...others] = Object.keys(match);
    const index = others.length === 0 ? indexes.get(only!) : undefined;
    if (index) return index.get(keyOf(match[only!] as Key)) ?? NONE;
    let key = "";
    for (const column in match) {
      const cell = match[column];
      key += `${column} ${typeof cell} ${typeof cell === "object" ? JSON.stringify(cell) : cell}\n`;
    }
    const known = answers.get(key);
    if (known) return known;
    if (answers.size >= MAX_ANSWERS) answers.clear();
    const rows = Object.freeze(this.#search(match));
    answers.set(key, rows);
    return rows;
  }

  #search(match: Readonly<Record<string, unknown>>): readonly TableRow[] {
    const column = this.#bestIndex(match);
    if (column === undefined) return this.all().filter((row) => matches(row, match));
    const key = keyOf(match[column] as Key);
    const base = this.base.indexes.get(column)?.get(key) ?? [];
    if (this.changed.size === 0) return base.filter((row) => matches(row, match));
    const changed = [...(this.#index(column).get(key) ?? [])].map((id) => this.changed.get(id)!);
    return this.#merge(base, changed).filter((row) => matches(row, match));
  }

  /** The indexed column of `match` whose base bucket is smallest. */
  #bestIndex(match: Readonly<Record<string, unknown>>): string | undefined {
    let best: string | undefined;
    let bestSize = Number.POSITIVE_INFINITY;
    for (const [column, index] of this.base.indexes) {
      if (match[column] === undefined) continue;
      const size = index.get(keyOf(match[column] as Key))?.length ?? 0;
      if (size < bestSize) [best, bestSize] = [column, size];
    }
    return best;
  }

  #index(column: string): Map<Key, Set<number>> {
    const known = this.#indexes.get(column);
    if (known) return known;
    const index = new Map<Key, Set<number>>();
    for (const [id, row] of this.changed) if (row) addTo(index, keyOf(row[column]!), id);
    this.#indexes.set(column, index);
    return index;
  }

  /** Base rows that are unchanged, together with changed rows that exist, ascending id. */
  #merge(base: readonly TableRow[], changed: Iterable<Changed>): readonly TableRow[] {
    const rows = base.filter((row) => !this.changed.has(row.id));
    const kept = rows.length;
    for (const row of changed) if (row) rows.push(row);
    return rows.length === kept ? rows : rows.sort((a, b) => a.id - b.id);
  }
}

function matches(row: TableRow, match: Readonly<Record<string, unknown>>): boolean {
  for (const column in match) if (!sameCell(row[column], match[column] as Key)) return false;
  return true;
}

function addTo(index: Map<Key, Set<number>>, key: Key, id: number): void {
  const bucket = index.get(key);
  if (bucket) bucket.add(id);
  else index.set(key, new Set([id]));
}
