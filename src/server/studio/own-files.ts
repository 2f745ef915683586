/**
 * The studio's own files about a run: notes, tags and forks. They lie beside the run, in `.bowline/RUN`, so that the
 * run's own folder stays as the trainer wrote it.
 *
 * A folder of runs may come from anywhere. So no link is followed: every folder on the way and every file must be a
 * plain one. A file appears by renaming, and the last writer wins.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { z } from "zod";
import { errorMessage, writeFileAtomic } from "../../core/index.ts";
import { StudioError } from "./studio-error.ts";

/** The folder beside a run, in the run's parent folder, that holds the studio's own files. */
const OWN_FOLDER = ".bowline";
/** A set of 32 continuations of 40 turns has about three million bytes, and a fork has at most 50 of them. */
const MAX_FILE_BYTES = 256 << 20;

/** A file's content, or why it cannot be read. The value is undefined if the file does not exist. */
export type OwnFile<T> = { readonly value: T | undefined } | { readonly problem: string };

/** Reads a file such as `["notes.json"]`. A file that does not fit the schema is a problem, and is kept. */
export function readOwnFile<S extends z.ZodType>(
  run: string,
  names: readonly string[],
  schema: S,
): OwnFile<z.output<S>> {
  const path = join(ownFolder(run), ...names);
  try {
    const kind = inspectSteps(run, names);
    if (kind === "missing") return { value: undefined };
    if (kind !== "file") return { problem: `${path} is not a plain file` };
    if (lstatSync(path).size > MAX_FILE_BYTES) return { problem: `${path} is too large` };
    const parsed = schema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    if (parsed.success) return { value: parsed.data };
    return { problem: `${path} is not a file that this studio wrote` };
  } catch (error) {
    return { problem: `${path} cannot be read: ${errorMessage(error)}` };
  }
}

/** Lists the names of the files in a folder; empty if it does not exist. */
export function listOwnFiles(run: string, names: readonly string[]): string[] {
  try {
    if (inspectSteps(run, names) !== "folder") return [];
    return readdirSync(join(ownFolder(run), ...names)).sort();
  } catch {
    return [];
  }
}

/** Writes a file as JSON. Throws 409 if it cannot be written, or if a link stands in the way. */
export function writeOwnFile(run: string, names: readonly string[], value: unknown): void {
  const path = join(ownFolder(run), ...names);
  try {
    makePlainFolders(run, names.slice(0, -1));
    writeFileAtomic(path, `${JSON.stringify(value)}\n`);
  } catch (error) {
    throw new StudioError(
      409,
      `${path} cannot be written: ${errorMessage(error)}. The studio keeps notes and forks there, beside the run`,
    );
  }
}

/** Removes a file. Does nothing if it does not exist. */
export function removeOwnFile(run: string, names: readonly string[]): void {
  if (inspectSteps(run, names) === "file") rmSync(join(ownFolder(run), ...names));
}

function ownFolder(run: string): string {
  return join(dirname(run), OWN_FOLDER, basename(run));
}

type PathKind = "missing" | "file" | "folder" | "other";

/** Returns what the names lead to, if every folder on the way is a plain folder. */
function inspectSteps(run: string, names: readonly string[]): PathKind {
  let path = dirname(run);
  let kind: PathKind = "folder";
  for (const name of [OWN_FOLDER, basename(run), ...names]) {
    if (kind !== "folder") return kind === "missing" ? kind : "other";
    path = join(path, name);
    kind = inspectPath(path);
  }
  return kind;
}

function inspectPath(path: string): PathKind {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "missing";
  if (stats.isDirectory()) return "folder";
  return stats.isFile() ? "file" : "other";
}

function makePlainFolders(run: string, names: readonly string[]): void {
  let path = dirname(run);
  for (const name of [OWN_FOLDER, basename(run), ...names]) {
    path = join(path, name);
    const kind = inspectPath(path);
    if (kind === "missing") mkdirSync(path);
    else if (kind !== "folder") throw new Error(`${path} is not a plain folder`);
  }
}
