/** Defines how files are shown and found, and the parameters that the APIs of files have in common. */

import {
  defineItem,
  filterWhere,
  idParam,
  longTextParam,
  orderBy,
  refuseUnless,
  resource,
  shortTextParam,
  type ViewContext,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { dayOf, handleOf } from "../shared.ts";
import {
  fileKind,
  KINDS,
  requireEditableFile,
  requireFile,
  requireOwnFile,
  requireUnlocked,
  splitLines,
} from "./access-and-texts.ts";
import { exampleFileId } from "./examples.ts";
import { folderPath } from "./paths.ts";
import { files, ROLES, type StoredFile } from "./tables.ts";

/** Fields of an item that follow from the file's name and text. */
const textFields = {
  kind: [z.enum(KINDS), ({ name }: StoredFile) => fileKind(name)],
  size: [z.int(), ({ text }: StoredFile) => text.length],
  lines: [z.int(), ({ text }: StoredFile) => splitLines(text).length],
  changed: [z.string(), ({ at }: StoredFile) => dayOf(at)],
} as const;

const folderField = [
  z.string(),
  ({ folder }: StoredFile, { db }: ViewContext) => folderPath(db, folder),
] as const;

export const fileItem = defineItem(files, {
  ...files.fields("name", "id"),
  folder: folderField,
  ...textFields,
  favourite: z.boolean(),
});

export const sharedItem = defineItem(files, {
  ...files.fields("name", "id"),
  from: [z.string(), ({ owner }, { db }) => handleOf(db, owner ?? 0)],
  role: [z.enum(ROLES), ({ role }) => (role === "editor" ? "editor" : "viewer")],
  ...textFields,
});

export const trashItem = defineItem(files, {
  ...files.fields("name", "id"),
  folder: folderField,
  size: textFields.size,
  changed: textFields.changed,
});

const fileOptions = {
  table: files,
  noun: "file",
  item: fileItem,
  example: (db: Reader, fits: (row: StoredFile) => boolean) => ({ id: exampleFileId(db, fits) }),
} as const;

/** All files that the owner can see: own ones and those shared with the owner. */
export const anyFile = resource({ ...fileOptions, find: ({ id }, { db }) => requireFile(db, id) });
/** The owner's own files. */
export const ownFiles = resource({
  ...fileOptions,
  find: ({ id }, { db }) => requireOwnFile(db, id),
});
/** The owner's own files that are not locked. */
export const unlockedFiles = resource({
  ...fileOptions,
  find: ({ id }, { db }) => requireUnlocked(requireOwnFile(db, id)),
});
/** The files whose text the owner may change. */
export const editableFiles = resource({
  ...fileOptions,
  find: ({ id }, { db }) => requireEditableFile(db, id),
});

/** Matches the owner's own files that are not in the trash. */
export const LIVE = { owner: null, state: "live" } as const;
export const liveFiles = (db: Reader): readonly StoredFile[] => db.where(files, LIVE);

/** Returns a key that sorts files by path, so that the files of a folder come before those of the folders below it. */
export const pathSortKey = ({ folder, name }: StoredFile, { db }: ViewContext): string =>
  `${folderPath(db, folder)}\u0000${name}`;
export const sortByPath = orderBy(pathSortKey);

export const id = idParam("file");
export const folderParam = (description: string) =>
  shortTextParam(`${description}, a path such as "/trips"; "/" is the top`);
export const pathParam = shortTextParam(
  'folder and name of the new file, such as "/trips/plan.md"',
);
export const fileName = shortTextParam('name with extension, such as "plan.md"');
/** Makes a filter of a list of files by their kind. */
export const kindFilter = (description: string) =>
  [
    z.enum(KINDS).describe(description),
    filterWhere((row: StoredFile, kind: (typeof KINDS)[number]) => fileKind(row.name) === kind),
  ] as const;
export const role = z.enum(ROLES).describe("editors may change the text");
export const content = z.string().max(8000).describe("the text; its lines are separated by \\n");
export const textParam = longTextParam("the text");

/** Returns the name when it can be part of a path. Throws a 422 when it contains a slash. */
export function requireNameWithoutSlash(name: string, param: string): string {
  refuseUnless(!name.includes("/"), 422, `${param}: expected a name without "/", got "${name}"`);
  return name;
}
