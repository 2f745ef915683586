/**
 * Defines the APIs that read texts: by lines, or by rows when the file is a table (`.csv`). The first line of a table
 * names its columns.
 */

import { equalIgnoringCase, pagingParams, refuseUnless, shortTextParam } from "bowline/resources";
import { defineApi, z } from "bowline/world";
import { takePage } from "../shared.ts";
import { fileKind, requireFile, splitLines } from "./access-and-texts.ts";
import { exampleFileId, exampleTableId } from "./examples.ts";
import { id } from "./file-items.ts";
import type { StoredFile } from "./tables.ts";

const read = defineApi({
  summary: "Read a file's text, or some lines of it.",
  params: z.strictObject({
    id,
    from: z.int().min(1).default(1).describe("the first line to read, from 1"),
    lines: z.int().min(1).max(100).default(20).describe("how many lines at most"),
  }),
  returns: z.strictObject({ name: z.string(), id: z.int(), text: z.string(), more: z.boolean() }),
  example: (db) => ({ id: exampleFileId(db), lines: 40 }),
  handler: ({ db }, { id, from, lines }) => {
    const { name, text } = requireFile(db, id);
    const [all, end] = [splitLines(text), from - 1 + lines];
    return { name, id, text: all.slice(from - 1, end).join("\n"), more: all.length > end };
  },
});

export interface CsvTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const splitCells = (text: string): string[] => text.split(",").map((cell) => cell.trim());

/** Reads the file as a table. Throws a 422 when it is not a `.csv` file. */
export function requireTable({ name, text }: StoredFile): CsvTable {
  const isTable = fileKind(name) === "table";
  refuseUnless(isTable, 422, `id: expected a table (.csv), got "${name}"; files.read reads it`);
  const [header = "", ...rest] = splitLines(text);
  return { columns: splitCells(header), rows: rest.map(splitCells) };
}

/** Returns the index of the column with this name, ignoring case. Throws a 404 when there is none. */
export function columnIndex({ columns }: CsvTable, column: string): number {
  const index = columns.findIndex((name) => equalIgnoringCase(name, column));
  const known = columns.join(", ");
  refuseUnless(index >= 0, 404, `column: there is no column "${column}"; there are ${known}`);
  return index;
}

const columnParam = shortTextParam("name of a column");

const readRows = defineApi({
  summary: "Read the rows of a table, numbered from 1, each as its cells by column.",
  params: z.strictObject({
    id,
    column: columnParam.optional().describe("only rows where this column has the value"),
    value: shortTextParam("the value that the column must have; case is ignored").optional(),
    ...pagingParams,
  }),
  returns: z.strictObject({
    columns: z.array(z.string()),
    items: z.array(z.strictObject({ row: z.int(), cells: z.record(z.string(), z.string()) })),
    more: z.boolean(),
  }),
  example: (db) => ({ id: exampleTableId(db) }),
  handler: ({ db }, { id, column, value, ...page }) => {
    const table = requireTable(requireFile(db, id));
    const isBoth = (column === undefined) === (value === undefined);
    refuseUnless(isBoth, 422, "column, value: expected both of them or none, got one");
    const index = column === undefined ? undefined : columnIndex(table, column);
    const numbered = table.rows.map((cells, i) => ({ row: i + 1, cells }));
    const kept = numbered.filter(
      ({ cells }) => index === undefined || equalIgnoringCase(cells[index] ?? "", value ?? ""),
    );
    const answer = takePage(kept, page, ({ row, cells }) => ({
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
    id: exampleFileId(
      db,
      ({ name, text }) => name.endsWith(".csv") && /^[^\n]*\bamount\b/.test(text),
    ),
    column: "amount",
  }),
  handler: ({ db }, { id, column }) => {
    const table = requireTable(requireFile(db, id));
    const at = columnIndex(table, column);
    const numbers = table.rows.map((cells, i) => requireNumber(cells[at] ?? "", column, i + 1));
    const sum = Math.round(numbers.reduce((a, b) => a + b, 0) * 100) / 100;
    return { sum, rows: table.rows.length };
  },
});

function requireNumber(cell: string, column: string, row: number): number {
  const isNumber = /^-?\d+(\.\d+)?$/.test(cell);
  const has = `row ${row} of "${column}" has "${cell}"`;
  refuseUnless(isNumber, 422, `column: expected a column of numbers, ${has}`);
  return Number(cell);
}

export const readingApis = { read, readRows, sumColumn };
