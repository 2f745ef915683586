/**
 * The run directory: the interface between the trainer, the command line and the report (layout: spec/run.ts).
 *
 * The one idea: a checkpoint says how many bytes of the append-only files and which rollout files belong to it.
 * Opening a run cuts everything back to its newest checkpoint, so a run that was killed anywhere and continued leaves
 * exactly the files of an uninterrupted one. Whole files appear by rename; a torn one is never seen.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
  BowlineError,
  errorMessage,
  isPlainObject,
  readJson,
  readJsonLines,
  writeJson,
  writeJsonLines,
} from "../../core/index.ts";
import { openJournals, type RolloutJournal } from "../../methods/index.ts";
import {
  type MetricLine,
  type Rollout,
  type Summary,
  summarySchema,
  type UsageSummary,
} from "../../spec/index.ts";
import { type Config, configLeaves } from "../config/config.ts";
import type { NamedMethod } from "../config/named-method.ts";
import { parseConfig } from "../config/parse-config.ts";
import { RECORD_VERSION, type RunRecord, readRunRecord, type WorldRecord } from "./run-record.ts";
import { versions } from "./versions.ts";
import { refuseOtherWorld } from "./world-record.ts";

/** How much of the directory belongs to a checkpoint. */
export interface StoreMark {
  readonly metricsBytes: number;
  readonly timingsBytes: number;
  /** Names of files under `rollouts/`, sorted. */
  readonly rolloutFiles: readonly string[];
}

const EMPTY: StoreMark = { metricsBytes: 0, timingsBytes: 0, rolloutFiles: [] };

export interface RunStore {
  readonly directory: string;
  path(...parts: string[]): string;
  appendMetrics(line: MetricLine): void;
  appendTiming(line: MetricLine): void;
  /** Writes `rollouts/<name>.jsonl` whole. */
  writeRollouts(name: string, rows: readonly unknown[]): void;
  /** The finished part of a `rollouts/<name>.jsonl` that is not yet whole. */
  journal(name: string): RolloutJournal;
  /** Removes the journals of what is whole and belongs to the newest checkpoint. */
  settleJournals(): void;
  /** What belongs to a checkpoint that is taken now. */
  mark(): StoreMark;
  /** Cuts the directory back to `mark`; undefined: to an empty run. */
  rewind(mark: StoreMark | undefined): void;
  readSummary(): Summary | undefined;
  writeSummary(summary: Summary): void;
  /** Tokens of every training task. */
  writeUsage(tasks: UsageSummary["tasks"]): void;
}

/** What a run is of, beside its configuration. */
export interface RunParts {
  /** Parts that `train()` was handed: `partsGiven`. */
  readonly given?: readonly string[];
  readonly world?: WorldRecord;
}

/**
 * Opens `directory` for a run of `config`, creating it when absent. Throws a `config` error when it holds a run of
 * another configuration (naming the fields), of other `given` parts or in another state of its world, and a `store`
 * error when it cannot be written or holds something else.
 */
export function openRun(directory: string, config: Config, parts: RunParts = {}): RunStore {
  const path = (...names: string[]) => join(directory, ...names);
  refuseStrangers(directory);
  makeRunFolders(directory);
  if (existsSync(path("run.json"))) refuseOtherRun(directory, config, parts);
  else create(directory, config, parts);
  return {
    directory,
    path,
    appendMetrics: (line) => append(path("metrics.jsonl"), line),
    appendTiming: (line) => append(path("timings.jsonl"), line),
    writeRollouts: (name, rows) => writeJsonLines(path("rollouts", `${name}.jsonl`), rows),
    journal: openJournals(path("journal")),
    settleJournals: () => storing(directory, () => settle(path, listFiles(path("rollouts")))),
    mark: () => ({
      metricsBytes: sizeOf(path("metrics.jsonl")),
      timingsBytes: sizeOf(path("timings.jsonl")),
      rolloutFiles: listFiles(path("rollouts")),
    }),
    rewind: (mark = EMPTY) => storing(directory, () => rewind(path, mark)),
    readSummary: () => readSummary(directory),
    writeUsage: (tasks) => writeJson(path("usage.json"), { version: 1, tasks }),
    writeSummary: (summary) => writeJson(path("summary.json"), summary),
  };
}

/**
 * Returns the resolved configuration of the run in `directory`. `own` is its method, where it may be one of the user's.
 * Throws a `store` error when there is no run, or when its configuration cannot be read.
 */
export function readRunConfig(directory: string, own?: NamedMethod): Config {
  const { config } = readRunRecord(directory);
  try {
    return parseConfig(config, own);
  } catch (cause) {
    const path = join(directory, "run.json");
    throw new BowlineError("store", `${path} cannot be read: ${errorMessage(cause)}`, { cause });
  }
}

/** Returns the summary of a finished run; undefined when there is none. */
export function readSummary(directory: string): Summary | undefined {
  const path = join(directory, "summary.json");
  return existsSync(path) ? summarySchema.parse(readJson(path)) : undefined;
}

/** Rollouts of one file of the directory, such as `train-0003`. */
export function readRollouts(directory: string, name: string): Rollout[] {
  return readJsonLines(join(directory, "rollouts", `${name}.jsonl`)) as Rollout[];
}

/** Makes the folders of a run, where they are missing. Throws a `store` error when they cannot be made. */
export function makeRunFolders(directory: string): void {
  storing(directory, () => {
    makeFolder(join(directory, "rollouts"));
    makeFolder(join(directory, "checkpoints"));
  });
}

