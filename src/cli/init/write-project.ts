/**
 * Writes a new project, or nothing: what stands in the way is found before the first file, and a failure half-way takes back
 * what was written.
 */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BowlineError, errorMessage } from "../../core/index.ts";

/** `folder` may exist and hold other files. Throws a `config` error where it cannot be used, `store` where writing fails. */
export function writeProject(folder: string, files: ReadonlyMap<string, string>): void {
  const missing = findMissingFolders(folder, [...files.keys()]);
  const ours: string[] = [];
  try {
    // One by one: where a folder cannot be made at all (/proc), the recursive form never ends.
    for (const path of missing) {
      mkdirSync(path);
      ours.push(path);
    }
    for (const [name, text] of files) {
      // "wx" refuses a file that has appeared since.
      writeFileSync(join(folder, name), text, { flag: "wx" });
      ours.push(join(folder, name));
    }
  } catch (cause) {
    for (const path of ours) rmSync(path, { recursive: true, force: true });
    const problem = `cannot write the project ${folder}: ${errorMessage(cause)}`;
    throw new BowlineError("store", problem, { cause });
  }
}

/** The folders that have to be made, outermost first. */
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
      `folder: ${nearest} is a file; expected a folder, or a name that is not taken`,
    );
  }
  const taken = names.filter((name) => existsSync(join(folder, name)));
  if (taken.length === 0) return missing;
  const them = taken.length === 1 ? "it" : "them";
  throw new BowlineError(
    "config",
    `folder: ${folder} has ${taken.join(", ")} already, and nothing is overwritten; name a new folder, or move ${them} away`,
  );
}
