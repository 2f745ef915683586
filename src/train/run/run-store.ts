/**
 * The run directory is the interface between the trainer, the command line and the report (layout: spec/run.ts).
 *
 * A checkpoint records how many bytes of the append-only files and which rollout files belong to it. Opening a run cuts
 * everything back to its newest checkpoint, so a run that was killed at any point and then continued leaves exactly the
 * files of an uninterrupted run. Other files are written under a temporary name and then renamed, so no reader ever
 * sees an incomplete file.
 */
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join, resolve, sep } from "node:path";
import {
  BowlineError,
  createFolder,
  errorMessage,
  flushFile,
  flushFolder,
  isPlainObject,
  readCheckedJson,
  readCheckedSourceLines,
  writeJson,
} from "../../core/index.ts";
import type { RolloutJournal } from "../../methods/index.ts";
import {
  type MetricLine,
  type Rollout,
  rolloutSchema,
  type Summary,
  summarySchema,
  type UsageSummary,
} from "../../spec/index.ts";
import { namesHosts } from "../../world/index.ts";
import { type Config, configLeaves } from "../config/config.ts";
import type { NamedMethod } from "../config/named-method.ts";
import { parseConfig } from "../config/parse-config.ts";
import { isLimitOfRun } from "../fitting/apply-fitting.ts";
import type { Fitting } from "../fitting/fit-limits.ts";
import { writeRolloutFile } from "./facts-file.ts";
import { openJournals } from "./journal.ts";
import { PROGRESS_FILES } from "./progress-file.ts";
import { RECORD_VERSION, type RunRecord, readRunRecord, type WorldRecord } from "./run-record.ts";
import { readVersions } from "./versions.ts";
import { requireSameWorld } from "./world-record.ts";

/** Says which part of the run directory belongs to a checkpoint. */
export interface StoreMark {
  readonly metricsBytes: number;
  readonly timingsBytes: number;
  /** The sorted names of the files in the folder `rollouts`. */
  readonly rolloutFiles: readonly string[];
}

const EMPTY_MARK: StoreMark = { metricsBytes: 0, timingsBytes: 0, rolloutFiles: [] };

/** Writes and reads the files of a run directory. */
export interface RunStore {
  readonly directory: string;
  path(...parts: string[]): string;
  appendMetrics(line: MetricLine): void;
  appendTiming(line: MetricLine): void;
  /** Writes the whole file `rollouts/<name>.jsonl`, and `rollouts/facts-<name>.jsonl` for a file of rollouts. */
  writeRollouts(name: string, rows: readonly unknown[]): void;
  /** Returns the journal that keeps the finished rollouts of `rollouts/<name>.jsonl` until that file is written. */
  journal(name: string): RolloutJournal;
  /**
   * Removes the journals whose rollouts are in rollout files. It is called after the checkpoint to which these files
   * belong.
   */
  removeFinishedJournals(): void;
  /** Returns the mark for a checkpoint that is taken now: what belongs to it. */
  mark(): StoreMark;
  /** Cuts the directory back to `mark`, or to an empty run if `mark` is undefined. */
  rewind(mark: StoreMark | undefined): void;
  readSummary(): Summary | undefined;
  writeSummary(summary: Summary): void;
  /** Writes `usage.json`, the token counts of every training task. */
  writeUsage(tasks: UsageSummary["tasks"]): void;
}

/** What identifies a run besides its configuration. */
export interface RunParts {
  /** Names of the parts that the caller passed to `train()`; `listOwnParts` returns them. */
  readonly given?: readonly string[];
  readonly world?: WorldRecord;
  /** What the run's limits were derived from. It is recorded, and not compared. */
  readonly fitting?: Fitting | undefined;
}

/**
 * Opens `directory` for a run with this configuration, and creates it if necessary. Throws a `config` error when it
 * holds a run with another configuration, with other `given` parts or with a changed world; the error names what
 * differs. Throws a `store` error when the directory cannot be written or holds something else.
 */
export function openRun(directory: string, config: Config, parts: RunParts = {}): RunStore {
  const store = openRunStore(directory, config, parts);
  if (!hasRunRecord(directory)) writeRunRecord(directory, config, parts);
  return store;
}

