/** `run.json` records the configuration and the world of a run. It is written once, when the run begins. */
import { join } from "node:path";
import { z } from "zod";
import { BowlineError, isPlainObject, readCheckedSource, readJson } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";
import type { Fitting } from "../fitting/fit-limits.ts";

/** The version of `run.json` and `policy.json` that this package writes. Files of other versions are rejected. */
export const RECORD_VERSION = 2;

/** The state of a run's world: its source files, dials and tasks. */
export interface WorldRecord {
  /**
   * The digests of source files, by path. There are none for a world of the package or a world object that was passed
   * to `train()`.
   */
  readonly modules: Readonly<Record<string, string>>;
  readonly dials: Dials;
  /** The version of the world; absent until the world is open, and for a world without one. */
  readonly version?: string;
  /** The digests of the tasks that the run draws, by split; absent until the world is open. */
  readonly tasks?: Readonly<Record<string, string>>;
}

/** The content of `run.json`. */
export interface RunRecord {
  readonly version: typeof RECORD_VERSION;
  readonly seed: number;
  /** The stored configuration; `parseConfig` checks it. */
  readonly config: unknown;
  /** Names of the parts that the caller passed to `train()`. */
  readonly given?: readonly string[];
  readonly world?: WorldRecord;
  /** What the limits in `config` were derived from; absent if the run imitates nothing. */
  readonly fitting?: Fitting;
  readonly versions: { readonly [name: string]: string };
}

const texts = z.record(z.string(), z.string());
const numberOrNull = z.number().nullable();
/** What a record of this version has at least. */
const STORED_RECORD = z.looseObject({
  seed: z.number(),
  config: z.looseObject({
    fitting: z.looseObject({ keep: z.array(z.string()).optional() }).optional(),
  }),
  given: z.array(z.string()).optional(),
  world: z
    .looseObject({
      modules: texts,
      dials: z.looseObject({}),
      version: z.string().optional(),
      tasks: texts.optional(),
    })
    .optional(),
  fitting: z
    .looseObject({
      measured: numberOrNull,
      fitsBefore: numberOrNull,
      fitsAfter: numberOrNull,
      values: z.array(z.looseObject({})),
    })
    .optional(),
  versions: texts,
});

/**
 * Reads `run.json`. Throws a `store` error if the file is missing or damaged, or if another version of the package wrote
 * it.
 */
export function readRunRecord(directory: string): RunRecord {
  const path = join(directory, "run.json");
  requireRecordVersion(readJson(path), path);
  return readCheckedSource(path, STORED_RECORD) as RunRecord;
}

/** Throws a `store` error when the record at `path` does not have this package's version, or has no configuration. */
export function requireRecordVersion(record: unknown, path: string): void {
  const version = isPlainObject(record) ? record["version"] : undefined;
  if (version === RECORD_VERSION) {
    if (isPlainObject((record as RunRecord).config)) return;
    throw new BowlineError("store", `${path} is damaged: it has no configuration (config)`);
  }
  throw new BowlineError(
    "store",
    `${path} has version ${JSON.stringify(version) ?? "none"}, but this bowline reads version ${RECORD_VERSION}: start the run again with this bowline`,
  );
}
