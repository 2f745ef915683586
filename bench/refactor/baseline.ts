/** Compares hashes with those of a baseline file, for scripts that check that a change of structure changed nothing. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type Hashes = { readonly [name: string]: string };

const baselinePath = (file: string) => join(import.meta.dirname, file);

/** Returns the content of a baseline file, or `none` when there is no file. */
export function readBaseline<T>(file: string, none: T): T {
  return existsSync(baselinePath(file))
    ? (JSON.parse(readFileSync(baselinePath(file), "utf8")) as T)
    : none;
}

export function writeBaseline(file: string, content: object): void {
  writeFileSync(baselinePath(file), `${JSON.stringify(content, null, 1)}\n`);
}

/** Prints which hashes differ, of names that begin with `prefix`, and how many are equal. Sets exit code 1 on a difference. */
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
