/**
 * Files that are never torn: whole files appear by rename, JSON Lines are cut back to the last whole line on read.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { BowlineError, didYouMean, messageOf } from "./errors.ts";

/** Writes to a temporary sibling, flushes, renames. Throws a `store` error that names the path. */
export function writeFileAtomic(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.partial`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const fd = openSync(temporary, "w");
    try {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      for (let offset = 0; offset < bytes.length; ) {
        offset += writeSync(fd, bytes, offset, bytes.length - offset);
      }
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (cause) {
    removeQuietly(temporary);
    throw new BowlineError("store", `cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** Of what is left of a failure, which is the one to tell. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

/**
 * For a file that a person named, before the work that it is for: its folder must be there, because one that is misspelt
 * would be made silently. Throws a `config` error that names the folder and the nearest one.
 */
export function requireFolderOf(path: string): void {
  const isFolder = (name: string) => existsSync(name) && statSync(name).isDirectory();
  const folder = dirname(resolve(path));
  const refuse = (why: string) => {
    throw new BowlineError("config", `cannot write ${path}: ${why}`);
  };
  if (isFolder(path)) refuse("it is a folder; name a file in it");
  if (isFolder(folder)) return;
  if (existsSync(folder)) refuse(`${folder} is a file, not a folder`);
  const above = dirname(folder);
  const near = isFolder(above) ? didYouMean(basename(folder), readdirSync(above)) : "";
  refuse(`there is no folder ${folder}${near}; make it first, or name one that is there`);
}

export function writeJson(path: string, value: unknown): void {
  writeFileAtomic(path, jsonText(value));
}

/** As `writeJson` writes it. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Throws a `store` error when the file is missing or not JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new BowlineError("store", `cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}

export function writeJsonLines(path: string, rows: readonly unknown[]): void {
  writeFileAtomic(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

/** Parsed lines of a file that is to be appended to: an unfinished last line is cut off. An absent file has no lines. */
export function mendJsonLines(path: string): unknown[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  return readJsonLines(path);
}

/** Parsed lines; an unfinished last line (no newline) is left out. An absent file has no lines. */
export function readJsonLines(path: string): unknown[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return whole
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
