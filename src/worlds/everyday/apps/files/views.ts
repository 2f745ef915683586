/** How files are shown, and the parameters that their APIs have in common. */
import { z } from "zod";
import { ApiError, type Reader } from "../../../../world/index.ts";
import { dayOf, handleOf, idOf, line, prose } from "../shared.ts";
import { KINDS, kindOf, linesOf } from "./access.ts";
import { folderPath } from "./paths.ts";
import { files, ROLES, type StoredFile } from "./tables.ts";

export const fileItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  folder: z.string(),
  kind: z.enum(KINDS),
  size: z.int(),
  lines: z.int(),
  changed: z.string(),
  favourite: z.boolean(),
});

export const fileView = (db: Reader) => (row: StoredFile) => ({
  name: row.name,
  id: row.id,
  folder: folderPath(db, row.folder),
  kind: kindOf(row.name),
  size: row.text.length,
  lines: linesOf(row.text).length,
  changed: dayOf(row.at),
  favourite: row.favourite,
});

export const sharedItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  from: z.string(),
  role: z.enum(ROLES),
  kind: z.enum(KINDS),
  size: z.int(),
  lines: z.int(),
  changed: z.string(),
});

export const sharedView = (db: Reader) => (row: StoredFile) => ({
  name: row.name,
  id: row.id,
  from: handleOf(db, row.owner ?? 0),
  role: row.role === "editor" ? ("editor" as const) : ("viewer" as const),
  kind: kindOf(row.name),
  size: row.text.length,
  lines: linesOf(row.text).length,
  changed: dayOf(row.at),
});

/** The owner's own live files. */
export function ownFiles(db: Reader): readonly StoredFile[] {
  return db.where(files, { owner: null, state: "live" });
}

/** By path: letters as they come, a folder's files before those of folders below it. */
export function byPath(db: Reader, rows: readonly StoredFile[]): StoredFile[] {
  const keyed = rows.map((row) => ({ row, key: `${folderPath(db, row.folder)}\u0000${row.name}` }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row);
}

// --- parameters ---

export const id = idOf("file");
export const folderParam = (what: string) =>
  line(`${what}, a path such as "/trips"; "/" is the top`);
export const pathParam = line('folder and name of the new file, such as "/trips/plan.md"');
export const fileName = line('name with extension, such as "plan.md"');
export const kindParam = z.enum(KINDS);
export const role = z.enum(ROLES).describe("editors may change the text");
export const content = z.string().max(8000).describe("the text; its lines are separated by \\n");
export const newLine = prose("the text");

/** A name that can stand in a path. */
export function plainName(name: string, param: string): string {
  if (!name.includes("/")) return name;
  throw new ApiError(422, `${param}: expected a name without "/", got "${name}"`);
}
