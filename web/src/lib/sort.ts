/**
 * Sorts rows by one column. Rows without a value come last in both directions, because a missing value is not a small
 * one.
 */

export type Direction = "ascending" | "descending";

export interface SortOrder {
  readonly column: string;
  readonly direction: Direction;
}

export type SortKey = string | number | undefined;

/** Returns a sorted copy. Equal rows keep their order. */
export function sortRows<T>(
  rows: readonly T[],
  getKey: (row: T) => SortKey,
  direction: Direction,
): T[] {
  const keyed = rows.map((row) => ({ row, key: getKey(row) }));
  const turn = direction === "ascending" ? 1 : -1;
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) {
      return Number(a.key === undefined) - Number(b.key === undefined);
    }
    return turn * compareKeys(a.key, b.key);
  });
  return keyed.map(({ row }) => row);
}

/** Compares two values. Numbers inside of texts are compared as numbers, so `seed2` comes before `seed10`. */
function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

/** Parses a sort order from the address: `name` is ascending, and `-name` is descending. */
export function parseOrder(text: string | undefined, defaultOrder: SortOrder): SortOrder {
  if (!text) return defaultOrder;
  return text.startsWith("-")
    ? { column: text.slice(1), direction: "descending" }
    : { column: text, direction: "ascending" };
}

export function formatOrder({ column, direction }: SortOrder): string {
  return direction === "ascending" ? column : `-${column}`;
}

/**
 * Returns the order after a header is pressed: the opposite direction for the same column, or the natural direction of
 * another column.
 */
export function nextOrder(before: SortOrder, column: string, natural: Direction): SortOrder {
  if (before.column !== column) return { column, direction: natural };
  return { column, direction: before.direction === "ascending" ? "descending" : "ascending" };
}
