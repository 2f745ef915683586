/** Writing texts. Whatever changes a text keeps the old one as a version; writing the same text changes nothing. */
import { z } from "zod";
import { ApiError, defineApi } from "../../../../world/index.ts";
import { line } from "../shared.ts";
import { claim, editable, kindOf, linesOf, rewrite, tidy } from "./access.ts";
import { aFile, aFolder, aTable, fileRow } from "./examples.ts";
import { folderBy, freeIn, joined, splitPath } from "./paths.ts";
import { cellsOf, columnOf, tableOf } from "./reading.ts";
import { files, type StoredFile } from "./tables.ts";
import { content, fileItem, fileView, id, newLine, pathParam } from "./views.ts";

/** What every new own file starts with. */
export const FRESH = {
  owner: null,
  role: "owner",
  favourite: false,
  locked: false,
  tags: [],
  state: "live",
} as const satisfies Partial<StoredFile>;

const create = defineApi({
  summary: "Write a new file; its folder must exist.",
  params: z.strictObject({ path: pathParam, text: content }),
  returns: fileItem,
  example: (db) => ({ path: joined(aFolder(db), "packing.md"), text: "# Packing\n- charger" }),
  handler: ({ db, now }, { path, text }) => {
    const { folder, name } = splitPath(path, "path");
    const inside = folderBy(db, folder, "path");
    if (kindOf(name) === "bundle") {
      throw new ApiError(
        422,
        `path: expected a text file, got "${name}"; files.bundle makes those`,
      );
    }
    freeIn(db, inside, name, "path");
    claim(db, text.length);
    const row = { ...FRESH, name, folder: inside, text: tidy(text), at: now };
    return fileView(db)(db.insert(files, row));
  },
});

const write = defineApi({
  summary: "Replace the whole text of a file.",
  params: z.strictObject({ id, text: content }),
  returns: fileItem,
  example: (db) => ({ id: aFile(db, ({ name }) => name.endsWith(".md")), text: "# A new start" }),
  handler: ({ db, now }, { id, text }) => fileView(db)(rewrite(db, editable(db, id), text, now)),
});

const append = defineApi({
  summary: "Add lines at the end of a file.",
  params: z.strictObject({ id, text: newLine }),
  returns: fileItem,
  example: (db) => ({ id: aFile(db, ({ name }) => name.endsWith(".md")), text: "- a torch" }),
  handler: ({ db, now }, { id, text }) => {
    const row = editable(db, id);
    return fileView(db)(rewrite(db, row, row.text === "" ? text : `${row.text}\n${text}`, now));
  },
});

const replace = defineApi({
  summary: "Replace words in a file's text, every time that they occur.",
  params: z.strictObject({
    id,
    old: newLine.describe("the words to look for, exactly as they stand there"),
    new: z.string().max(2000).describe("what takes their place"),
  }),
  returns: z.strictObject({ ...fileItem.shape, replaced: z.int() }),
  example: (db) => {
    const row = fileRow(db, ({ name }) => name.endsWith(".md"));
    return { id: row?.id ?? 1, old: row?.text.split(/\s+/)[1] ?? "a", new: "something" };
  },
  handler: ({ db, now }, args) => {
    const row = editable(db, args.id);
    const parts = row.text.split(args.old);
    if (parts.length === 1) {
      throw new ApiError(422, `old: "${args.old}" does not occur in "${row.name}"`);
    }
    const changed = rewrite(db, row, parts.join(args.new), now);
    return { ...fileView(db)(changed), replaced: parts.length - 1 };
  },
});

const removeLines = defineApi({
  summary: "Take lines out of a file.",
  params: z.strictObject({
    id,
    from: z.int().min(1).describe("the first line to take out, from 1"),
    to: z.int().min(1).describe("the last line to take out"),
  }),
  returns: fileItem,
  example: (db) => ({ id: aFile(db, ({ text }) => text.includes("\n")), from: 2, to: 2 }),
  handler: ({ db, now }, { id, from, to }) => {
    const row = editable(db, id);
    const lines = linesOf(row.text);
    if (from > to || to > lines.length) {
      throw new ApiError(422, `to: expected ${from} to ${lines.length}, got ${to}`);
    }
    const kept = lines.filter((_, i) => i + 1 < from || i + 1 > to);
    return fileView(db)(rewrite(db, row, kept.join("\n"), now));
  },
});

// --- tables ---

/** A cell of a table, which cannot hold what separates cells. */
const cellParam = z
  .string()
  .max(200)
  .regex(/^[^,\n]*$/)
  .describe("a cell without comma or line break");

const addRow = defineApi({
  summary: "Add a row at the end of a table.",
  params: z.strictObject({
    id,
    cells: z.array(cellParam).min(1).max(20).describe("one cell a column, in their order"),
  }),
  returns: fileItem,
  example: (db) => {
    const row = fileRow(db, ({ name }) => name.endsWith(".csv"));
    const columns = cellsOf(row?.text.split("\n")[0] ?? "name");
    return { id: row?.id ?? 1, cells: columns.map(() => "1") };
  },
  handler: ({ db, now }, { id, cells }) => {
    const row = editable(db, id);
    const { columns } = tableOf(row);
    if (cells.length !== columns.length) {
      throw new ApiError(
        422,
        `cells: expected ${columns.length} (${columns.join(", ")}), got ${cells.length}`,
      );
    }
    return fileView(db)(rewrite(db, row, `${row.text}\n${cells.join(",")}`, now));
  },
});

const rowParam = z.int().min(1).describe("number of the row, from 1; the line of names has none");

const setCell = defineApi({
  summary: "Change one cell of a table.",
  params: z.strictObject({ id, row: rowParam, column: line("name of a column"), value: cellParam }),
  returns: fileItem,
  example: (db) => {
    const row = fileRow(db, ({ name, text }) => name.endsWith(".csv") && text.includes("\n"));
    const column = cellsOf(row?.text.split("\n")[0] ?? "name")[0]!;
    return { id: row?.id ?? aTable(db), row: 1, column, value: "new" };
  },
  handler: ({ db, now }, args) => {
    const file = editable(db, args.id);
    const table = tableOf(file);
    const at = columnOf(table, args.column);
    if (args.row > table.rows.length) {
      throw new ApiError(422, `row: expected 1 to ${table.rows.length}, got ${args.row}`);
    }
    const lines = linesOf(file.text);
    const cells = cellsOf(lines[args.row]!).with(at, args.value.trim());
    return fileView(db)(rewrite(db, file, lines.with(args.row, cells.join(",")).join("\n"), now));
  },
});

const removeRow = defineApi({
  summary: "Take a row out of a table.",
  params: z.strictObject({ id, row: rowParam }),
  returns: fileItem,
  example: (db) => ({
    id: aFile(db, ({ name, text }) => name.endsWith(".csv") && text.includes("\n")),
    row: 1,
  }),
  handler: ({ db, now }, args) => {
    const file = editable(db, args.id);
    const { rows } = tableOf(file);
    if (args.row > rows.length) {
      throw new ApiError(422, `row: expected 1 to ${rows.length}, got ${args.row}`);
    }
    const kept = linesOf(file.text).filter((_, i) => i !== args.row);
    return fileView(db)(rewrite(db, file, kept.join("\n"), now));
  },
});

export const writingApis = {
  create,
  write,
  append,
  replace,
  removeLines,
  addRow,
  setCell,
  removeRow,
};
