/**
 * Which columns count. Checks compare `content`; read flags, counters, balances and tokens are not what a task is about.
 */
import type { ColumnClass, Table, TableRow } from "../define.ts";
import { sameCell } from "./base.ts";
import type { RowChange } from "./state.ts";

/** The tables of a world by name. */
export class Catalog {
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

  /** The columns in which an update differs. */
  changedColumns(before: TableRow, after: TableRow): string[] {
    const columns = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...columns].filter((column) => !sameCell(before[column], after[column]));
  }

  /** True when a change is more than read flags, counters, derived values or tokens. */
  isContent(change: RowChange): boolean {
    if (change.kind === "insert") return this.contentColumns(change.table, change.after).length > 0;
    if (change.kind === "remove")
      return this.contentColumns(change.table, change.before).length > 0;
    return this.changedColumns(change.before, change.after).some(
      (column) => this.columnClass(change.table, column) === "content",
    );
  }
}