/** Node's own recursive mkdir never returns where a folder can be seen but none can be made (such as `/proc`). */
function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path);
}

/** Throws a `store` error when `directory` holds what is of no run. */
export function refuseStrangers(directory: string): void {
  if (!existsSync(directory) || existsSync(join(directory, "run.json"))) return;
  const names = storing(directory, () => readdirSync(directory));
  const stranger = names.find((name) => !OWN_FILES.has(name) && !name.startsWith("run.lock"));
  if (stranger === undefined) return;
  throw new BowlineError(
    "store",
    `${directory} is not a run and not empty (it holds ${stranger}): choose another folder (--out DIR)`,
  );
}

function create(directory: string, config: Config, { given = [], world }: RunParts): void {
  writeJson(join(directory, "run.json"), {
    version: RECORD_VERSION,
    seed: config.run.seed,
    config,
    ...(given.length > 0 && { given }),
    ...(world && { world }),
    versions: versions(),
  } satisfies RunRecord);
}

/** What an interrupted creation may leave behind. */
const OWN_FILES = new Set(["rollouts", "checkpoints", "run.json.partial"]);

/** Throws a `config` error that names what differs, where the run in `directory` is another one. */
export function refuseOtherRun(
  directory: string,
  config: Config,
  { given = [], world }: RunParts,
): void {
  refuseOtherConfig(directory, config);
  refuseOtherParts(directory, given);
  if (world) refuseOtherWorld(directory, world, versions()["bowline"]!);
}

/** Ceilings and prices may differ: they change no number that is learned. */
function refuseOtherConfig(directory: string, config: Config): void {
  const before = configLeaves(readStoredConfig(directory));
  const now = configLeaves(config);
  const paths = new Set([...before.keys(), ...now.keys()]);
  const differing = [...paths].filter(
    (path) => !isFree(path) && before.get(path) !== now.get(path),
  );
  if (differing.length === 0) return;
  const shown = (value: unknown) => JSON.stringify(value) ?? "absent";
  // Where these differ, most other fields follow.
  const names = differing.filter((path) => path === "setting" || path === "method");
  const listed = (names.length > 0 ? names : differing).map(
    (path) => `${path} (there ${shown(before.get(path))}, now ${shown(now.get(path))})`,
  );
  const more = listed.length > MOST_LISTED ? ` and ${listed.length - MOST_LISTED} more` : "";
  throw new BowlineError(
    "config",
    `${directory} holds a run of another configuration: ${listed.slice(0, MOST_LISTED).join(", ")}${more}; choose another folder (--out DIR), or give the same values to go on with that run`,
  );
}

const MOST_LISTED = 6;

/** What `train()` was handed cannot be compared, but that it was. */
function refuseOtherParts(directory: string, given: readonly string[]): void {
  const { given: before = [] } = readRunRecord(directory);
  if (before.join() === given.join()) return;
  const shown = (names: readonly string[]) => (names.length === 0 ? "none" : names.join(", "));
  throw new BowlineError(
    "config",
    `${directory} holds a run that train() was handed other parts for: there ${shown(before)}, now ${shown(given)}; hand over the same, or choose another folder (--out DIR)`,
  );
}

/**
 * Returns the configuration as it is written, which is enough to tell a difference: its method need not be known here.
 */
function readStoredConfig(directory: string): object {
  const { config } = readRunRecord(directory);
  if (isPlainObject(config)) return config;
  throw new BowlineError("store", `${join(directory, "run.json")} holds no configuration`);
}

const isFree = (path: string) => ["run.minutes", "recipe"].includes(path) || /^budget\b/.test(path);

function rewind(path: (...parts: string[]) => string, mark: StoreMark): void {
  cut(path("metrics.jsonl"), mark.metricsBytes);
  cut(path("timings.jsonl"), mark.timingsBytes);
  const keep = new Set(mark.rolloutFiles);
  for (const name of readdirSync(path("rollouts"))) {
    if (!keep.has(name)) rmSync(path("rollouts", name), { force: true });
  }
  for (const name of ["summary.json", "usage.json"]) rmSync(path(name), { force: true });
  // Without a checkpoint there are no weights that a journal could be of.
  if (mark === EMPTY) rmSync(path("journal"), { recursive: true, force: true });
  else settle(path, mark.rolloutFiles);
}

function settle(path: (...parts: string[]) => string, whole: readonly string[]): void {
  if (!existsSync(path("journal"))) return;
  for (const name of whole) rmSync(path("journal", name), { force: true });
  if (readdirSync(path("journal")).length === 0) rmdirSync(path("journal"));
}

function cut(path: string, bytes: number): void {
  const size = sizeOf(path);
  if (size < bytes) {
    throw new BowlineError(
      "store",
      `${path} has ${size} bytes, but its checkpoint was taken at ${bytes}: the run directory was changed from outside`,
    );
  }
  if (size > bytes) truncateSync(path, bytes);
}

function append(path: string, line: unknown): void {
  storing(path, () => appendFileSync(path, `${JSON.stringify(line)}\n`));
}

/** Foreign failures (read-only, full disk, a file in the way) become one clear error. */
function storing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (BowlineError.is(cause)) throw cause;
    throw new BowlineError("store", `cannot write ${path}: ${errorMessage(cause)}`, { cause });
  }
}

const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0);
const listFiles = (path: string) =>
  readdirSync(path)
    .filter((name) => name.endsWith(".jsonl"))
    .sort();
