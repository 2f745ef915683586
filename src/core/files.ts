/**
 * Reads and writes files so that an interrupted program leaves no half-written file. A complete file gets its name by
 * renaming, and when JSON Lines are read, an incomplete last line is cut off.
 */
import {
  closeSync,
  constants,
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
import type { z } from "zod";
import { BowlineError, didYouMean, errorMessage } from "./errors.ts";

/**
 * The flags that open a temporary file. If somebody put a link there, opening it fails, because the link could lead to
 * any file. Windows has no such flag.
 */
const WRITE_NEW_CONTENT =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

/**
 * Writes a temporary file next to `path`, flushes it and renames it to `path`. Without `flush`, which takes
 * milliseconds, a power failure may lose the file. Parts of the content are written one after the other, so a generator
 * can write more than fits into memory. Throws a `store` error that names the path.
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array | Iterable<Uint8Array>,
  { flush = true }: { readonly flush?: boolean } = {},
): void {
  const temporary = `${path}.partial`;
  try {
    createFolder(dirname(path));
    const fd = openSync(temporary, WRITE_NEW_CONTENT);
    try {
      for (const bytes of contentParts(content)) {
        for (let offset = 0; offset < bytes.length; ) {
          offset += writeSync(fd, bytes, offset, bytes.length - offset);
        }
      }
      if (flush) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (cause) {
    removeIgnoringErrors(temporary);
    throw new BowlineError("store", `cannot write ${path}: ${errorMessage(cause)}`, { cause });
  }
}

function contentParts(content: string | Uint8Array | Iterable<Uint8Array>): Iterable<Uint8Array> {
  if (typeof content === "string") return [Buffer.from(content)];
  return content instanceof Uint8Array ? [content] : content;
}

/**
 * Creates a folder and the folders above it that are missing. Does nothing when it exists. Throws Node's error when a
 * folder cannot be made.
 *
 * Folders are made one by one, because Node's recursive mkdir never returns where no folder can be made (/proc).
 */
export function createFolder(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    try {
      mkdirSync(folder);
    } catch (error) {
      // Another process may have made it in the meantime.
      if (!isFolder(folder)) throw error;
    }
  }
  if (missing.length === 0 && !isFolder(path)) mkdirSync(path);
}

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

