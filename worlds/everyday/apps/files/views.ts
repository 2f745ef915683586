/** How files are shown and found, and the parameters that their APIs have in common. */

import { by, idOf, itemOf, type Look, line, must, prose, resource, where } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { dayOf, handleOf } from "../shared.ts";
import { editable, fileBy, KINDS, kindOf, linesOf, ownFile, unlocked } from "./access.ts";
import { aFile } from "./examples.ts";
import { folderPath } from "./paths.ts";
import { files, ROLES, type StoredFile } from "./tables.ts";

/** What the text tells. */
const facts = {
  kind: [z.enum(KINDS), ({ name }: StoredFile) => kindOf(name)],
  size: [z.int(), ({ text }: StoredFile) => text.length],
  lines: [z.int(), ({ text }: StoredFile) => linesOf(text).length],
  changed: [z.string(), ({ at }: StoredFile) => dayOf(at)],
} as const;

const inFolder = [
  z.string(),
  ({ folder }: StoredFile, { db }: Look) => folderPath(db, folder),
] as const;

export const fileItem = itemOf(files, {
  ...files.fields("name", "id"),
  folder: inFolder,
  ...facts,
  favourite: z.boolean(),
});

export const sharedItem = itemOf(files, {
  ...files.fields("name", "id"),
  from: [z.string(), ({ owner }, { db }) => handleOf(db, owner ?? 0)],
  role: [z.enum(ROLES), ({ role }) => (role === "editor" ? "editor" : "viewer")],
  ...facts,
});

export const trashItem = itemOf(files, {
  ...files.fields("name", "id"),
  folder: inFolder,
  size: facts.size,
  changed: facts.changed,
});

// --- which files a call may touch ---

const known = {
  table: files,
  noun: "file",
  item: fileItem,
  example: (db: Reader, fits: (row: StoredFile) => boolean) => ({ id: aFile(db, fits) }),
} as const;

/** Any that is there, own or shared with the owner. */
export const anyFile = resource({ ...known, find: ({ id }, { db }) => fileBy(db, id) });
/** Own ones. */
export const ownFiles = resource({ ...known, find: ({ id }, { db }) => ownFile(db, id) });
/** Own ones that are not locked. */
export const freeFiles = resource({
  ...known,
  find: ({ id }, { db }) => unlocked(ownFile(db, id)),
});
/** Those whose text the owner may change. */
export const texts = resource({ ...known, find: ({ id }, { db }) => editable(db, id) });

/** The owner's own live files. */
export const LIVE = { owner: null, state: "live" } as const;
export const liveFiles = (db: Reader): readonly StoredFile[] => db.where(files, LIVE);

/** By path: letters as they come, a folder's files before those of folders below it. */
export const pathKey = ({ folder, name }: StoredFile, { db }: Look): string =>
  `${folderPath(db, folder)}\u0000${name}`;
export const byPath = by(pathKey);

// --- parameters ---

export const id = idOf("file");
export const folderParam = (what: string) =>
  line(`${what}, a path such as "/trips"; "/" is the top`);
export const pathParam = line('folder and name of the new file, such as "/trips/plan.md"');
export const fileName = line('name with extension, such as "plan.md"');
/** A filter of lists of files. */
export const ofKind = (what: string) =>
  [
    z.enum(KINDS).describe(what),
    where((row: StoredFile, kind: (typeof KINDS)[number]) => kindOf(row.name) === kind),
  ] as const;
export const role = z.enum(ROLES).describe("editors may change the text");
export const content = z.string().max(8000).describe("the text; its lines are separated by \\n");
export const newLine = prose("the text");

/** A name that can stand in a path. */
export function plainName(name: string, param: string): string {
  must(!name.includes("/"), 422, `${param}: expected a name without "/", got "${name}"`);
  return name;
}
