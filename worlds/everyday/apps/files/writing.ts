/** Writing texts. Whatever changes a text keeps the old one as a version; writing the same text changes nothing. */

import { line, must } from "bowline/resources";
import { defineApi, z } from "bowline/world";
import { claim, editable, kindOf, linesOf, rewrite, tidy } from "./access.ts";
import { aFolder, aTable, fileRow } from "./examples.ts";
import { folderBy, freeIn, joined, splitPath } from "./paths.ts";
import { cellsOf, columnOf, tableOf } from "./reading.ts";
import type { StoredFile } from "./tables.ts";
import { anyFile, content, fileItem, id, newLine, pathParam, texts } from "./views.ts";

/** What every new own file starts with. */
export const FRESH = {
  owner: null,
  role: "owner",
  favourite: false,
  locked: false,
  tags: [],
  state: "live",
} as const satisfies Partial<StoredFile>;

const isTable = ({ name, text }: StoredFile) => name.endsWith(".csv") && text.includes("\n");
const isDocument = ({ name }: StoredFile) => name.endsWith(".md");

/** A cell of a table, which cannot hold what separates cells. */
const cellParam = z
  .string()
  .max(200)
  .regex(/^[^,\n]*$/)
  .describe("a cell without comma or line break");

const rowParam = z.int().min(1).describe("number of the row, from 1; the line of names has none");

function refuseRow(rows: readonly unknown[], row: number): void {
  must(row <= rows.length, 422, `row: expected 1 to ${rows.length}, got ${row}`);
}

const replace = defineApi({
  summary: "Replace words in a file's text, every time that they occur.",
  params: z.strictObject({
    id,
    old: newLine.describe("the words to look for, exactly as they stand there"),
    new: z.string().max(2000).describe("what takes their place"),
  }),
  returns: z.strictObject({ ...fileItem.schema.shape, replaced: z.int() }),
  example: (db) => {
    const row = fileRow(db, ({ name }) => name.endsWith(".md"));
    return { id: row?.id ?? 1, old: row?.text.split(/\s+/)[1] ?? "a", new: "something" };
  },
  handler: (context, args) => {
    const { db, now } = context;
    const row = editable(db, args.id);
    const parts = row.text.split(args.old);
    must(parts.length > 1, 422, `old: "${args.old}" does not occur in "${row.name}"`);
    const changed = rewrite(db, row, parts.join(args.new), now);
    return { ...fileItem.view(changed, context), replaced: parts.length - 1 };
  },
});

export const writingApis = {
  create: anyFile.add("Write a new file; its folder must exist.", {
    params: { path: pathParam, text: content },
    row: ({ path, text }, { db, now }) => {
      const { folder, name } = splitPath(path, "path");
      const inside = folderBy(db, folder, "path");
      const isText = kindOf(name) !== "bundle";
      must(isText, 422, `path: expected a text file, got "${name}"; files.bundle makes those`);
      freeIn(db, inside, name, "path");
      claim(db, text.length);
      return { ...FRESH, name, folder: inside, text: tidy(text), at: now };
    },
    example: (db) => ({ path: joined(aFolder(db), "packing.md"), text: "# Packing\n- charger" }),
  }),
  write: texts.act("Replace the whole text of a file.", {
    params: { text: content },
    run: (row, { text }, { db, now }) => rewrite(db, row, text, now),
    fits: isDocument,
    example: { text: "# A new start" },
  }),
  append: texts.act("Add lines at the end of a file.", {
    params: { text: newLine },
    run: (row, { text }, { db, now }) =>
      rewrite(db, row, row.text === "" ? text : `${row.text}\n${text}`, now),
    fits: isDocument,
    example: { text: "- a torch" },
  }),
  replace,
  removeLines: texts.act("Take lines out of a file.", {
    params: {
      from: z.int().min(1).describe("the first line to take out, from 1"),
      to: z.int().min(1).describe("the last line to take out"),
    },
    run: (row, { from, to }, { db, now }) => {
      const lines = linesOf(row.text);
      const inside = from <= to && to <= lines.length;
      must(inside, 422, `to: expected ${from} to ${lines.length}, got ${to}`);
      const kept = lines.filter((_, i) => i + 1 < from || i + 1 > to);
      return rewrite(db, row, kept.join("\n"), now);
    },
    fits: ({ text }) => text.includes("\n"),
    example: { from: 2, to: 2 },
  }),
  addRow: texts.act("Add a row at the end of a table.", {
    params: {
      cells: z.array(cellParam).min(1).max(20).describe("one cell a column, in their order"),
    },
    run: (row, { cells }, { db, now }) => {
      const { columns } = tableOf(row);
      const wanted = `${columns.length} (${columns.join(", ")})`;
      must(cells.length === columns.length, 422, `cells: expected ${wanted}, got ${cells.length}`);
      return rewrite(db, row, `${row.text}\n${cells.join(",")}`, now);
    },
    example: (db) => {
      const row = fileRow(db, ({ name }) => name.endsWith(".csv"));
      const columns = cellsOf(row?.text.split("\n")[0] ?? "name");
      return { id: row?.id ?? 1, cells: columns.map(() => "1") };
    },
  }),
  setCell: texts.act("Change one cell of a table.", {
    params: { row: rowParam, column: line("name of a column"), value: cellParam },
    run: (file, args, { db, now }) => {
      const table = tableOf(file);
      const at = columnOf(table, args.column);
      refuseRow(table.rows, args.row);
      const lines = linesOf(file.text);
      const cells = cellsOf(lines[args.row]!).with(at, args.value.trim());
      return rewrite(db, file, lines.with(args.row, cells.join(",")).join("\n"), now);
    },
    example: (db) => {
      const row = fileRow(db, isTable);
      const column = cellsOf(row?.text.split("\n")[0] ?? "name")[0]!;
      return { id: row?.id ?? aTable(db), row: 1, column, value: "new" };
    },
  }),
  removeRow: texts.act("Take a row out of a table.", {
    params: { row: rowParam },
    run: (file, { row }, { db, now }) => {
      refuseRow(tableOf(file).rows, row);
      const kept = linesOf(file.text).filter((_, i) => i !== row);
      return rewrite(db, file, kept.join("\n"), now);
    },
    fits: isTable,
    example: { row: 1 },
  }),
};
