/**
 * The data of one episode: the shared base under an overlay of changed rows.
 *
 * `transaction` keeps an undo journal, so what it ran commits whole or not at all, and reports what it changed at the
 * cost of what it changed. `clone` copies the overlay only: that is how episodes start, fork and compute goals.
 */
import { assert } from "../../core/index.ts";
import type { Cell, Table, TableRow, Writer } from "../define.ts";
import { Base, indexTable, isList, sameCell } from "./base.ts";
import { type Changed, TableOverlay } from "./overlay.ts";

/** One row's difference between two states. Exactly one of `before`, `after` is absent for inserts and removes. */
export type RowChange =
  | {
      readonly table: string;
      readonly id: number;
      readonly kind: "insert";
      readonly after: TableRow;
    }
  | {
      readonly table: string;
      readonly id: number;
      readonly kind: "remove";
      readonly before: TableRow;
    }
  | {
      readonly table: string;
      readonly id: number;
      readonly kind: "update";
      readonly before: TableRow;
      readonly after: TableRow;
    };

interface JournalEntry {
  readonly overlay: TableOverlay;
  readonly id: number;
  readonly previous: Changed | undefined;
  readonly before: TableRow | undefined;
  readonly nextId: number;
}

export class State implements Writer {
  readonly #base: Base;
  readonly #overlays: Map<string, TableOverlay>;
  #journal: JournalEntry[] | undefined;

  constructor(base: Base, overlays = new Map<string, TableOverlay>()) {
    this.#base = base;
    this.#overlays = overlays;
  }

  get<R extends TableRow>(table: Table<R>, id: number): R | undefined {
    return this.#overlay(table.name).get(id) as R | undefined;
  }

  where<R extends TableRow>(table: Table<R>, match: Partial<R>): readonly R[] {
    const overlay = this.#overlay(table.name);
    for (const _ in match) return overlay.where(match) as readonly TableRow[] as readonly R[];
    return this.all(table);
  }

  all<R extends TableRow>(table: Table<R>): readonly R[] {
    return this.#overlay(table.name).all() as readonly TableRow[] as readonly R[];
  }

  insert<R extends TableRow>(table: Table<R>, row: Omit<R, "id">): R {
    const overlay = this.#overlay(table.name);
    const id = overlay.nextId;
    const stored = freezeRow(table.name, { id }, row);
    this.#set(overlay, id, stored);
    overlay.nextId = id + 1;
    return stored as R;
  }

  update<R extends TableRow>(table: Table<R>, id: number, patch: Partial<Omit<R, "id">>): R {
    const overlay = this.#overlay(table.name);
    const row = overlay.get(id);
    if (!row) throw new Error(`update of ${table.name}: there is no row ${id}`);
    const stored = freezeRow(table.name, row, patch);
    this.#set(overlay, id, stored);
    return stored as R;
  }

  remove<R extends TableRow>(table: Table<R>, id: number): void {
    const overlay = this.#overlay(table.name);
    if (!overlay.get(id)) throw new Error(`remove from ${table.name}: there is no row ${id}`);
    this.#set(overlay, id, null);
  }

  /** Runs `run`; if it throws, every write it made is undone and the error goes on. */
  transaction<T>(run: (db: Writer) => T): {
    readonly value: T;
    readonly changes: readonly RowChange[];
  } {
    assert(!this.#journal, "transactions do not nest");
    const journal: JournalEntry[] = [];
    this.#journal = journal;
    try {
      const value = run(this);
      return { value, changes: changesOf(journal) };
    } catch (error) {
      for (const entry of journal.reverse()) {
        entry.overlay.set(entry.id, entry.previous);
        entry.overlay.nextId = entry.nextId;
      }
      throw error;
    } finally {
      this.#journal = undefined;
    }
  }

  /** An independent state, equal now. Costs the overlay's size. */
  clone(): State {
    assert(!this.#journal, "a state is not cloned inside a transaction");
    const changed = [...this.#overlays].filter(([, overlay]) => !overlay.untouched);
    return new State(this.#base, new Map(changed.map(([name, o]) => [name, o.clone()])));
  }

  /**
   * What changed since `start`, of which this state is a descendant by `clone`; by table in order of declaration,
   * then by id. A row that is back at its old values did not change. Costs the overlay's size.
   */
  changesSince(start: State): RowChange[] {
    const changes: RowChange[] = [];
    for (const { table } of this.#base.tables) {
      const overlay = this.#overlays.get(table.name);
      if (!overlay) continue;
      for (const id of [...overlay.changed.keys()].sort((a, b) => a - b)) {
        const change = changeOf(table.name, id, start.get(table, id), overlay.get(id));
        if (change) changes.push(change);
      }
    }
    return changes;
  }

  /** This state as a base for others: frozen and indexed. */
  freeze(): Base {
    return new Base(
      [...this.#base.tables].map(({ table }) => {
        const overlay = this.#overlay(table.name);
        return indexTable(table, overlay.all(), overlay.nextId);
      }),
    );
  }

  #overlay(name: string): TableOverlay {
    const known = this.#overlays.get(name);
    if (known) return known;
    const overlay = new TableOverlay(this.#base.table(name));
    this.#overlays.set(name, overlay);
    return overlay;
  }

  #set(overlay: TableOverlay, id: number, row: Changed): void {
    this.#journal?.push({
      overlay,
      id,
      previous: overlay.changed.get(id),
      before: overlay.get(id),
      nextId: overlay.nextId,
    });
    overlay.set(id, row);
  }
}

/** `before` of a row is its first journal entry, `after` is what stands there now. */
function changesOf(journal: readonly JournalEntry[]): RowChange[] {
  const seen = new Set<string>();
  const changes: RowChange[] = [];
  for (const { overlay, id, before } of journal) {
    const row = `${overlay.base.table.name}#${id}`;
    if (seen.has(row)) continue;
    seen.add(row);
    const change = changeOf(overlay.base.table.name, id, before, overlay.get(id));
    if (change) changes.push(change);
  }
  return changes;
}

function changeOf(
  table: string,
  id: number,
  before: TableRow | undefined,
  after: TableRow | undefined,
): RowChange | undefined {
  if (before === after) return undefined;
  if (!before) return { table, id, kind: "insert", after: after! };
  if (!after) return { table, id, kind: "remove", before };
  if (sameRow(before, after)) return undefined;
  return { table, id, kind: "update", before, after };
}

function sameRow(a: TableRow, b: TableRow): boolean {
  for (const column in a) if (!sameCell(a[column], b[column])) return false;
  for (const column in b) if (!(column in a)) return false;
  return true;
}

/** `row` with the columns of `patch`, frozen; refuses what is not a cell, so that states stay plain data. */
function freezeRow(table: string, row: TableRow, patch: object): TableRow {
  const stored: Record<string, Cell> = { ...row };
  for (const [column, cell] of Object.entries(patch) as [string, Cell | undefined][]) {
    if (column === "id") throw new Error(`${table}: ids are given by the store, not written`);
    stored[column] = isList(cell) ? frozenList(table, column, cell) : checked(table, column, cell);
  }
  return Object.freeze(stored) as TableRow;
}

function frozenList(table: string, column: string, list: readonly (string | number)[]): Cell {
  for (const item of list) checked(table, column, item);
  return Object.freeze([...list]) as Cell;
}

function checked(table: string, column: string, cell: Cell | undefined): Cell {
  const plain =
    cell === null || ["string", "boolean"].includes(typeof cell) || Number.isFinite(cell);
  if (!plain) throw new Error(`${table}.${column}: expected a cell, got ${String(cell)}`);
  return cell as Cell;
}
