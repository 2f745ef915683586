/** Files by name, what their texts hold, and how they are written and shared. */
import type { DrawContext, Value } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import { splitLines } from "../../apps/files/access-and-texts.ts";
import { filesInFolder, findFolder } from "../../apps/files/paths.ts";
import { splitCells } from "../../apps/files/reading.ts";
import { fileShares, files, type Role, type StoredFile } from "../../apps/files/tables.ts";
import { NEW_FILE } from "../../apps/files/writing.ts";
import { papers } from "../papers.ts";

/** Instants are not content; any will do. */
const AT = "2026-03-12T09:00:00Z";

export const isOwn = ({ owner, state }: StoredFile): boolean => owner === null && state === "live";

export const filesByName = papers<StoredFile>({
  app: "files",
  table: files,
  noun: "file",
  key: "name",
  nameOf: ({ name }) => name,
});

/** An own file by its name, which no other file has. */
export const namedFile = (
  draw: DrawContext,
  fits: (row: StoredFile) => boolean = () => true,
): Value<StoredFile> | undefined => filesByName.named(draw, (row) => isOwn(row) && fits(row));

/** The cells of a column of a table, in the order of its rows. */
export function columnOf({ text }: StoredFile, column: string): string[] {
  const [header = "", ...rows] = splitLines(text);
  const at = splitCells(header).indexOf(column);
  return rows.map((row) => splitCells(row)[at] ?? "");
}

/** Dollars as a text has them, in cents. */
export const centsIn = (dollars: string): number => Math.round(Number(dollars) * 100);

/** The amounts of a table of costs, in cents. */
export const costsIn = (file: StoredFile): number =>
  columnOf(file, "amount").reduce((sum, cell) => sum + centsIn(cell), 0);

/** The total that a receipt names, in cents. */
export const totalIn = ({ text }: StoredFile): number =>
  centsIn(/Total: \$?([\d.]+)/.exec(text)?.[1] ?? "0");

export function addFile(db: Writer, folder: string, name: string, text: string): StoredFile {
  const at = findFolder(db, folder);
  return db.insert(files, { ...NEW_FILE, name, folder: at?.id ?? null, text, at: AT });
}

export const freeName = (db: Reader, folder: number | null, name: string): boolean =>
  !filesInFolder(db, folder).some((row) => row.name.toLowerCase() === name.toLowerCase());

export const sharedWith = (db: Reader, file: number): number[] =>
  db.where(fileShares, { file, status: "active" }).map(({ person }) => person);

export function setShare(db: Writer, file: number, person: number, role: Role): void {
  const [old] = db.where(fileShares, { file, person });
  if (old) db.update(fileShares, old.id, { role, status: "active" });
  else db.insert(fileShares, { file, person, role, status: "active" });
}
