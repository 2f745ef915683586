/**
 * Finds the file that a call names, and refuses files that the call may not read or change. Also reads and changes the
 * texts of files.
 */

import { refuseUnless } from "bowline/resources";
import type { Reader, Writer } from "bowline/world";
import { handleOf, requireRow } from "../shared.ts";
import { files, type StoredFile, versions } from "./tables.ts";

/**
 * Returns a file of the owner, or one that others share with the owner. Throws a 404 when there is no such file or the
 * owner has left it, and a 409 when it is in the trash.
 */
export function requireFile(db: Reader, id: number): StoredFile {
  const row = requireRow(db, files, id, "file");
  refuseUnless(row.state !== "left", 404, `id: you have left the file with id ${id}`);
  refuseUnless(row.state !== "trashed", 409, `id: file ${id} is in the trash; files.restore first`);
  return row;
}

export function requireOwnFile(db: Reader, id: number): StoredFile {
  const row = requireFile(db, id);
  refuseUnless(row.owner === null, 403, () => {
    const belonging = `"${row.name}" belongs to "${handleOf(db, row.owner!)}"`;
    return `id: expected a file of your own, ${belonging}`;
  });
  return row;
}

export function requireUnlocked(row: StoredFile): StoredFile {
  refuseUnless(!row.locked, 409, `id: file ${row.id} is locked; files.unlock first`);
  return row;
}

/** Returns a file whose text the owner may change. Throws a 409, 422 or 403 otherwise. */
export function requireEditableFile(db: Reader, id: number): StoredFile {
  const row = requireUnlocked(requireFile(db, id));
  const isText = fileKind(row.name) !== "bundle";
  refuseUnless(isText, 422, `id: expected a text file, "${row.name}" is a bundle`);
  const expected = "expected a file that you may edit";
  const reason = () => `"${row.name}" of "${handleOf(db, row.owner!)}" is for viewing only`;
  const message = () => `id: ${expected}, ${reason()}; files.askToEdit asks for more`;
  refuseUnless(row.role !== "viewer", 403, message);
  return row;
}

export const KINDS = ["table", "document", "text", "log", "bundle"] as const;
export type FileKind = (typeof KINDS)[number];

const EXTENSIONS: ReadonlyMap<string, FileKind> = new Map([
  ["csv", "table"],
  ["md", "document"],
  ["log", "log"],
  ["zip", "bundle"],
]);

export function fileKind(name: string): FileKind {
  return EXTENSIONS.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase()) ?? "text";
}

export function splitLines(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

/** Removes blanks and empty lines at the end of a text, so that two texts that differ only in these are equal. */
export function trimText(text: string): string {
  return text.replaceAll("\r\n", "\n").trimEnd();
}

/**
 * Throws a 422 when the file is a table and a line of its new text has not one cell for each column. `param` is the
 * argument that the text comes from.
 */
export function requireTableShape(name: string, text: string, param: string): void {
  if (fileKind(name) !== "table") return;
  const [header = "", ...rows] = splitLines(trimText(text));
  const width = header.split(",").length;
  const wrong = rows.findIndex((row) => row.split(",").length !== width);
  refuseUnless(wrong === -1, 422, () => {
    const got = `line ${wrong + 2} is "${rows[wrong]}"`;
    return `${param}: expected ${width} cells in each line of the table "${name}" (${header}), ${got}`;
  });
}

/** The most characters that the texts of all own files may have together, including files in the trash. */
export const STORAGE_LIMIT = 1_000_000;

export function totalCharacters(rows: readonly { readonly text: string }[]): number {
  return rows.reduce((sum, { text }) => sum + text.length, 0);
}

/** Throws a 409 when this number of further characters would exceed the storage limit. */
export function requireStorage(db: Reader, characters: number): void {
  const used = totalCharacters(db.where(files, { owner: null }));
  const free = `${STORAGE_LIMIT - used} are free; files.emptyTrash makes room`;
  refuseUnless(
    used + characters <= STORAGE_LIMIT,
    409,
    `text: ${characters} characters do not fit, ${free}`,
  );
}

/** Replaces the file's text and keeps the old text as a version. Does nothing when the text stays the same. */
export function replaceText(db: Writer, row: StoredFile, text: string, now: string): StoredFile {
  const trimmed = trimText(text);
  if (trimmed === row.text) return row;
  if (row.owner === null) requireStorage(db, trimmed.length - row.text.length);
  const number = db.where(versions, { file: row.id }).length + 1;
  db.insert(versions, { file: row.id, number, text: row.text, at: row.at });
  return db.update(files, row.id, { text: trimmed, at: now });
}
