/** `run.json`: what a run was asked for, and in which world it is made. It is written once, when the run begins. */
import { join } from "node:path";
import { BowlineError, isPlainObject, readJson } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";

/** The version of `run.json` and `policy.json` that this package writes. It reads no other. */
export const RECORD_VERSION = 2;

export interface WorldRecord {
  /** Digests of source files, by path from the world's module. Empty: a world of the package, or one handed over. */
  readonly modules: Readonly<Record<string, string>>;
  readonly dials: Dials;
  /** By split; absent until the world is open. */
  readonly tasks?: Readonly<Record<string, string>>;
}

export interface RunRecord {
  readonly version: typeof RECORD_VERSION;
  readonly seed: number;
  /** As it was stored; `parseConfig` checks it. */
  readonly config: unknown;
  /** Names of the parts that `train()` was handed: `partsGiven`. */
  readonly given?: readonly string[];
  readonly world?: WorldRecord;
  readonly versions: { readonly [name: string]: string };
}

/** Throws a `store` error when there is no `run.json`, or when another version of the package wrote it. */
export function readRunRecord(directory: string): RunRecord {
  const path = join(directory, "run.json");
  const record = readJson(path);
  requireRecordVersion(record, path);
  return record as RunRecord;
}

/** Throws a `store` error when the record at `path` is not of this package's version. */
export function requireRecordVersion(record: unknown, path: string): void {
  const version = isPlainObject(record) ? record["version"] : undefined;
  if (version === RECORD_VERSION) return;
  throw new BowlineError(
    "store",
    `${path} has version ${JSON.stringify(version) ?? "none"}, and this version of bowline reads version ${RECORD_VERSION}: begin the run again with this bowline`,
  );
}
