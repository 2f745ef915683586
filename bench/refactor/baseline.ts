/** Compares hashes with those of a baseline file, for scripts that check that a change of structure changed nothing. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type Hashes = { readonly [name: string]: string };

const baselinePath = (file: string) => join(import.meta.dirname, file);

/** Returns the content of a baseline file, or the value `none` when the file does not exist. */
export function readBaseline<T>(file: string, none: T): T {
  return existsSync(baselinePath(file))
    ? (JSON.parse(readFileSync(baselinePath(file), "utf8")) as T)
    : none;
}

export function writeBaseline(file: string, content: object): void {
  writeFileSync(baselinePath(file), `${JSON.stringify(content, null, 1)}\n`);
}

/**
 * Compares the hashes whose names begin with `prefix`. Prints which of them differ and how many are equal, and sets
 * exit code 1 when one differs.
 */
export function compareHashes(before: Hashes, after: Hashes, prefix: string, what: string): void {
  const names = Object.keys({ ...before, ...after }).filter((name) => name.startsWith(prefix));
  const differ = names.filter((name) => before[name] !== after[name]);
  for (const name of differ)
    console.log(`${name}: ${before[name] ?? "none"} before, ${after[name] ?? "none"} now`);
  console.log(
    `${names.length - differ.length} of ${names.length} ${what} are equal before and after`,
  );
  if (differ.length > 0) process.exitCode = 1;
}