/** Works like `openRun`, but does not write `run.json` of a new run, whose limits may still change. */
export function openRunStore(directory: string, config: Config, parts: RunParts = {}): RunStore {
  const runPath = (...names: string[]) => join(directory, ...names);
  requireNoForeignFiles(directory);
  makeRunFolders(directory);
  if (hasRunRecord(directory)) requireSameRun(directory, config, parts);
  return {
    directory,
    path: runPath,
    appendMetrics: (line) => appendLine(runPath("metrics.jsonl"), line),
    appendTiming: (line) => appendLine(runPath("timings.jsonl"), line),
    writeRollouts: (name, rows) =>
      writeRolloutFile(runPath("rollouts"), requirePlainName(name), rows, config.algo),
    journal: openJournals(runPath("journal")),
    removeFinishedJournals: () =>
      withStoreErrors(directory, () =>
        removeJournals(runPath, listJsonLinesFiles(runPath("rollouts"))),
      ),
    mark: () => withStoreErrors(directory, () => createMark(runPath)),
    rewind: (mark = EMPTY_MARK) => withStoreErrors(directory, () => cutBackTo(runPath, mark)),
    readSummary: () => readSummary(directory),
    writeUsage: (tasks) => writeJson(runPath("usage.json"), { version: 1, tasks }),
    writeSummary(summary) {
      // With the summary the run is finished, so nothing of it may be lost after that.
      withStoreErrors(directory, () => flushRun(runPath));
      writeJson(runPath("summary.json"), summary);
    },
  };
}

/**
 * Returns the resolved configuration of the run in `directory`. `ownMethod` must be given if the run may have a user's
 * own method. Throws a `store` error when there is no run, or when its configuration cannot be read.
 */
export function readRunConfig(directory: string, ownMethod?: NamedMethod): Config {
  const { config } = readRunRecord(directory);
  try {
    return parseConfig(config, ownMethod);
  } catch (cause) {
    const path = join(directory, "run.json");
    throw new BowlineError("store", `${path} cannot be read: ${errorMessage(cause)}`, { cause });
  }
}

/** Returns the summary of a finished run; undefined when there is none. */
export function readSummary(directory: string): Summary | undefined {
  const path = join(directory, "summary.json");
  return existsSync(path) ? readCheckedJson(path, summarySchema) : undefined;
}

/**
 * Returns the rollouts of one file of a run, such as `train-0003`, as the file holds them. Throws a `store` error that
 * names the line which is no rollout.
 */
export function readRollouts(directory: string, name: string): Rollout[] {
  const path = join(directory, "rollouts", `${name}.jsonl`);
  return readCheckedSourceLines(path, rolloutSchema) as Rollout[];
}

/** Creates the missing folders of a run. Throws a `store` error when they cannot be created. */
export function makeRunFolders(directory: string): void {
  withStoreErrors(directory, () => {
    createFolder(join(directory, "rollouts"));
    createFolder(join(directory, "checkpoints"));
  });
}

/** Returns the name. Throws a `store` error if it leads to another folder, as a name from a foreign run may. */
function requirePlainName(name: string): string {
  if (!/[\\/]/.test(name)) return name;
  throw new BowlineError("store", `expected the name of a file, got ${JSON.stringify(name)}`);
}

/**
 * Throws a `store` error when a file or folder of the run is a link that leads out of its directory. A run from
 * elsewhere could have files of this user overwritten.
 */
function requireNoLinksOutside(directory: string): void {
  const root = realpathSync(directory) + sep;
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries.filter((entry) => entry.isSymbolicLink())) {
    const path = join(parentPath, name);
    const target = existsSync(path) ? realpathSync(path) : resolve(path, "..", readlinkSync(path));
    if (target.startsWith(root)) continue;
    throw new BowlineError(
      "store",
      `${path} is a link to ${target}, outside of the run, whose files would be changed: move the file into the run, or make the whole run directory a link`,
    );
  }
}

