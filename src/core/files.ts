/**
 * Files that are never torn: whole files appear by rename, JSON Lines are cut back to the last whole line on read.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { BowlineError, messageOf } from "./errors.ts";

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
    throw new BowlineError("store", `cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}

export function writeJson(path: string, value: unknown): void {
  writeFileAtomic(path, `${JSON.stringify(value, null, 2)}\n`);
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
