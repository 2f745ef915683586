/** Finds files by name, reads their texts, inserts and shares files. */
import type { DrawContext, Value } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import { splitLines } from "../../apps/files/access-and-texts.ts";
import { filesInFolder, findFolder } from "../../apps/files/paths.ts";
import { splitCells } from "../../apps/files/reading.ts";
import { fileShares, files, type Role, type StoredFile } from "../../apps/files/tables.ts";
import { NEW_FILE } from "../../apps/files/writing.ts";
import { makeNameKit } from "../files-notes-todos.ts";

/** Checks ignore times, so this time is arbitrary. */
const ANY_TIME = "2026-03-12T09:00:00Z";

export const isOwnLiveFile = ({ owner, state }: StoredFile): boolean =>
  owner === null && state === "live";

export const filesByName = makeNameKit<StoredFile>({
  app: "files",
  table: files,
  noun: "file",
  key: "name",
  nameOf: ({ name }) => name,
});

/** Draws a file of the owner for which `fits` returns true and whose name no other file has. */
export const drawNamedFile = (
  draw: DrawContext,
  fits: (row: StoredFile) => boolean = () => true,
): Value<StoredFile> | undefined =>
  filesByName.drawNamed(draw, (row) => isOwnLiveFile(row) && fits(row));

/** Returns the cells of a column of a table, in the order of its rows. */
export function readColumn({ text }: StoredFile, column: string): string[] {
  const [header = "", ...rows] = splitLines(text);
  const at = splitCells(header).indexOf(column);
  return rows.map((row) => splitCells(row)[at] ?? "");
}

/** Parses dollars in a text as cents. */
export const parseCents = (dollars: string): number => Math.round(Number(dollars) * 100);

/** Returns the sum of the amounts in a table of costs, in cents. */
export const totalCostCents = (file: StoredFile): number =>
  readColumn(file, "amount").reduce((sum, cell) => sum + parseCents(cell), 0);

/** Returns the total on a receipt, in cents. */
export const receiptTotalCents = ({ text }: StoredFile): number =>
  parseCents(/Total: \$?([\d.]+)/.exec(text)?.[1] ?? "0");

export function insertFile(db: Writer, folder: string, name: string, text: string): StoredFile {
  const at = findFolder(db, folder);
  return db.insert(files, { ...NEW_FILE, name, folder: at?.id ?? null, text, at: ANY_TIME });
}

export const isNameFree = (db: Reader, folder: number | null, name: string): boolean =>
  !filesInFolder(db, folder).some((row) => row.name.toLowerCase() === name.toLowerCase());

export const idsOfReaders = (db: Reader, file: number): number[] =>
  db.where(fileShares, { file, status: "active" }).map(({ person }) => person);

export function shareFile(db: Writer, file: number, person: number, role: Role): void {
  const [old] = db.where(fileShares, { file, person });
  if (old) db.update(fileShares, old.id, { role, status: "active" });
  else db.insert(fileShares, { file, person, role, status: "active" });
}