/** Waits until the content of a file is on the disk. Does nothing when there is no such file. */
export function flushFile(path: string): void {
  if (!existsSync(path)) return;
  const fd = openSync(path, "r+");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Waits until the names in a folder are on the disk, where the file system can do that. */
export function flushFolder(folder: string): void {
  try {
    const fd = openSync(folder, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    // Windows and some network file systems do not flush folders. A failing disk is another matter.
    if (["EIO", "ENOSPC"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Removes a file if it exists. Errors are ignored, because the caller reports an earlier error. */
function removeIgnoringErrors(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

/**
 * Requires that the folder of an output file exists. It is called before the work for that file starts, because writing
 * would silently create a folder whose name was misspelt. Throws a `config` error that names the folder and the nearest
 * existing one.
 */
export function requireParentFolder(path: string): void {
  const folder = dirname(resolve(path));
  const refuse = (reason: string) => {
    throw new BowlineError("config", `cannot write ${path}: ${reason}`);
  };
  if (isFolder(path)) refuse("it is a folder; name a file in it");
  if (isFolder(folder)) return;
  if (existsSync(folder)) refuse(`${folder} is a file, not a folder`);
  const parent = dirname(folder);
  const near = isFolder(parent) ? didYouMean(basename(folder), readdirSync(parent)) : "";
  refuse(`there is no folder ${folder}${near}; create it first, or name an existing one`);
}

export function writeJson(path: string, value: unknown): void {
  writeFileAtomic(path, formatJson(value));
}

/** Returns a value as indented JSON that ends with a newline, as `writeJson` writes it. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Returns true if a path is a file. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Reads a text file. Throws a `store` error that names the file. */
export function readText(path: string): string {
  return withReadErrors(path, () => readFileSync(path, "utf8"));
}

/** Reads the bytes of a file. Throws a `store` error that names the file. */
export function readBytes(path: string): Buffer {
  return withReadErrors(path, () => readFileSync(path));
}

/** Lists the names in a folder in alphabetical order. Throws a `store` error that names the folder. */
export function listNames(folder: string): string[] {
  return withReadErrors(folder, () => readdirSync(folder).sort());
}

function withReadErrors<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new BowlineError("store", `cannot read ${path}: ${errorMessage(cause)}`, { cause });
  }
}

/** Parses a JSON file. Throws a `store` error when the file is missing or is not JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new BowlineError("store", `cannot read ${path}: ${errorMessage(cause)}`, { cause });
  }
}

/**
 * Parses a JSON file and checks it with a schema. Throws a `store` error that names the file and the first wrong field.
 */
export function readCheckedJson<S extends z.ZodType>(path: string, schema: S): z.output<S> {
  return checkStoredValue(readJson(path), schema, path);
}

/**
 * Checks a JSON file like `readCheckedJson`, but returns the value as the file holds it, with its fields in their order.
 */
export function readCheckedSource(path: string, schema: z.ZodType): unknown {
  const value = readJson(path);
  checkStoredValue(value, schema, path);
  return value;
}

/** Checks each line of a file of JSON lines with a schema, like `readCheckedJson`. An incomplete last line is left out. */
export function readCheckedLines<S extends z.ZodType>(path: string, schema: S): z.output<S>[] {
  return readNumberedLines(path).map(({ value, place }) => checkStoredValue(value, schema, place));
}

/** Checks each line like `readCheckedLines`, but returns the values as the file holds them. */
export function readCheckedSourceLines(path: string, schema: z.ZodType): unknown[] {
  return readNumberedLines(path).map(({ value, place }) => {
    checkStoredValue(value, schema, place);
    return value;
  });
}

/**
 * Returns the lines of a file that fit a schema, and skips others, also those that are not JSON. It is for a file to
 * which another process may be writing, or was writing when it was killed.
 */
export function readFittingLines<S extends z.ZodType>(path: string, schema: S): z.output<S>[] {
  if (!existsSync(path)) return [];
  return readText(path)
    .split("\n")
    .flatMap((line) => {
      try {
        const parsed = schema.safeParse(JSON.parse(line));
        return parsed.success ? [parsed.data] : [];
      } catch {
        return [];
      }
    });
}

/** Checks a value that a file holds. `place` names the file, and the line if there are several. */
function checkStoredValue<S extends z.ZodType>(
  value: unknown,
  schema: S,
  place: string,
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join(".") ?? "";
  throw new BowlineError(
    "store",
    `${place} is damaged: ${field === "" ? "" : `${field}: `}${issue?.message ?? "invalid"}`,
    { cause: result.error },
  );
}

export function writeJsonLines(path: string, rows: readonly unknown[]): void {
  writeFileAtomic(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

/** Cuts an incomplete last line off a file and returns the parsed lines; [] when there is no such file. */
export function repairJsonLines(path: string): unknown[] {
  if (!existsSync(path)) return [];
  const text = readText(path);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  return readJsonLines(path);
}

/**
 * Returns the parsed lines of a file, without an incomplete last line (one without a newline); [] when there is no such
 * file.
 */
export function readJsonLines(path: string): unknown[] {
  return readNumberedLines(path).map(({ value }) => value);
}

/** Returns the parsed lines of a file with their places, such as `metrics.jsonl:3`, for messages. */
function readNumberedLines(path: string): { readonly value: unknown; readonly place: string }[] {
  if (!existsSync(path)) return [];
  const text = readText(path);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return whole.split("\n").flatMap((line, i) => {
    const place = `${path}:${i + 1}`;
    return line === "" ? [] : [{ value: parseLine(line, place), place }];
  });
}

function parseLine(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    const problem = `${place} is damaged: ${errorMessage(cause)}`;
    throw new BowlineError("store", problem, { cause });
  }
}