/** Throws a `store` error when `directory` holds files but no run, or a run with links to files outside of it. */
export function requireNoForeignFiles(directory: string): void {
  if (!existsSync(directory)) return;
  if (existsSync(join(directory, "run.json"))) {
    withStoreErrors(directory, () => requireNoLinksOutside(directory));
    return;
  }
  if (!statSync(directory).isDirectory()) {
    throw new BowlineError(
      "store",
      `${directory} is a file; expected a run directory: choose another name (--out DIR)`,
    );
  }
  const names = withStoreErrors(directory, () => readdirSync(directory));
  const stranger = names.find((name) => !RUN_FILES.has(name) && !name.startsWith("run.lock"));
  if (stranger === undefined) return;
  throw new BowlineError(
    "store",
    `${directory} is neither a run nor empty (it holds ${stranger}): choose another folder (--out DIR)`,
  );
}

export const hasRunRecord = (directory: string) => existsSync(join(directory, "run.json"));

/** Removes the folders of a run that failed before it began, so that nothing is left of it. */
export function removeUnbegunRun(directory: string, isOwn: boolean): void {
  if (hasRunRecord(directory)) return;
  const paths = [
    join(directory, "rollouts"),
    join(directory, "checkpoints"),
    ...(isOwn ? [directory] : []),
  ];
  for (const path of paths) {
    if (existsSync(path) && readdirSync(path).length === 0) rmdirSync(path);
  }
}

/** Writes `run.json`, with which a run begins. */
export function writeRunRecord(
  directory: string,
  config: Config,
  { given = [], world, fitting }: RunParts,
): void {
  writeJson(join(directory, "run.json"), {
    version: RECORD_VERSION,
    seed: config.run.seed,
    config,
    ...(given.length > 0 && { given }),
    ...(world && { world }),
    ...(fitting && { fitting }),
    versions: readVersions(),
  } satisfies RunRecord);
}

/** Files and folders that may be left behind when the creation of a run was interrupted. */
const RUN_FILES = new Set(["rollouts", "checkpoints", "run.json.partial", ...PROGRESS_FILES]);

/** Throws a `config` error that names what differs when `directory` holds another run. */
export function requireSameRun(
  directory: string,
  config: Config,
  { given = [], world }: RunParts,
): void {
  requireSameConfig(directory, config);
  requireSameParts(directory, given);
  if (world) requireSameWorld(directory, world, readVersions()["bowline"]!);
}

/** Throws when the run has another configuration. Ceilings and prices may differ, because they change no number. */
function requireSameConfig(directory: string, config: Config): void {
  const stored = readStoredConfig(directory);
  const before = configLeaves(stored);
  const now = configLeaves(config);
  const paths = new Set([...before.keys(), ...now.keys()]);
  const differing = [...paths].filter(
    // A run of an older version has no value where a field was added that is null by default.
    (path) =>
      !mayFieldDiffer(path, before, now) &&
      !isLimitOfRun(path, stored, config) &&
      (before.get(path) ?? null) !== (now.get(path) ?? null),
  );
  if (differing.length === 0) return;
  const formatValue = (value: unknown) => JSON.stringify(value) ?? "absent";
  // When the setting or the method differs, most other fields differ too.
  const names = differing.filter((path) => path === "setting" || path === "method");
  const listed = (names.length > 0 ? names : differing).map(
    (path) => `${path} (there ${formatValue(before.get(path))}, now ${formatValue(now.get(path))})`,
  );
  const more =
    listed.length > MAX_LISTED_FIELDS ? ` and ${listed.length - MAX_LISTED_FIELDS} more` : "";
  throw new BowlineError(
    "config",
    `${directory} holds a run of another configuration: ${listed.slice(0, MAX_LISTED_FIELDS).join(", ")}${more}; choose another folder (--out DIR), or give the same values to continue that run`,
  );
}

const MAX_LISTED_FIELDS = 6;

/** Throws when other parts were passed to the run. Parts are functions, so only their names can be compared. */
function requireSameParts(directory: string, given: readonly string[]): void {
  const { given: before = [] } = readRunRecord(directory);
  if (before.join() === given.join()) return;
  const formatNames = (names: readonly string[]) =>
    names.length === 0 ? "none" : names.join(", ");
  throw new BowlineError(
    "config",
    `${directory} holds a run to which other parts were passed: ${formatNames(before)} then, ${formatNames(given)} now; pass the same parts to train(), or choose another folder (--out DIR)`,
  );
}

