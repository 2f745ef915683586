/**
 * The data of one episode: the shared frozen tables under an overlay of changed rows.
 *
 * `transaction` keeps an undo journal. So its writes are all kept or all undone, and the cost of reporting changes
 * grows only with the number of changes. `clone` copies only the overlay. It is used when episodes start or fork and
 * when goals are computed.
 */
import { assert, formatValue } from "../../core/index.ts";
import type { Cell, Table, TableRow, Writer } from "../define.ts";
import { equalCells, FrozenTables, indexTable, isListCell } from "./base.ts";
import { type RowOrRemoved, TableOverlay } from "./overlay.ts";

/** The difference of one row between two states. An inserted row has no `before`, and a removed row has no `after`. */
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
  readonly previous: RowOrRemoved | undefined;
  readonly before: TableRow | undefined;
  readonly nextId: number;
}

export class TableState implements Writer {
  readonly #base: FrozenTables;
  readonly #overlays: Map<string, TableOverlay>;
  #journal: JournalEntry[] | undefined;

  constructor(base: FrozenTables, overlays = new Map<string, TableOverlay>()) {
    this.#base = base;
    this.#overlays = overlays;
  }

  get<R extends TableRow>(table: Table<R>, id: number): R | undefined {
    return this.#getOverlay(table.name).get(id) as R | undefined;
  }

  where<R extends TableRow>(table: Table<R>, match: Partial<R>): readonly R[] {
    const overlay = this.#getOverlay(table.name);
    for (const _ in match) return overlay.where(match) as readonly TableRow[] as readonly R[];
    return this.all(table);
  }

  all<R extends TableRow>(table: Table<R>): readonly R[] {
    return this.#getOverlay(table.name).all() as readonly TableRow[] as readonly R[];
  }

  insert<R extends TableRow>(table: Table<R>, row: Omit<R, "id">): R {
    const overlay = this.#getOverlay(table.name);
    const id = overlay.nextId;
    requireRow(`insert into ${table.name}`, row);
    const stored = freezeRow(table.name, { id }, row);
    this.#writeRow(overlay, id, stored);
    overlay.nextId = id + 1;
    return stored as R;
  }

  update<R extends TableRow>(table: Table<R>, id: number, patch: Partial<Omit<R, "id">>): R {
    const overlay = this.#getOverlay(table.name);
    const row = overlay.get(id);
    if (!row) throw new Error(`update of ${table.name}: there is no row ${id}`);
    requireRow(`update of ${table.name}`, patch);
    const stored = freezeRow(table.name, row, patch);
    this.#writeRow(overlay, id, stored);
    return stored as R;
  }

  remove<R extends TableRow>(table: Table<R>, id: number): void {
    const overlay = this.#getOverlay(table.name);
    if (!overlay.get(id)) throw new Error(`remove from ${table.name}: there is no row ${id}`);
    this.#writeRow(overlay, id, null);
  }

