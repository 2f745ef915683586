/**
 * Defines the APIs that write texts. Every change of a text keeps the old text as a version. Writing a text that is
 * equal to the old one changes nothing.
 */

import { refuseUnless, shortTextParam } from "bowline/resources";
import { defineApi, z } from "bowline/world";
import {
  fileKind,
  replaceText,
  requireEditableFile,
  requireStorage,
  requireTableShape,
  splitLines,
  trimText,
} from "./access-and-texts.ts";
import { exampleFile, exampleFolderPath, exampleTableId } from "./examples.ts";
import {
  anyFile,
  content,
  editableFiles,
  fileItem,
  id,
  pathParam,
  textParam,
} from "./file-items.ts";
import { joinPath, requireFolderId, requireFreePath, splitPath } from "./paths.ts";
import { columnIndex, requireTable, splitCells } from "./reading.ts";
import type { StoredFile } from "./tables.ts";

/** The values of columns of every new file of the owner. */
export const NEW_FILE = {
  owner: null,
  role: "owner",
  favourite: false,
  locked: false,
  tags: [],
  state: "live",
} as const satisfies Partial<StoredFile>;

const isTableWithRows = ({ name, text }: StoredFile) =>
  name.endsWith(".csv") && text.includes("\n");
const isDocument = ({ name }: StoredFile) => name.endsWith(".md");

/** A cell of a table. It cannot contain the characters that separate cells. */
const cellParam = z
  .string()
  .max(200)
  .regex(/^[^,\n]*$/)
  .describe("a cell without comma or line break");

const rowParam = z.int().min(1).describe("number of the row, from 1; the line of names has none");

function requireRowNumber(rows: readonly unknown[], row: number): void {
  refuseUnless(row <= rows.length, 422, `row: expected 1 to ${rows.length}, got ${row}`);
}

const replace = defineApi({
  summary: "Replace words in a file's text, every time that they occur.",
  params: z.strictObject({
    id,
    old: textParam.describe("the words to look for, exactly as they stand there"),
    new: z.string().max(2000).describe("what takes their place"),
  }),
  returns: z.strictObject({ ...fileItem.schema.shape, replaced: z.int() }),
  example: (db) => {
    const row = exampleFile(db, ({ name }) => name.endsWith(".md"));
    return { id: row?.id ?? 1, old: row?.text.split(/\s+/)[1] ?? "a", new: "something" };
  },
  handler: (context, args) => {
    const { db, now } = context;
    const row = requireEditableFile(db, args.id);
    const parts = row.text.split(args.old);
    refuseUnless(parts.length > 1, 422, `old: "${args.old}" does not occur in "${row.name}"`);
    requireTableShape(row.name, parts.join(args.new), "new");
    const changed = replaceText(db, row, parts.join(args.new), now);
    return { ...fileItem.view(changed, context), replaced: parts.length - 1 };
  },
});

export const writingApis = {
  create: anyFile.add("Write a new file; its folder must exist.", {
    params: { path: pathParam, text: content },
    row: ({ path, text }, { db, now }) => {
      const { folder, name } = splitPath(path, "path");
      const folderId = requireFolderId(db, folder, "path");
      const isText = fileKind(name) !== "bundle";
      refuseUnless(
        isText,
        422,
        `path: expected a text file, got "${name}"; files.bundle makes those`,
      );
      requireFreePath(db, folderId, name, "path");
      requireStorage(db, text.length);
      requireTableShape(name, text, "text");
      return { ...NEW_FILE, name, folder: folderId, text: trimText(text), at: now };
    },
    example: (db) => ({
      path: joinPath(exampleFolderPath(db), "packing.md"),
      text: "# Packing\n- charger",
    }),
  }),
  write: editableFiles.act("Replace the whole text of a file.", {
    params: { text: content },
    run: (row, { text }, { db, now }) => {
      requireTableShape(row.name, text, "text");
      return replaceText(db, row, text, now);
    },
    isExample: isDocument,
    example: { text: "# A new start" },
  }),
  append: editableFiles.act(
    "Add lines at the end of a file; a line for a table has a cell for each column.",
    {
      params: { text: textParam },
      run: (row, { text }, { db, now }) => {
        const longer = row.text === "" ? text : `${row.text}\n${text}`;
        requireTableShape(row.name, longer, "text");
        return replaceText(db, row, longer, now);
      },
      isExample: isDocument,
      example: { text: "- a torch" },
    },
  ),
  replace,
  removeLines: editableFiles.act("Take lines out of a file.", {
    params: {
      from: z.int().min(1).describe("the first line to take out, from 1"),
      to: z.int().min(1).describe("the last line to take out"),
    },
    run: (row, { from, to }, { db, now }) => {
      const lines = splitLines(row.text);
      const inside = from <= to && to <= lines.length;
      refuseUnless(inside, 422, `to: expected ${from} to ${lines.length}, got ${to}`);
      const keepsNames = from > 1 || fileKind(row.name) !== "table";
      refuseUnless(keepsNames, 422, "from: expected 2 or more, line 1 names the table's columns");
      const kept = lines.filter((_, i) => i + 1 < from || i + 1 > to);
      return replaceText(db, row, kept.join("\n"), now);
    },
    isExample: ({ text }) => text.includes("\n"),
    example: { from: 2, to: 2 },
  }),
  addRow: editableFiles.act("Add a row at the end of a table.", {
    params: {
      cells: z.array(cellParam).min(1).max(20).describe("one cell a column, in their order"),
    },
    run: (row, { cells }, { db, now }) => {
      const { columns } = requireTable(row);
      const wanted = `${columns.length} (${columns.join(", ")})`;
      refuseUnless(
        cells.length === columns.length,
        422,
        `cells: expected ${wanted}, got ${cells.length}`,
      );
      return replaceText(db, row, `${row.text}\n${cells.join(",")}`, now);
    },
    example: (db) => {
      const row = exampleFile(db, ({ name }) => name.endsWith(".csv"));
      const columns = splitCells(row?.text.split("\n")[0] ?? "name");
      return { id: row?.id ?? 1, cells: columns.map(() => "1") };
    },
  }),
  setCell: editableFiles.act("Change one cell of a table.", {
    params: { row: rowParam, column: shortTextParam("name of a column"), value: cellParam },
    run: (file, args, { db, now }) => {
      const table = requireTable(file);
      const at = columnIndex(table, args.column);
      requireRowNumber(table.rows, args.row);
      const lines = splitLines(file.text);
      const cells = splitCells(lines[args.row]!).with(at, args.value.trim());
      return replaceText(db, file, lines.with(args.row, cells.join(",")).join("\n"), now);
    },
    example: (db) => {
      const row = exampleFile(db, isTableWithRows);
      const column = splitCells(row?.text.split("\n")[0] ?? "name")[0]!;
      return { id: row?.id ?? exampleTableId(db), row: 1, column, value: "new" };
    },
  }),
  removeRow: editableFiles.act("Take a row out of a table.", {
    params: { row: rowParam },
    run: (file, { row }, { db, now }) => {
      requireRowNumber(requireTable(file).rows, row);
      const kept = splitLines(file.text).filter((_, i) => i !== row);
      return replaceText(db, file, kept.join("\n"), now);
    },
    isExample: isTableWithRows,
    example: { row: 1 },
  }),
};
