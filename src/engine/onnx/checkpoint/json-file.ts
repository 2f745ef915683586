/** JSON files of a checkpoint: what is wrong with one names its path. */
import { existsSync, readFileSync } from "node:fs";
import { BowlineError, errorMessage } from "../../../core/index.ts";

export function readJsonFile(path: string): unknown {
  if (!existsSync(path)) throw new BowlineError("checkpoint", `${path} is missing`);
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new BowlineError("checkpoint", `${path} is not JSON: ${errorMessage(cause)}`, { cause });
  }
}
