/** Files by name, their meaning on tables, and the cells that find them. */

import type { Draw, Value } from "../../../../goals/index.ts";
import type { Reader, Writer } from "../../../../world/index.ts";
import { linesOf } from "../../apps/files/access.ts";
import { filesIn, folderAt } from "../../apps/files/paths.ts";
import { cellsOf } from "../../apps/files/reading.ts";
import { fileShares, files, type StoredFile } from "../../apps/files/tables.ts";
import { FRESH } from "../../apps/files/writing.ts";
import { js } from "../old-papers.ts";

/** Instants are not content; any will do. */
export const AT = "2026-03-12T09:00:00Z";

export const isOwn = ({ owner, state }: StoredFile) => owner === null && state === "live";

/** A cell that leaves the id of the own file of this name in `out`. */
export function findFile(name: string, out: string): string {
  return `var ${out}=apis.files.search({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)})[0].id;print(${out})`;
}

/** An own file by its name, which no other file has. */
export function namedFile(
  draw: Draw,
  fits: (row: StoredFile, db: Reader) => boolean,
): Value<StoredFile> | undefined {
  const rows = draw.db.all(files).filter((row) => isOwn(row) && fits(row, draw.db));
  const names = draw.db.all(files).map(({ name }) => name);
  const once = rows.filter(({ name }) => names.indexOf(name) === names.lastIndexOf(name));
  if (once.length === 0) return undefined;
  const value = draw.rng.pick(once);
  const code = draw.variable("f");
  return {
    value,
    words: `my file ${js(value.name)}`,
    code,
    cells: [findFile(value.name, code)],
    apps: ["files"],
  };
}

// --- meaning ---

export function rewriteText(db: Writer, id: number, change: (text: string) => string): void {
  db.update(files, id, { text: change(db.get(files, id)!.text) });
}

export function addFile(db: Writer, folder: string, name: string, text: string): StoredFile {
  const at = folderAt(db, folder);
  return db.insert(files, { ...FRESH, name, folder: at?.id ?? null, text, at: AT });
}

export function freeName(db: Reader, folder: number | null, name: string): boolean {
  return !filesIn(db, folder).some((row) => row.name.toLowerCase() === name.toLowerCase());
}

export function sharedWith(db: Reader, file: number): number[] {
  return db.where(fileShares, { file, status: "active" }).map(({ person }) => person);
}

export function setShare(
  db: Writer,
  file: number,
  person: number,
  role: "viewer" | "editor",
): void {
  const [old] = db.where(fileShares, { file, person });
  if (old) db.update(fileShares, old.id, { role, status: "active" });
  else db.insert(fileShares, { file, person, role, status: "active" });
}

/** The cells of a column of a table, in the order of its rows. */
export function columnOf({ text }: StoredFile, column: string): string[] {
  const [header = "", ...rows] = linesOf(text);
  const at = cellsOf(header).indexOf(column);
  return rows.map((row) => cellsOf(row)[at] ?? "");
}

/** Dollars, to the cent. */
export function sumOf(file: StoredFile, column: string): number {
  return (
    columnOf(file, column).reduce((sum, cell) => sum + Math.round(Number(cell) * 100), 0) / 100
  );
}

/** The number after `<label>: ` in a text. */
export function numberAfter(text: string, label: string): number {
  return Number(new RegExp(`${label}: \\$?([\\d.]+)`).exec(text)?.[1] ?? 0);
}
