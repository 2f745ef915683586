/**
 * Decides which columns count for checks. Checks compare `content`, because tasks are not about read flags, counters,
 * balances and tokens.
 */
import type { ColumnClass, Table, TableRow } from "../define.ts";
import { equalCells } from "./base.ts";
import type { RowChange } from "./table-state.ts";

/** The tables of a world by name. */
export class TableCatalog {
  readonly #tables: ReadonlyMap<string, Table>;

  constructor(tables: readonly Table[]) {
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  get tables(): readonly Table[] {
    return [...this.#tables.values()];
  }

  table(name: string): Table {
    return this.#tables.get(name)!;
  }

  columnClass(table: string, column: string): ColumnClass {
    return this.table(table).classes[column] ?? "content";
  }

  contentColumns(table: string, row: TableRow): string[] {
    return Object.keys(row).filter((c) => c !== "id" && this.columnClass(table, c) === "content");
  }

  /** Returns the columns in which two versions of a row differ. */
  changedColumns(before: TableRow, after: TableRow): string[] {
    const columns = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...columns].filter((column) => !equalCells(before[column], after[column]));
  }

  /** Returns true when a change affects more than read flags, counters, derived values or tokens. */
  changesContent(change: RowChange): boolean {
    if (change.kind === "insert") return this.contentColumns(change.table, change.after).length > 0;
    if (change.kind === "remove")
      return this.contentColumns(change.table, change.before).length > 0;
    return this.changedColumns(change.before, change.after).some(
      (column) => this.columnClass(change.table, column) === "content",
    );
  }
}
