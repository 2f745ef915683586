/** Finds other things of the same kind as the one that an argument names in the data. */
import type { RowChange, TableCatalog, TableState } from "../state/index.ts";

const MAX_VALUES = 40;

/**
 * Returns other values for an argument; empty when `value` names nothing in the data. `changes` are the changes of its
 * call.
 */
export function otherValues(
  catalog: TableCatalog,
  state: TableState,
  changes: readonly RowChange[],
  value: unknown,
): unknown[] {
  if (typeof value === "number") return otherIds(catalog, state, changes, value);
  if (typeof value === "string") return otherNames(catalog, state, value);
  if (!Array.isArray(value) || value.length === 0) return [];
  const [first, ...rest] = value as unknown[];
  return otherValues(catalog, state, changes, first).map((other) => [other, ...rest]);
}

/**
 * Returns other ids of the table in which the call changed row `id`, or of the table to which a row that the call
 * created refers.
 */
function otherIds(
  catalog: TableCatalog,
  state: TableState,
  changes: readonly RowChange[],
  id: number,
): number[] {
  const tables = changes.flatMap((change) => {
    if (change.kind !== "insert" && change.id === id) return [change.table];
    if (change.kind === "remove") return [];
    const { references } = catalog.table(change.table);
    return Object.entries(references).flatMap(([c, target]) =>
      target && change.after[c] === id ? [target] : [],
    );
  });
  const rows = [...new Set(tables)].flatMap((name) => state.all(catalog.table(name)));
  return takeFirst(rows.map((row) => row.id).filter((other) => other !== id));
}

/** Returns other values of the first column of short texts that contains `name`. */
function otherNames(catalog: TableCatalog, state: TableState, name: string): string[] {
  for (const table of catalog.tables) {
    const rows = state.all(table);
    for (const column of Object.keys(rows[0] ?? {})) {
      if (!rows.some((row) => row[column] === name)) continue;
      const others = new Set(rows.map((row) => row[column]).filter((cell) => cell !== name));
      return takeFirst([...others].filter((cell) => typeof cell === "string"));
    }
  }
  return [];
}

function takeFirst<T>(values: readonly T[]): T[] {
  return values.slice(0, MAX_VALUES);
}
