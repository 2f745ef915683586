/** Reads text files of a model folder. */
import { readFileSync } from "node:fs";
import { BowlineError, errorMessage } from "../../core/index.ts";

/** Returns the content of a text file. Throws a `checkpoint` error that names the file. */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new BowlineError("checkpoint", `cannot read ${path}: ${errorMessage(cause)}`, { cause });
  }
}
