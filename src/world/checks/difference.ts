/**
 * The difference of two states. It is reduced to what counts, and can be compared although created rows have different
 * ids.
 *
 * A cell becomes text: loose columns as `comparedText` gives them, a reference to a created row by that row's own
 * content. So a song in the wrong new playlist prints differently from a song in the right one, whatever the ids are.
 */
import type { Cell, TableRow } from "../define.ts";
import type { RowChange, TableCatalog } from "../state/index.ts";
import { comparedText } from "./compared-text.ts";

export interface InsertedRow {
  readonly kind: "insert";
  readonly table: string;
  readonly id: number;
  /** Maps each content column to its printed cell. */
  readonly cells: ReadonlyMap<string, string>;
}

export interface UpdatedRow {
  readonly kind: "update";
  readonly table: string;
  readonly id: number;
  /** Maps each changed column to its printed new cell. */
  readonly cells: ReadonlyMap<string, string>;
}

export interface RemovedRow {
  readonly kind: "remove";
  readonly table: string;
  readonly id: number;
}

export type ChangedRow = InsertedRow | UpdatedRow | RemovedRow;

/** A link from one row of the difference to a row that the difference created. Rows are named `<table>#<id>`. */
export interface RowLink {
  readonly from: string;
  readonly column: string;
  readonly to: string;
}

export class Difference {
  readonly entries: readonly ChangedRow[];
  readonly #catalog: TableCatalog;
  readonly #created: ReadonlyMap<string, TableRow>;
  readonly #addedByOthers: ReadonlyMap<string, TableRow>;
  readonly #printed = new Map<string, string>();
  readonly #links: RowLink[] = [];

  /**
   * `comparedBookkeeping` lists bookkeeping columns (`<table>.<column>`) that the goal itself is about. References to
   * rows of `addedByOthers`, by `<table>#<id>`, are compared by the content of these rows.
   */
  constructor(
    catalog: TableCatalog,
    changes: readonly RowChange[],
    comparedBookkeeping: ReadonlySet<string>,
    addedByOthers: ReadonlyMap<string, TableRow> = new Map(),
  ) {
    this.#catalog = catalog;
    this.#addedByOthers = addedByOthers;
    const inserts = changes.filter((change) => change.kind === "insert");
    this.#created = new Map(inserts.map(({ table, id, after }) => [`${table}#${id}`, after]));
    this.entries = changes.flatMap((change) => this.#makeEntry(change, comparedBookkeeping));
    for (const entry of this.entries) this.#collectLinks(entry, changes);
  }

  /** Links to created rows. They tell apart two created rows that have the same content. */
  get links(): readonly RowLink[] {
    return this.#links;
  }

  entriesOf<K extends ChangedRow["kind"]>(
    table: string,
    kind: K,
  ): readonly Extract<ChangedRow, { kind: K }>[] {
    return this.entries.filter((e) => e.table === table && e.kind === kind) as Extract<
      ChangedRow,
      { kind: K }
    >[];
  }

  get tables(): readonly string[] {
    return [...new Set(this.entries.map(({ table }) => table))];
  }

  #makeEntry(change: RowChange, comparedBookkeeping: ReadonlySet<string>): ChangedRow[] {
    const { table, id, kind } = change;
    if (kind === "remove") return this.#catalog.changesContent(change) ? [{ kind, table, id }] : [];
    const columns =
      kind === "insert"
        ? this.#catalog.contentColumns(table, change.after)
        : this.#catalog
            .changedColumns(change.before, change.after)
            .filter(
              (c) =>
                this.#catalog.columnClass(table, c) === "content" ||
                comparedBookkeeping.has(`${table}.${c}`),
            );
    if (columns.length === 0) return [];
    const cells = columns.map((c): [string, string] => [
      c,
      this.#printCell(table, c, change.after[c] ?? null, []),
    ]);
    return [{ kind, table, id, cells: new Map(cells) }];
  }

  #collectLinks(entry: ChangedRow, changes: readonly RowChange[]): void {
    const change = changes.find(({ table, id }) => table === entry.table && id === entry.id)!;
    if (entry.kind === "remove" || change.kind === "remove") return;
    for (const column of entry.cells.keys()) {
      const target = this.#catalog.table(entry.table).references[column];
      for (const id of target ? [change.after[column] ?? null].flat() : []) {
        const to = `${target}#${id}`;
        if (this.#created.has(to))
          this.#links.push({ from: `${entry.table}#${entry.id}`, column, to });
      }
    }
  }

  /** Prints a cell as text. `path` holds the created rows that are being printed, so that cyclic references end. */
  #printCell(table: string, column: string, cell: Cell, path: readonly string[]): string {
    const { references, loose } = this.#catalog.table(table);
    const target = references[column];
    if (target && Array.isArray(cell))
      return `[${cell.map((id) => this.#printId(target, id, path)).join()}]`;
    if (target) return this.#printId(target, cell, path);
    if (loose.includes(column) && typeof cell === "string")
      return JSON.stringify(comparedText(cell));
    return JSON.stringify(cell);
  }

  #printId(table: string, id: Cell, path: readonly string[]): string {
    const name = `${table}#${id}`;
    const row = this.#created.get(name) ?? this.#addedByOthers.get(name);
    if (!row) return JSON.stringify(id);
    if (path.includes(name)) return `new ${table}`;
    const known = this.#printed.get(name);
    if (known) return known;
    const columns = this.#catalog.contentColumns(table, row).sort();
    const cells = columns.map(
      (c) => `${c}: ${this.#printCell(table, c, row[c] ?? null, [...path, name])}`,
    );
    const text = `new ${table} { ${cells.join(", ")} }`;
    if (path.length === 0) this.#printed.set(name, text);
    return text;
  }
}
