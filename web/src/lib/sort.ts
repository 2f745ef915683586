/** Rows in the order of one column. What a row lacks comes last, whichever the direction: an empty cell is no small value. */

export type Direction = "ascending" | "descending";

export interface Order {
  readonly column: string;
  readonly direction: Direction;
}

export type SortKey = string | number | undefined;

/** A new array; rows that are equal keep their order. */
export function sorted<T>(
  rows: readonly T[],
  keyOf: (row: T) => SortKey,
  direction: Direction,
): T[] {
  const keyed = rows.map((row) => ({ row, key: keyOf(row) }));
  const turn = direction === "ascending" ? 1 : -1;
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) {
      return Number(a.key === undefined) - Number(b.key === undefined);
    }
    return turn * compareKeys(a.key, b.key);
  });
  return keyed.map(({ row }) => row);
}

/** Numbers inside texts count as numbers: `seed2` before `seed10`. */
function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

/** As the address writes it: `name` ascending, `-name` descending. */
export function parseOrder(text: string | undefined, otherwise: Order): Order {
  if (!text) return otherwise;
  return text.startsWith("-")
    ? { column: text.slice(1), direction: "descending" }
    : { column: text, direction: "ascending" };
}

export function orderText({ column, direction }: Order): string {
  return direction === "ascending" ? column : `-${column}`;
}

/** What a press on a header asks for: the other direction of the same column, or the natural one of another. */
export function pressed(before: Order, column: string, natural: Direction): Order {
  if (before.column !== column) return { column, direction: natural };
  return { column, direction: before.direction === "ascending" ? "descending" : "ascending" };
}
