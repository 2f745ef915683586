/** Reading texts: by lines, and tables (`.csv`) by rows. The first line of a table names its columns. */

import { line, must, paging, same } from "bowline/resources";
import { defineApi, z } from "bowline/world";
import { paged } from "../shared.ts";
import { fileBy, kindOf, linesOf } from "./access.ts";
import { aFile, aTable } from "./examples.ts";
import type { StoredFile } from "./tables.ts";
import { id } from "./views.ts";

const read = defineApi({
  summary: "Read a file's text, or some lines of it.",
  params: z.strictObject({
    id,
    from: z.int().min(1).default(1).describe("the first line to read, from 1"),
    lines: z.int().min(1).max(100).default(20).describe("how many lines at most"),
  }),
  returns: z.strictObject({ name: z.string(), id: z.int(), text: z.string(), more: z.boolean() }),
  example: (db) => ({ id: aFile(db), lines: 40 }),
  handler: ({ db }, { id, from, lines }) => {
    const { name, text } = fileBy(db, id);
    const [all, end] = [linesOf(text), from - 1 + lines];
    return { name, id, text: all.slice(from - 1, end).join("\n"), more: all.length > end };
  },
});

// --- tables ---

export interface CsvTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const cellsOf = (text: string): string[] => text.split(",").map((cell) => cell.trim());

/** A 422 when the file is no table. */
export function tableOf({ name, text }: StoredFile): CsvTable {
  const isTable = kindOf(name) === "table";
  must(isTable, 422, `id: expected a table (.csv), got "${name}"; files.read reads it`);
  const [header = "", ...rest] = linesOf(text);
  return { columns: cellsOf(header), rows: rest.map(cellsOf) };
}

/** The index of the column; case is ignored. */
export function columnOf({ columns }: CsvTable, column: string): number {
  const at = columns.findIndex((name) => same(name, column));
  const known = columns.join(", ");
  must(at >= 0, 404, `column: there is no column "${column}"; there are ${known}`);
  return at;
}

const columnParam = line("name of a column");

const readRows = defineApi({
  summary: "Read the rows of a table, numbered from 1, each as its cells by column.",
  params: z.strictObject({
    id,
    column: columnParam.optional().describe("only rows where this column has the value"),
    value: line("the value that the column must have; case is ignored").optional(),
    ...paging,
  }),
  returns: z.strictObject({
    columns: z.array(z.string()),
    items: z.array(z.strictObject({ row: z.int(), cells: z.record(z.string(), z.string()) })),
    more: z.boolean(),
  }),
  example: (db) => ({ id: aTable(db) }),
  handler: ({ db }, { id, column, value, ...page }) => {
    const table = tableOf(fileBy(db, id));
    const isBoth = (column === undefined) === (value === undefined);
    must(isBoth, 422, "column, value: expected both of them or none, got one");
    const at = column === undefined ? undefined : columnOf(table, column);
    const numbered = table.rows.map((cells, i) => ({ row: i + 1, cells }));
    const kept = numbered.filter(
      ({ cells }) => at === undefined || same(cells[at] ?? "", value ?? ""),
    );
    const answer = paged(kept, page, ({ row, cells }) => ({
      row,
      cells: Object.fromEntries(table.columns.map((name, i) => [name, cells[i] ?? ""])),
    }));
    return { columns: [...table.columns], ...answer };
  },
});

const sumColumn = defineApi({
  summary: "Add up a column of numbers in a table.",
  params: z.strictObject({ id, column: columnParam }),
  returns: z.strictObject({ sum: z.number(), rows: z.int() }),
  example: (db) => ({
    id: aFile(db, ({ name, text }) => name.endsWith(".csv") && /^[^\n]*\bamount\b/.test(text)),
    column: "amount",
  }),
  handler: ({ db }, { id, column }) => {
    const table = tableOf(fileBy(db, id));
    const at = columnOf(table, column);
    const numbers = table.rows.map((cells, i) => numberIn(cells[at] ?? "", column, i + 1));
    const sum = Math.round(numbers.reduce((a, b) => a + b, 0) * 100) / 100;
    return { sum, rows: table.rows.length };
  },
});

function numberIn(cell: string, column: string, row: number): number {
  const isNumber = /^-?\d+(\.\d+)?$/.test(cell);
  const has = `row ${row} of "${column}" has "${cell}"`;
  must(isNumber, 422, `column: expected a column of numbers, ${has}`);
  return Number(cell);
}

export const readingApis = { read, readRows, sumColumn };
