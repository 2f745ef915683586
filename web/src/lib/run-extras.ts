/**
 * What the table of runs knows about runs in addition to their rows: fields of the configuration in which they differ,
 * and notes and tags. Groups of runs are formed by one of these values or by a field of the row.
 */
import type { AllNotes, ConfigFields, RunNotes, RunRow } from "../../../src/spec/studio/index.ts";

export interface RunExtras {
  /** Returns the value of a field as JSON; undefined if the run lacks the field or no other run differs in it. */
  configValue(run: string, path: string): string | undefined;
  /** Returns undefined if the run has neither a note nor a tag. */
  notes(run: string): RunNotes | undefined;
}

export const NO_EXTRAS: RunExtras = createRunExtras(undefined, undefined);

export function createRunExtras(
  config: ConfigFields | undefined,
  notes: AllNotes | undefined,
): RunExtras {
  const position = new Map(config?.runs.map((id, i) => [id, i]));
  const values = new Map(config?.fields.map(({ path, values }) => [path, values]));
  return {
    configValue: (run, path) => values.get(path)?.[position.get(run) ?? -1] ?? undefined,
    notes: (run) => (notes && Object.hasOwn(notes.runs, run) ? notes.runs[run] : undefined),
  };
}

/** Formats a value of the configuration: a text without its quotes, anything else as JSON. */
export function formatConfigValue(json: string): string {
  if (!json.startsWith('"')) return json;
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
}

/** The prefix of a column or a grouping that is a field of the configuration. */
export const CONFIG_PREFIX = "config:";

/** Returns the path of the field that a column or a grouping names; undefined for any other name. */
export function configPath(name: string): string | undefined {
  return name.startsWith(CONFIG_PREFIX) ? name.slice(CONFIG_PREFIX.length) : undefined;
}

/** The fields of a row by which runs can be grouped, and `tag`. */
export const GROUPINGS = ["setting", "method", "world", "seed", "status", "tag"] as const;

export interface RunGroup {
  readonly name: string;
  readonly runs: readonly RunRow[];
}

/**
 * Returns the runs in groups, in the order of first occurrence. A run with several tags stands in the group of each of
 * them, and runs without a value form the last group.
 */
export function groupRuns(runs: readonly RunRow[], by: string, extras: RunExtras): RunGroup[] {
  const groups = new Map<string | undefined, RunRow[]>();
  for (const run of runs) {
    for (const value of groupValues(run, by, extras)) {
      const members = groups.get(value) ?? [];
      members.push(run);
      groups.set(value, members);
    }
  }
  const without = groups.get(undefined);
  groups.delete(undefined);
  const named = [...groups].map(([name, runs]) => ({ name: name!, runs }));
  const missing = by === "tag" ? "no tag" : "not set";
  return without ? [...named, { name: missing, runs: without }] : named;
}

function groupValues(run: RunRow, by: string, extras: RunExtras): readonly (string | undefined)[] {
  const path = configPath(by);
  if (path !== undefined) {
    const value = extras.configValue(run.id, path);
    return [value === undefined ? undefined : formatConfigValue(value)];
  }
  if (by === "tag") {
    const tags = extras.notes(run.id)?.tags ?? [];
    return tags.length > 0 ? tags : [undefined];
  }
  const value = (run as Readonly<Record<string, unknown>>)[by];
  return [typeof value === "string" || typeof value === "number" ? String(value) : undefined];
}
