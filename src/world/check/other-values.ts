/** For an argument that names something in the data, names of other things of the same kind. */
import type { Catalog, RowChange, State } from "../state/index.ts";

const MOST_VALUES = 40;

/** Empty when `value` names nothing. `changes` are those of the call that the argument belongs to. */
export function otherValues(
  catalog: Catalog,
  state: State,
  changes: readonly RowChange[],
  value: unknown,
): unknown[] {
  if (typeof value === "number") return otherIds(catalog, state, changes, value);
  if (typeof value === "string") return otherNames(catalog, state, value);
  if (!Array.isArray(value) || value.length === 0) return [];
  const [first, ...rest] = value as unknown[];
  return otherValues(catalog, state, changes, first).map((other) => [other, ...rest]);
}

/** Ids of the table in which the call changed row `id`, or of one that a row it made refers to. */
function otherIds(
  catalog: Catalog,
  state: State,
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
  return near(rows.map((row) => row.id).filter((other) => other !== id));
}

/** Values of the first short-text column in which `name` stands. */
function otherNames(catalog: Catalog, state: State, name: string): string[] {
  for (const table of catalog.tables) {
    const rows = state.all(table);
    for (const column of Object.keys(rows[0] ?? {})) {
      if (!rows.some((row) => row[column] === name)) continue;
      const others = new Set(rows.map((row) => row[column]).filter((cell) => cell !== name));
      return near([...others].filter((cell) => typeof cell === "string"));
    }
  }
  return [];
}

function near<T>(values: readonly T[]): T[] {
  return values.slice(0, MOST_VALUES);
}
