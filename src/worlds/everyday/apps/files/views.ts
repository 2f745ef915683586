/** How files are shown, the ways to name one, and the parameters that their APIs have in common. */
import { z } from "zod";
import {
  type Item,
  itemOf,
  type Look,
  must,
  type Reader,
  resource,
} from "../../../../world/index.ts";
import { dayOf, handleOf, idOf, line, prose } from "../shared.ts";
import { fileBy, freeFile, KINDS, kindOf, linesOf } from "./access.ts";
import { aFile } from "./examples.ts";
import { folderPath } from "./paths.ts";
import { files, ROLES, type StoredFile } from "./tables.ts";

const kind = [z.enum(KINDS), ({ name }: StoredFile) => kindOf(name)] as const;
const size = [z.int(), ({ text }: StoredFile) => text.length] as const;
const lines = [z.int(), ({ text }: StoredFile) => linesOf(text).length] as const;
const changed = [z.string(), ({ at }: StoredFile) => dayOf(at)] as const;
const folder = [z.string(), (row: StoredFile, { db }: Look) => folderPath(db, row.folder)] as const;

export const fileItem = itemOf(files, {
  name: z.string(),
  id: z.int(),
  folder,
  kind,
  size,
  lines,
  changed,
  favourite: z.boolean(),
});

export const trashItem = itemOf(files, { name: z.string(), id: z.int(), folder, size, changed });

export const sharedItem = itemOf(files, {
  name: z.string(),
  id: z.int(),
  from: [z.string(), ({ owner }, { db }) => handleOf(db, owner ?? 0)],
  role: [z.enum(ROLES), ({ role }) => (role === "editor" ? "editor" : "viewer")],
  kind,
  size,
  lines,
  changed,
});

export const id = idOf("file");

/** Files as they are named by APIs that only some may be given to. */
export const filesBy = (
  find: (db: Reader, id: number) => StoredFile,
  item: Item<StoredFile> = fileItem,
  example: (db: Reader, fits: (row: StoredFile) => boolean) => number = aFile,
) =>
  resource({
    table: files,
    noun: "file",
    item,
    keys: { id },
    find: (args, { db }) => find(db, args.id),
    example: (db, fits) => ({ id: example(db, fits) }),
  });

export const anyFile = filesBy(fileBy);
export const freeFiles = filesBy(freeFile);

/** The owner's own live files. */
export function ownFiles(db: Reader): readonly StoredFile[] {
  return db.where(files, { owner: null, state: "live" });
}

/** By path: letters as they come, a folder's files before those of folders below it. */
export function byPath(
  rows: readonly StoredFile[],
  { db }: { readonly db: Reader },
): readonly StoredFile[] {
  const keyed = rows.map((row) => ({ row, key: `${folderPath(db, row.folder)}\u0000${row.name}` }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row);
}

// --- parameters ---

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
  must(!name.includes("/"), 422, `${param}: expected a name without "/", got "${name}"`);
  return name;
}
