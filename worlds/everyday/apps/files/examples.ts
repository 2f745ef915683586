/** Rows that the examples of the documentation take from the start state. Nothing here throws on an empty one. */
import type { Reader } from "bowline/world";
import { people } from "../tables.ts";
import { kindOf } from "./access.ts";
import { folderPath } from "./paths.ts";
import { fileShares, files, folders, type StoredFile, versions } from "./tables.ts";

/** An own live file that is not locked, not shared and fits. */
export function aFile(db: Reader, fits: (row: StoredFile) => boolean = () => true): number {
  return fileRow(db, fits)?.id ?? 1;
}

export function fileRow(db: Reader, fits: (row: StoredFile) => boolean): StoredFile | undefined {
  return db
    .where(files, { owner: null, state: "live", locked: false })
    .find((row) => db.where(fileShares, { file: row.id }).length === 0 && fits(row));
}

export const aTable = (db: Reader) => aFile(db, ({ name }) => kindOf(name) === "table");

/** A file that others share with the owner. */
export function aSharedFile(db: Reader, role: "viewer" | "editor"): number {
  return db.where(files, { state: "live", role })[0]?.id ?? 1;
}

export function aVersion(db: Reader): { id: number; number: number } {
  const row = db.all(versions).find(({ file }) => db.get(files, file)?.locked === false);
  return { id: row?.file ?? 1, number: row?.number ?? 1 };
}

/** The file and person of an active share. */
export function aShare(db: Reader): { id: number; with: string } {
  const row = db
    .all(fileShares)
    .find(({ person, status }) => status === "active" && db.get(people, person)?.blocked === false);
  return { id: row?.file ?? 1, with: db.get(people, row?.person ?? 1)?.handle ?? "amara.o" };
}

/** A folder's path: one with a parent, or at the top. */
export function aFolder(db: Reader, inside = false): string {
  return folderPath(
    db,
    db.all(folders).find(({ parent }) => (parent !== null) === inside)?.id ?? null,
  );
}

/** An empty folder, where the population has one. */
export function anEmptyFolder(db: Reader): string {
  const used = new Set<number | null>([
    ...db.all(files).map(({ folder }) => folder),
    ...db.all(folders).map(({ parent }) => parent),
  ]);
  return folderPath(db, db.all(folders).find(({ id }) => !used.has(id))?.id ?? null);
}
