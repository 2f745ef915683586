/**
 * Orders lists that can be rearranged, without numbering their rows. A row is ordered by its id, that is, by when it
 * was added, until it is moved.
 *
 * A moved row gets a number, its slot, half-way between those of its new neighbours, and no other row changes. So the
 * rows do not depend on the order in which songs were added, and moving a song changes one value of one row.
 */

interface Slotted {
  readonly id: number;
  readonly slot: number | null;
}

const sortKey = ({ id, slot }: Slotted) => slot ?? id;

export function sortBySlot<R extends Slotted>(rows: readonly R[]): R[] {
  return rows.toSorted((a, b) => sortKey(a) - sortKey(b) || a.id - b.id);
}

/** Returns the slot that brings a row to this position (from 1) among the other rows, which are sorted. */
export function slotForPosition(others: readonly Slotted[], position: number): number | null {
  const [before, after] = [others[position - 2], others[position - 1]];
  if (before && after) return (sortKey(before) + sortKey(after)) / 2;
  if (after) return sortKey(after) - 1;
  return before ? sortKey(before) + 1 : null;
}
