/** Hashes beside those of a baseline file, for the scripts that prove that a change of structure changed nothing. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type Hashes = { readonly [name: string]: string };

const pathOf = (file: string) => join(import.meta.dirname, file);

/** What a baseline file holds; `none` where there is no file. */
export function readBaseline<T>(file: string, none: T): T {
  return existsSync(pathOf(file)) ? (JSON.parse(readFileSync(pathOf(file), "utf8")) as T) : none;
}

export function writeBaseline(file: string, content: object): void {
  writeFileSync(pathOf(file), `${JSON.stringify(content, null, 1)}\n`);
}

/** Prints the names that differ, of those that begin with `wanted`, and a count of `what`; exit code 1 where one does. */
export function compareHashes(before: Hashes, after: Hashes, wanted: string, what: string): void {
  const names = Object.keys({ ...before, ...after }).filter((name) => name.startsWith(wanted));
  const differ = names.filter((name) => before[name] !== after[name]);
  for (const name of differ)
    console.log(`${name}: ${before[name] ?? "none"} before, ${after[name] ?? "none"} now`);
  console.log(
    `${names.length - differ.length} of ${names.length} ${what} are equal before and after`,
  );
  if (differ.length > 0) process.exitCode = 1;
}
