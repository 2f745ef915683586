/**
 * Finds folders and files by path, and the errors when there is none. `/` is the top of the tree, and upper or lower
 * case does not matter.
 */

import { equalIgnoringCase, refuseUnless } from "bowline/resources";
import { ApiError, nearestWord, type Reader } from "bowline/world";
import { type Folder, files, folders, type StoredFile } from "./tables.ts";

/** Returns the path of a folder, such as `/trips/Lisbon`. Returns `/` for null, which stands for the top. */
export function folderPath(db: Reader, folder: number | null): string {
  const row = folder === null ? undefined : db.get(folders, folder);
  if (!row) return "/";
  const above = folderPath(db, row.parent);
  return above === "/" ? `/${row.name}` : `${above}/${row.name}`;
}

export function filePath(db: Reader, { folder, name }: StoredFile): string {
  return joinPath(folderPath(db, folder), name);
}

export function joinPath(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

function splitSegments(path: string): string[] {
  return path.split("/").filter((part) => part.trim() !== "");
}

/** Returns the folder at this path, null for the top, and undefined when there is none. */
export function findFolder(db: Reader, path: string): Folder | null | undefined {
  let current: Folder | null = null;
  for (const name of splitSegments(path)) {
    const inside: readonly Folder[] = db.where(folders, { parent: current?.id ?? null });
    const found = inside.find((folder) => equalIgnoringCase(folder.name, name));
    if (!found) return undefined;
    current = found;
  }
  return current;
}

/**
 * Returns the id of the folder at this path, or null for the top. Throws a 404 that suggests the nearest path when
 * there is none.
 */
export function requireFolderId(db: Reader, path: string, param: string): number | null {
  const found = findFolder(db, path);
  if (found !== undefined) return found?.id ?? null;
  const paths = db.all(folders).map(({ id }) => folderPath(db, id));
  const hint = nearestWord(path, paths);
  const words = hint === undefined ? "; files.folders lists them" : `; did you mean "${hint}"?`;
  throw new ApiError(404, `${param}: there is no folder "${path}"${words}`);
}

/** Returns the folder at this path. Throws a 404 when there is none and a 422 when it is the top. */
export function requireFolderBelowTop(db: Reader, path: string, param: string): Folder {
  const id = requireFolderId(db, path, param);
  const row = id === null ? undefined : db.get(folders, id);
  refuseUnless(row, 422, `${param}: expected a folder below the top, got "${path}"`);
  return row;
}

/** Splits `/trips/plan.md` into the folder's path and the file's name. A name without a folder is at the top. */
export function splitPath(path: string, param: string): { folder: string; name: string } {
  const parts = splitSegments(path);
  const name = parts.pop();
  const isNamed = name !== undefined && !path.trimEnd().endsWith("/");
  refuseUnless(isNamed, 422, `${param}: expected a path that ends in a name, got "${path}"`);
  return { folder: `/${parts.join("/")}`, name: name.trim() };
}

/** Returns the owner's own files of a folder, except those in the trash. */
export function filesInFolder(db: Reader, folder: number | null): readonly StoredFile[] {
  return db.where(files, { folder, owner: null, state: "live" });
}

/**
 * Throws a 409 when the folder already contains a folder of that name, or a file of that name other than
 * `exceptFileId`.
 */
export function requireFreePath(
  db: Reader,
  folder: number | null,
  name: string,
  param: string,
  exceptFileId?: number,
): void {
  const isFile = filesInFolder(db, folder).some(
    (row) => equalIgnoringCase(row.name, name) && row.id !== exceptFileId,
  );
  const isFolder = db
    .where(folders, { parent: folder })
    .some((row) => equalIgnoringCase(row.name, name));
  const path = () => joinPath(folderPath(db, folder), name);
  const message = () => `${param}: "${path()}" exists already; expected a name that is free`;
  refuseUnless(!isFile && !isFolder, 409, message);
}

/** Returns the ids of the folder and of all folders below it. */
export function folderIdsBelow(db: Reader, folder: number | null): ReadonlySet<number | null> {
  const found = new Set<number | null>([folder]);
  for (const id of found)
    for (const child of db.where(folders, { parent: id })) found.add(child.id);
  return found;
}
