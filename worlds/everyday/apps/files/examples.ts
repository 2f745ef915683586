/**
 * Finds rows of the start state for the examples of API calls. These functions throw nothing when the state is empty.
 */
import type { Reader } from "bowline/world";
import { people } from "../tables.ts";
import { fileKind } from "./access-and-texts.ts";
import { folderPath } from "./paths.ts";
import { fileShares, files, folders, type StoredFile, versions } from "./tables.ts";

/**
 * Returns the id of one of the owner's files that is not in the trash, not locked and not shared, and for which `fits`
 * returns true.
 */
export function exampleFileId(db: Reader, fits: (row: StoredFile) => boolean = () => true): number {
  return exampleFile(db, fits)?.id ?? 1;
}

export function exampleFile(
  db: Reader,
  fits: (row: StoredFile) => boolean,
): StoredFile | undefined {
  return db
    .where(files, { owner: null, state: "live", locked: false })
    .find((row) => db.where(fileShares, { file: row.id }).length === 0 && fits(row));
}

export const exampleTableId = (db: Reader) =>
  exampleFileId(db, ({ name }) => fileKind(name) === "table");

/** Returns the id of a file that others share with the owner in this role. */
export function exampleSharedFileId(db: Reader, role: "viewer" | "editor"): number {
  return db.where(files, { state: "live", role })[0]?.id ?? 1;
}

export function exampleVersion(db: Reader): { id: number; number: number } {
  const row = db.all(versions).find(({ file }) => db.get(files, file)?.locked === false);
  return { id: row?.file ?? 1, number: row?.number ?? 1 };
}

/** Returns the file and the person of an active share. */
export function exampleShare(db: Reader): { id: number; person: string } {
  const row = db
    .all(fileShares)
    .find(({ person, status }) => status === "active" && db.get(people, person)?.blocked === false);
  return { id: row?.file ?? 1, person: db.get(people, row?.person ?? 1)?.handle ?? "amara.o" };
}

/** Returns the path of a folder: one inside another folder when `hasParent` is true, or else one at the top. */
export function exampleFolderPath(db: Reader, hasParent = false): string {
  return folderPath(
    db,
    db.all(folders).find(({ parent }) => (parent !== null) === hasParent)?.id ?? null,
  );
}

/** Returns the path of an empty folder, or `/` when there is none. */
export function exampleEmptyFolderPath(db: Reader): string {
  const usedFolders = new Set<number | null>([
    ...db.all(files).map(({ folder }) => folder),
    ...db.all(folders).map(({ parent }) => parent),
  ]);
  return folderPath(db, db.all(folders).find(({ id }) => !usedFolders.has(id))?.id ?? null);
}
