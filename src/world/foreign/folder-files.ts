/** The files in the folder of a connection. */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { BowlineError } from "../../core/index.ts";

/** Empties a folder and writes files into it. Throws a `world` error for a path that leads out of it. */
export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  emptyFolder(directory);
  for (const [name, content] of Object.entries(files)) {
    const path = resolve(directory, name);
    const within = relative(directory, path);
    if (within === "" || within === ".." || within.startsWith(`..${sep}`)) {
      throw new BowlineError(
        "world",
        `files: expected a path inside the folder, got ${JSON.stringify(name)}`,
      );
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** Removes what is in a folder and keeps the folder, in which a server may have been started. */
function emptyFolder(directory: string): void {
  for (const name of readdirSync(directory)) {
    rmSync(join(directory, name), { recursive: true, force: true });
  }
}

/** Makes a folder hold copies of the files of another one. */
export function replaceFolder(from: string, to: string): void {
  emptyFolder(to);
  cpSync(from, to, { recursive: true });
}
