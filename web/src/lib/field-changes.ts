/** Lists how the fields of a row changed. For an updated row, these are only the fields that differ. */
import type { Change } from "../../../src/spec/studio/index.ts";

export interface FieldChange {
  readonly name: string;
  /** The value before the change; undefined for an added row. `after` is undefined for a removed row. */
  readonly before: unknown;
  readonly after: unknown;
}

export function listFieldChanges({ before = {}, after = {} }: Change): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => name !== "id" && !areEqual(before[name], after[name]))
    .map((name) => ({ name, before: before[name], after: after[name] }));
}

/** Compares two cells, which are plain values or lists of them. */
function areEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
