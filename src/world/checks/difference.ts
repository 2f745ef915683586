/**
 * What two states differ in, reduced to what counts, and comparable although created rows have other ids.
 *
 * A cell becomes text: loose columns by letters and digits, a reference to a created row by that row's own content
 * (`print`). So a song put in the wrong new playlist prints otherwise than one put in the right one, whatever the ids.
 */
import type { Cell, TableRow } from "../define.ts";
import type { Catalog, RowChange } from "../state/index.ts";
import { looseText } from "./answer.ts";

export interface Inserted {
  readonly kind: "insert";
  readonly table: string;
  readonly id: number;
  /** Content column -> printed cell. */
  readonly cells: ReadonlyMap<string, string>;
}

export interface Updated {
  readonly kind: "update";
  readonly table: string;
  readonly id: number;
  /** Changed column -> printed new cell. */
  readonly cells: ReadonlyMap<string, string>;
}

export interface Removed {
  readonly kind: "remove";
  readonly table: string;
  readonly id: number;
}

export type Entry = Inserted | Updated | Removed;

/** A link from one row of the difference to a row that the difference created. Rows are named `<table>#<id>`. */
export interface Link {
  readonly from: string;
  readonly column: string;
  readonly to: string;
}

export class Difference {
  readonly entries: readonly Entry[];
  readonly #catalog: Catalog;
  readonly #created: ReadonlyMap<string, TableRow>;
  readonly #printed = new Map<string, string>();
  readonly #links: Link[] = [];

  /** `named` are bookkeeping columns (`<table>.<column>`) that the goal itself is about. */
  constructor(catalog: Catalog, changes: readonly RowChange[], named: ReadonlySet<string>) {
    this.#catalog = catalog;
    const inserts = changes.filter((change) => change.kind === "insert");
    this.#created = new Map(inserts.map(({ table, id, after }) => [`${table}#${id}`, after]));
    this.entries = changes.flatMap((change) => this.#entry(change, named));
    for (const entry of this.entries) this.#collectLinks(entry, changes);
  }

  /** Links to created rows: what tells two created rows of equal content apart. */
  get links(): readonly Link[] {
    return this.#links;
  }

  of<K extends Entry["kind"]>(table: string, kind: K): readonly Extract<Entry, { kind: K }>[] {
    return this.entries.filter((e) => e.table === table && e.kind === kind) as Extract<
      Entry,
      { kind: K }
    >[];
  }

  get tables(): readonly string[] {
    return [...new Set(this.entries.map(({ table }) => table))];
  }

  #entry(change: RowChange, named: ReadonlySet<string>): Entry[] {
    const { table, id, kind } = change;
    if (kind === "remove") return this.#catalog.isContent(change) ? [{ kind, table, id }] : [];
    const columns =
      kind === "insert"
        ? this.#catalog.contentColumns(table, change.after)
        : this.#catalog
            .changedColumns(change.before, change.after)
            .filter(
              (c) =>
                this.#catalog.columnClass(table, c) === "content" || named.has(`${table}.${c}`),
            );
    if (columns.length === 0) return [];
    const cells = columns.map((c): [string, string] => [
      c,
      this.#print(table, c, change.after[c] ?? null, []),
    ]);
    return [{ kind, table, id, cells: new Map(cells) }];
  }

  #collectLinks(entry: Entry, changes: readonly RowChange[]): void {
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

  /** `path` holds the created rows being printed, to cut cycles of references. */
  #print(table: string, column: string, cell: Cell, path: readonly string[]): string {
    const { references, loose } = this.#catalog.table(table);
    const target = references[column];
    if (target && Array.isArray(cell))
      return `[${cell.map((id) => this.#printId(target, id, path)).join()}]`;
    if (target) return this.#printId(target, cell, path);
    if (loose.includes(column) && typeof cell === "string") return JSON.stringify(looseText(cell));
    return JSON.stringify(cell);
  }

  #printId(table: string, id: Cell, path: readonly string[]): string {
    const name = `${table}#${id}`;
    const row = this.#created.get(name);
    if (!row) return JSON.stringify(id);
    if (path.includes(name)) return `new ${table}`;
    const known = this.#printed.get(name);
    if (known) return known;
    const columns = this.#catalog.contentColumns(table, row).sort();
    const cells = columns.map(
      (c) => `${c}: ${this.#print(table, c, row[c] ?? null, [...path, name])}`,
    );
    const text = `new ${table} { ${cells.join(", ")} }`;
    if (path.length === 0) this.#printed.set(name, text);
    return text;
  }
}
