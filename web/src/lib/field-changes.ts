/** Lists how the fields of a row changed; for an updated row only the fields that differ. */
import type { Change } from "../../../src/spec/studio/index.ts";

export interface FieldChange {
  readonly name: string;
  /** Undefined for an added row; `after` is undefined for a removed row. */
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