  /** Runs `run` and returns its changes. When `run` throws, every write is undone and the error is passed on. */
  transaction<T>(run: (db: Writer) => T): {
    readonly value: T;
    readonly changes: readonly RowChange[];
  } {
    assert(!this.#journal, "transactions do not nest");
    const journal: JournalEntry[] = [];
    this.#journal = journal;
    try {
      const value = run(this);
      return { value, changes: changesInJournal(journal) };
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

  /** The number of writes of the running transaction so far; 0 outside of a transaction. */
  get writesInTransaction(): number {
    return this.#journal?.length ?? 0;
  }

  /** Returns what the running transaction has changed after its first `writes` writes. */
  changesInTransaction(writes: number): RowChange[] {
    return changesInJournal(this.#journal?.slice(writes) ?? []);
  }

  /** Returns an independent state with the same rows. The cost grows with the size of the overlay. */
  clone(): TableState {
    assert(!this.#journal, "a state is not cloned inside a transaction");
    const changed = [...this.#overlays].filter(([, overlay]) => !overlay.isUntouched);
    return new TableState(this.#base, new Map(changed.map(([name, o]) => [name, o.clone()])));
  }

  /**
   * Returns what changed since `start`, from which this state was cloned (directly or not): tables in order of
   * declaration, rows by id. A row that has its old values again counts as unchanged. The cost grows with the size of
   * the overlay.
   */
  changesSince(start: TableState): RowChange[] {
    const changes: RowChange[] = [];
    for (const { table } of this.#base.tables) {
      const overlay = this.#overlays.get(table.name);
      if (!overlay) continue;
      for (const id of [...overlay.changed.keys()].sort((a, b) => a - b)) {
        const change = compareRows(table.name, id, start.get(table, id), overlay.get(id));
        if (change) changes.push(change);
      }
    }
    return changes;
  }

  /** Returns the tables of this state as frozen and indexed tables, which can be the base of other states. */
  toFrozenTables(): FrozenTables {
    return new FrozenTables(
      [...this.#base.tables].map(({ table }) => {
        const overlay = this.#getOverlay(table.name);
        return indexTable(table, overlay.all(), overlay.nextId);
      }),
    );
  }

  #getOverlay(name: string): TableOverlay {
    const known = this.#overlays.get(name);
    if (known) return known;
    const overlay = new TableOverlay(this.#base.table(name));
    this.#overlays.set(name, overlay);
    return overlay;
  }

  #writeRow(overlay: TableOverlay, id: number, row: RowOrRemoved): void {
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

/** Lists what a transaction changed. `before` comes from a row's first journal entry, and `after` from the overlay. */
function changesInJournal(journal: readonly JournalEntry[]): RowChange[] {
  const seen = new Set<string>();
  const changes: RowChange[] = [];
  for (const { overlay, id, before } of journal) {
    const row = `${overlay.base.table.name}#${id}`;
    if (seen.has(row)) continue;
    seen.add(row);
    const change = compareRows(overlay.base.table.name, id, before, overlay.get(id));
    if (change) changes.push(change);
  }
  return changes;
}

function compareRows(
  table: string,
  id: number,
  before: TableRow | undefined,
  after: TableRow | undefined,
): RowChange | undefined {
  if (before === after) return undefined;
  if (!before) return { table, id, kind: "insert", after: after! };
  if (!after) return { table, id, kind: "remove", before };
  if (equalRows(before, after)) return undefined;
  return { table, id, kind: "update", before, after };
}

function equalRows(a: TableRow, b: TableRow): boolean {
  for (const column in a) if (!equalCells(a[column], b[column])) return false;
  for (const column in b) if (!(column in a)) return false;
  return true;
}

function requireRow(what: string, row: unknown): void {
  if (typeof row === "object" && row !== null && !Array.isArray(row)) return;
  throw new Error(`${what}: expected an object of columns, got ${formatValue(row)}`);
}

/**
 * Returns a frozen copy of `row` with the columns of `patch`. Throws for values that cannot be cells, so that states
 * remain plain data.
 */
function freezeRow(table: string, row: TableRow, patch: object): TableRow {
  const stored: Record<string, Cell> = { ...row };
  for (const [column, cell] of Object.entries(patch) as [string, Cell | undefined][]) {
    if (column === "id")
      throw new Error(`${table}: the column id cannot be written, because the table gives ids`);
    if (isListCell(cell)) {
      for (const item of cell)
        if (!isPlainValue(item)) throw cellError(table, row.id, column, item);
      stored[column] = Object.freeze([...cell]) as Cell;
    } else {
      if (!isPlainValue(cell)) throw cellError(table, row.id, column, cell);
      stored[column] = cell;
    }
  }
  return Object.freeze(stored) as TableRow;
}

function isPlainValue(cell: unknown): cell is string | number | boolean | null {
  return (
    cell === null ||
    typeof cell === "string" ||
    typeof cell === "boolean" ||
    (typeof cell === "number" && Number.isFinite(cell))
  );
}

function cellError(table: string, row: number, column: string, cell: unknown): Error {
  return new Error(
    `${table}.${column} of row ${row}: expected a cell (text, a finite number, boolean, null or a list), got ${formatValue(cell)}${suggestCell(cell)}`,
  );
}

/** Says how a value that is not a cell is usually stored. */
function suggestCell(cell: unknown): string {
  if (cell instanceof Date) return "; store its toISOString()";
  if (cell === undefined) return "; store null where there is no value";
  if (typeof cell === "bigint") return "; store Number(value) or its text";
  if (cell instanceof Set) return "; store [...value]";
  if (typeof cell === "object") return "; give its fields columns of their own, or a table";
  return "";
}
