/**
 * Lists that can be rearranged, without numbering them: a row stands where it was added, by its id, until it is moved.
 *
 * A moved row gets a slot half-way between its new neighbours, and nothing else changes. So adding songs leaves no
 * trace of the order in which they were added, and moving one song is one changed cell.
 */

interface Slotted {
  readonly id: number;
  readonly slot: number | null;
}

const place = ({ id, slot }: Slotted) => slot ?? id;

export function inOrder<R extends Slotted>(rows: readonly R[]): R[] {
  return rows.toSorted((a, b) => place(a) - place(b) || a.id - b.id);
}

/** The slot that brings a row to this position (from 1) among the others, which are in order. */
export function slotAt(others: readonly Slotted[], position: number): number | null {
  const [before, after] = [others[position - 2], others[position - 1]];
  if (before && after) return (place(before) + place(after)) / 2;
  if (after) return place(after) - 1;
  return before ? place(before) + 1 : null;
}
