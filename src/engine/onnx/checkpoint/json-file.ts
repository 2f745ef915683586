/** Reads JSON files of a checkpoint. Error messages name the path. */
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
