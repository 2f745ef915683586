/**
 * Compares a run's world with the one that `run.json` records: the digests of its sources, its dials, and digests of
 * its tasks. This prevents that a run is continued by mistake in a changed world, with other tasks, checks and rewards.
 *
 * Sources are read before a world is opened, and tasks need an open world, so a record may have sources alone.
 */
import { BowlineError } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";
import { readRunRecord, type WorldRecord } from "./run-record.ts";

/** Returns the world that the `run.json` in `directory` records; undefined if it records none. */
export function readWorldRecord(directory: string): WorldRecord | undefined {
  return readRunRecord(directory).world;
}

/**
 * Throws a `config` error that names what differs when the run in `directory` was made in another version of its world.
 */
export function requireSameWorld(directory: string, now: WorldRecord, bowline: string): void {
  const { world: before, versions } = readRunRecord(directory);
  if (before === undefined) return;
  const files = describeChangedModules(before, now);
  const tasks = describeChangedTasks(before, now);
  const version = describeChangedVersion(before, now);
  const differing = [...files, ...version, ...describeChangedDials(before, now), ...tasks];
  if (differing.length === 0) return;
  const onlyTasks = differing.length === tasks.length;
  const explanation = onlyTasks ? explainChangedTasks(now, versions["bowline"], bowline) : "";
  throw new BowlineError(
    "config",
    `${directory} holds a run that was made before its world changed: ${differing.join(", ")}${explanation}; undo the change to continue that run, or start a new one in another folder (--out DIR)`,
  );
}

/** Returns a sentence for each file that differs, such as `lib/names.ts has changed`. */
export function describeChangedModules(
  { modules: before }: Pick<WorldRecord, "modules">,
  { modules: now }: Pick<WorldRecord, "modules">,
): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.flatMap((name) => {
    if (before[name] === now[name]) return [];
    if (before[name] === undefined) return [`${name} is new`];
    return [now[name] === undefined ? `${name} is gone` : `${name} has changed`];
  });
}

/** The version is not compared before the world is open. */
function describeChangedVersion(before: WorldRecord, now: WorldRecord): string[] {
  if (now.tasks === undefined || before.version === now.version) return [];
  return [`its version (there ${before.version ?? "none"}, now ${now.version ?? "none"})`];
}

function describeChangedDials(
  { dials: before }: WorldRecord,
  { dials: now }: WorldRecord,
): string[] {
  const names = Object.keys(now) as (keyof Dials)[];
  return names.flatMap((name) =>
    before[name] === now[name]
      ? []
      : [`world.dials.${name} (there ${before[name]}, now ${now[name]})`],
  );
}

/**
 * Returns a sentence that names the splits whose tasks differ. Splits that only one of the records has are not
 * compared.
 */
export function describeChangedTasks(
  { tasks: before = {} }: Pick<WorldRecord, "tasks">,
  { tasks: now = {} }: Pick<WorldRecord, "tasks">,
): string[] {
  const splits = Object.keys(now).filter(
    (split) => before[split] !== undefined && before[split] !== now[split],
  );
  return splits.length === 0 ? [] : [`the tasks of ${splits.join(", ")} have changed`];
}

function explainChangedTasks(
  { modules }: WorldRecord,
  then: string | undefined,
  bowline: string,
): string {
  if (then !== bowline) return ` (the run began with bowline ${then}, this is ${bowline})`;
  if (Object.keys(modules).length === 0) return "";
  return " though none of its files has changed (do they depend on Math.random, the clock or a file? bowline world check finds out)";
}
