/**
 * The record of a run's environment: `environment.json` in the run directory names the file of the environment. What
 * stands there is data, so it is only used if this user trusts the file that it names, at that path: a copy of the file
 * elsewhere starts what lies beside the copy.
 */
import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { readCheckedJson, trustModule, writeJson } from "../../core/index.ts";

const NAME = "environment.json";
const recordSchema = z.strictObject({ version: z.literal(1), file: z.string().min(1) });

/** Returns the path of the environment that a run was trained in, and of the record that says so; undefined if none. */
export function readEnvironmentRecord(
  run: string,
): { readonly record: string; readonly file: string } | undefined {
  const record = join(run, NAME);
  if (!existsSync(record)) return undefined;
  return { record, file: resolve(readCheckedJson(record, recordSchema).file) };
}

/**
 * Records the environment of a run, once the run has begun, and trusts it. Returns true when that is done, and otherwise
 * false, so that it is called again.
 */
export function recordEnvironment(run: string, file: string): boolean {
  if (!existsSync(join(run, "run.json"))) return false;
  const real = realpathSync.native(resolve(file));
  if (readEnvironmentRecord(run)?.file !== real) {
    writeJson(join(run, NAME), { version: 1, file: real });
  }
  trustModule(real);
  return true;
}
