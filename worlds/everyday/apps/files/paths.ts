/** Folders and files by path, and the errors when there is none. `/` is the top; case is ignored. */

import { must, same } from "bowline/resources";
import { ApiError, nearest, type Reader } from "bowline/world";
import { type Folder, files, folders, type StoredFile } from "./tables.ts";

/** `/trips/Lisbon`; `/` for null. */
export function folderPath(db: Reader, folder: number | null): string {
  const row = folder === null ? undefined : db.get(folders, folder);
  if (!row) return "/";
  const above = folderPath(db, row.parent);
  return above === "/" ? `/${row.name}` : `${above}/${row.name}`;
}

export function filePath(db: Reader, { folder, name }: StoredFile): string {
  return joined(folderPath(db, folder), name);
}

export function joined(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

function segments(path: string): string[] {
  return path.split("/").filter((part) => part.trim() !== "");
}

/** The folder at this path, null for the top, undefined when there is none. */
export function folderAt(db: Reader, path: string): Folder | null | undefined {
  let at: Folder | null = null;
  for (const name of segments(path)) {
    const inside: readonly Folder[] = db.where(folders, { parent: at?.id ?? null });
    const found = inside.find((folder) => same(folder.name, name));
    if (!found) return undefined;
    at = found;
  }
  return at;
}

/** The id of the folder, null for the top; a 404 knows the nearest path. */
export function folderBy(db: Reader, path: string, param: string): number | null {
  const found = folderAt(db, path);
  if (found !== undefined) return found?.id ?? null;
  const paths = db.all(folders).map(({ id }) => folderPath(db, id));
  const hint = nearest(path, paths);
  const words = hint === undefined ? "; files.folders lists them" : `; did you mean "${hint}"?`;
  throw new ApiError(404, `${param}: there is no folder "${path}"${words}`);
}

/** A folder other than the top. */
export function realFolder(db: Reader, path: string, param: string): Folder {
  const id = folderBy(db, path, param);
  const row = id === null ? undefined : db.get(folders, id);
  must(row, 422, `${param}: expected a folder below the top, got "${path}"`);
  return row;
}

/** `/trips/plan.md` as the folder's path and the name; a name alone lies at the top. */
export function splitPath(path: string, param: string): { folder: string; name: string } {
  const parts = segments(path);
  const name = parts.pop();
  const isNamed = name !== undefined && !path.trimEnd().endsWith("/");
  must(isNamed, 422, `${param}: expected a path that ends in a name, got "${path}"`);
  return { folder: `/${parts.join("/")}`, name: name.trim() };
}

/** The owner's own live files of a folder. */
export function filesIn(db: Reader, folder: number | null): readonly StoredFile[] {
  return db.where(files, { folder, owner: null, state: "live" });
}

/** A 409 when the folder holds a live file or a folder of that name (other than `except`). */
export function freeIn(
  db: Reader,
  folder: number | null,
  name: string,
  param: string,
  except?: number,
): void {
  const file = filesIn(db, folder).some((row) => same(row.name, name) && row.id !== except);
  const inside = db.where(folders, { parent: folder }).some((row) => same(row.name, name));
  const path = () => joined(folderPath(db, folder), name);
  const refusal = () => `${param}: "${path()}" exists already; expected a name that is free`;
  must(!file && !inside, 409, refusal);
}

/** The ids of a folder and of all below it. */
export function below(db: Reader, folder: number | null): ReadonlySet<number | null> {
  const found = new Set<number | null>([folder]);
  for (const id of found)
    for (const child of db.where(folders, { parent: id })) found.add(child.id);
  return found;
}