/** Returns the stored configuration as it is. It is not checked, so its method need not be known. */
export function readStoredConfig(directory: string): object {
  const { config } = readRunRecord(directory);
  if (isPlainObject(config)) return config;
  throw new BowlineError("store", `${join(directory, "run.json")} holds no configuration`);
}

/**
 * Tells whether a field may have another value than in the run. Gates stop a run and change no number. A day that nobody
 * set is the one of the run. The limits themselves are compared, and not whether they were set. The hosts of a world
 * change no number either: what they serve is compared when the world is open.
 */
const mayFieldDiffer = (
  path: string,
  before: ReturnType<typeof configLeaves>,
  now: ReturnType<typeof configLeaves>,
) =>
  ["run.minutes", "run.memory", "run.gates", "recipe"].includes(path) ||
  /^(budget|fitting)\b/.test(path) ||
  (path === "scaffold.date" && now.get(path) === null) ||
  (path === "world.name" && [before, now].every((config) => namesHosts(String(config.get(path)))));

/**
 * Returns what belongs to a checkpoint that is taken now, after all of it is on the disk. Otherwise a checkpoint that
 * survives a power failure could name lines that do not.
 */
function createMark(path: (...parts: string[]) => string): StoreMark {
  flushRun(path);
  return {
    metricsBytes: fileSizeBytes(path("metrics.jsonl")),
    timingsBytes: fileSizeBytes(path("timings.jsonl")),
    rolloutFiles: listJsonLinesFiles(path("rollouts")),
  };
}

/** Waits until what was written so far is on the disk. */
function flushRun(path: (...parts: string[]) => string): void {
  for (const name of ["metrics.jsonl", "timings.jsonl"]) flushFile(path(name));
  flushFolder(path("rollouts"));
}

function cutBackTo(path: (...parts: string[]) => string, mark: StoreMark): void {
  truncateFile(path("metrics.jsonl"), mark.metricsBytes);
  truncateFile(path("timings.jsonl"), mark.timingsBytes);
  const keep = new Set(mark.rolloutFiles);
  for (const name of readdirSync(path("rollouts"))) {
    if (!keep.has(name)) rmSync(path("rollouts", name), { force: true });
  }
  for (const name of ["summary.json", "usage.json"]) rmSync(path(name), { force: true });
  // Without a checkpoint, the weights that sampled the rollouts of a journal are gone.
  if (mark === EMPTY_MARK) rmSync(path("journal"), { recursive: true, force: true });
  else removeJournals(path, mark.rolloutFiles);
}

function removeJournals(path: (...parts: string[]) => string, whole: readonly string[]): void {
  if (!existsSync(path("journal"))) return;
  for (const name of whole) rmSync(path("journal", name), { force: true });
  if (readdirSync(path("journal")).length === 0) rmdirSync(path("journal"));
}

function truncateFile(path: string, bytes: number): void {
  const size = fileSizeBytes(path);
  if (size < bytes) {
    throw new BowlineError(
      "store",
      `${path} has ${size} bytes, but ${bytes} when its checkpoint was saved: somebody else has changed the run directory`,
    );
  }
  if (size > bytes) truncateSync(path, bytes);
}

function appendLine(path: string, line: unknown): void {
  withStoreErrors(path, () => appendFileSync(path, `${JSON.stringify(line)}\n`));
}

/** Does the work. An error of the file system, such as a full disk, becomes a `store` error. */
function withStoreErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (BowlineError.is(cause)) throw cause;
    throw new BowlineError("store", `cannot write ${path}: ${errorMessage(cause)}`, { cause });
  }
}

const fileSizeBytes = (path: string) => (existsSync(path) ? statSync(path).size : 0);
const listJsonLinesFiles = (path: string) =>
  readdirSync(path)
    .filter((name) => name.endsWith(".jsonl"))
    .sort();
