/** Which files a call may touch: any that is there, one that may be edited, one that is the owner's own. */

import { must } from "bowline/resources";
import type { Reader, Writer } from "bowline/world";
import { handleOf, rowBy } from "../shared.ts";
import { files, type StoredFile, versions } from "./tables.ts";

/** A live file, own or shared with the owner. */
export function fileBy(db: Reader, id: number): StoredFile {
  const row = rowBy(db, files, id, "file");
  must(row.state !== "left", 404, `id: you have left the file with id ${id}`);
  must(row.state !== "trashed", 409, `id: file ${id} is in the trash; files.restore first`);
  return row;
}

export function ownFile(db: Reader, id: number): StoredFile {
  const row = fileBy(db, id);
  must(row.owner === null, 403, () => {
    const whose = `"${row.name}" belongs to "${handleOf(db, row.owner!)}"`;
    return `id: expected a file of your own, ${whose}`;
  });
  return row;
}

export function unlocked(row: StoredFile): StoredFile {
  must(!row.locked, 409, `id: file ${row.id} is locked; files.unlock first`);
  return row;
}

/** A file whose text the owner may change. */
export function editable(db: Reader, id: number): StoredFile {
  const row = unlocked(fileBy(db, id));
  const isText = kindOf(row.name) !== "bundle";
  must(isText, 422, `id: expected a text file, "${row.name}" is a bundle`);
  const wanted = "expected a file that you may edit";
  const why = () => `"${row.name}" of "${handleOf(db, row.owner!)}" is for viewing only`;
  const refusal = () => `id: ${wanted}, ${why()}; files.askToEdit asks for more`;
  must(row.role !== "viewer", 403, refusal);
  return row;
}

// --- texts ---

export const KINDS = ["table", "document", "text", "log", "bundle"] as const;
export type FileKind = (typeof KINDS)[number];

const EXTENSIONS: ReadonlyMap<string, FileKind> = new Map([
  ["csv", "table"],
  ["md", "document"],
  ["log", "log"],
  ["zip", "bundle"],
]);

export function kindOf(name: string): FileKind {
  return EXTENSIONS.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase()) ?? "text";
}

export function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

/** Without blanks and empty lines at the end, so that how a writer ends the text does not matter. */
export function tidy(text: string): string {
  return text.replaceAll("\r\n", "\n").trimEnd();
}

// --- storage ---

/** Characters of own files, those in the trash included. */
export const LIMIT = 1_000_000;

export function usedBy(rows: readonly { readonly text: string }[]): number {
  return rows.reduce((sum, { text }) => sum + text.length, 0);
}

/** A 409 when so many characters more do not fit. */
export function claim(db: Reader, characters: number): void {
  const used = usedBy(db.where(files, { owner: null }));
  const free = `${LIMIT - used} are free; files.emptyTrash makes room`;
  must(used + characters <= LIMIT, 409, `text: ${characters} characters do not fit, ${free}`);
}

/** Gives the file another text and keeps the old one as a version. */
export function rewrite(db: Writer, row: StoredFile, text: string, now: string): StoredFile {
  const clean = tidy(text);
  if (clean === row.text) return row;
  if (row.owner === null) claim(db, clean.length - row.text.length);
  const number = db.where(versions, { file: row.id }).length + 1;
  db.insert(versions, { file: row.id, number, text: row.text, at: row.at });
  return db.update(files, row.id, { text: clean, at: now });
}
