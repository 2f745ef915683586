/**
 * Writes either all files of a new project or none. Obstacles are found before the first file is written. If writing
 * fails half-way, everything written so far is removed.
 */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BowlineError, errorMessage } from "../../core/index.ts";

/**
 * Writes `files` (text by name) into `folder`, which may exist and hold other files. Throws a `config` error when the
 * folder cannot be used, and a `store` error when writing fails.
 */
export function writeProject(folder: string, files: ReadonlyMap<string, string>): void {
  const missing = findMissingFolders(folder, [...files.keys()]);
  const written: string[] = [];
  try {
    // Folders are made one by one, because Node's recursive mkdir never returns where a folder cannot be made at all
    // (/proc).
    for (const path of missing) {
      mkdirSync(path);
      written.push(path);
    }
    for (const [name, text] of files) {
      // "wx" refuses to overwrite a file that has appeared since the check.
      writeFileSync(join(folder, name), text, { flag: "wx" });
      written.push(join(folder, name));
    }
  } catch (cause) {
    for (const path of written) rmSync(path, { recursive: true, force: true });
    const problem = `cannot write the project ${folder}: ${errorMessage(cause)}`;
    throw new BowlineError("store", problem, { cause });
  }
}

/** Returns the folders that have to be made, outermost first. Throws a `config` error when a file is in the way. */
function findMissingFolders(folder: string, names: readonly string[]): readonly string[] {
  const missing: string[] = [];
  let nearest = folder;
  while (!existsSync(nearest)) {
    missing.unshift(nearest);
    nearest = dirname(nearest);
  }
  if (!statSync(nearest).isDirectory()) {
    throw new BowlineError(
      "config",
      `folder: ${nearest} is a file; expected a folder, or a path where nothing exists yet`,
    );
  }
  const taken = names.filter((name) => existsSync(join(folder, name)));
  if (taken.length === 0) return missing;
  const them = taken.length === 1 ? "it" : "them";
  throw new BowlineError(
    "config",
    `folder: ${folder} already has ${taken.join(", ")}, and nothing is overwritten; name a new folder, or move ${them} away`,
  );
}
