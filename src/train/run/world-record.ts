/**
 * Which world a run is made in: the digests of its sources, its dials, and a digest of the tasks of each split that the
 * run draws. It stands in `run.json`, so that a run is not continued in another world by mistake: tasks, checks and
 * rewards of one iteration would be of another world than those of the next.
 *
 * Sources are read before a world is opened, tasks are drawn from the open one; a record may have the first alone.
 */
import { BowlineError } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";
import { readRunRecord, type WorldRecord } from "./run-record.ts";

/** What the run in `directory` recorded of its world. Undefined: a run that was opened without a world, as tests do. */
export function recordedWorld(directory: string): WorldRecord | undefined {
  return readRunRecord(directory).world;
}

/** Throws a `config` error that names what differs, where the run in `directory` is one of another world. */
export function refuseOtherWorld(directory: string, now: WorldRecord, bowline: string): void {
  const { world: before, versions } = readRunRecord(directory);
  if (before === undefined) return;
  const files = changedModules(before, now);
  const tasks = changedTasks(before, now);
  const differing = [...files, ...changedDials(before, now), ...tasks];
  if (differing.length === 0) return;
  const onlyTasks = differing.length === tasks.length;
  const why = onlyTasks ? whyTasks(now, versions["bowline"], bowline) : "";
  throw new BowlineError(
    "config",
    `${directory} holds a run in another state of its world: ${differing.join(", ")}${why}; undo the change to go on with that run, or begin another in a folder of its own (--out DIR)`,
  );
}

/** `lib/names.ts has changed`, for each file that is not as it was. */
export function changedModules(
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

function changedDials({ dials: before }: WorldRecord, { dials: now }: WorldRecord): string[] {
  const names = Object.keys(now) as (keyof Dials)[];
  return names.flatMap((name) =>
    before[name] === now[name]
      ? []
      : [`world.dials.${name} (there ${before[name]}, now ${now[name]})`],
  );
}

/** Of the splits that both have. */
export function changedTasks(
  { tasks: before = {} }: Pick<WorldRecord, "tasks">,
  { tasks: now = {} }: Pick<WorldRecord, "tasks">,
): string[] {
  const splits = Object.keys(now).filter(
    (split) => before[split] !== undefined && before[split] !== now[split],
  );
  return splits.length === 0 ? [] : [`the tasks of ${splits.join(", ")} are others`];
}

function whyTasks({ modules }: WorldRecord, then: string | undefined, bowline: string): string {
  if (then !== bowline) return ` (begun with bowline ${then}, this is ${bowline})`;
  if (Object.keys(modules).length === 0) return "";
  return " though none of its files has changed (drawn by Math.random, by the clock, or from a file that it reads? bowline world check tells)";
}
