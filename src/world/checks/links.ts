/**
 * Decides whether the created rows of two differences are linked in the same way.
 *
 * Created rows of equal content (such as two new lists with the same name) are distinguished by the rows that refer to
 * them. Both graphs are coloured together: a row's colour begins as its content, and each round combines it with the
 * colours of its neighbours (Weisfeiler-Leman refinement). Graphs of equal shape end with equal colours; row ids do not
 * matter.
 */
import type { Difference } from "./difference.ts";

export function haveSameLinks(a: Difference, b: Difference): boolean {
  const palette = new Map<string, number>();
  let [left, right] = [startColours(a, palette), startColours(b, palette)];
  for (let round = 0; round < Math.max(left.size, right.size); round++) {
    if (!equalMultisets(left.values(), right.values())) return false;
    const classes = new Set(left.values()).size;
    [left, right] = [refineColours(a, left, palette), refineColours(b, right, palette)];
    if (new Set(left.values()).size === classes && round > 0) break;
  }
  return equalMultisets(left.values(), right.values());
}

/** Maps the name of a row to its colour. A created row is identified by its content, an existing row by its id. */
type RowColours = ReadonlyMap<string, number>;

function startColours(difference: Difference, palette: Map<string, number>): RowColours {
  return new Map(
    difference.entries.map((entry) => {
      const cells = entry.kind === "remove" ? [] : [...entry.cells].sort();
      const identity = entry.kind === "insert" ? "" : `#${entry.id}`;
      const text = `${entry.kind} ${entry.table}${identity} ${JSON.stringify(cells)}`;
      return [`${entry.table}#${entry.id}`, assignColour(palette, text)];
    }),
  );
}

function refineColours(
  difference: Difference,
  colours: RowColours,
  palette: Map<string, number>,
): RowColours {
  const around = new Map([...colours.keys()].map((row): [string, string[]] => [row, []]));
  for (const { from, column, to } of difference.links) {
    around.get(from)?.push(`> ${column} ${colours.get(to)}`);
    around.get(to)?.push(`< ${column} ${colours.get(from)}`);
  }
  return new Map(
    [...around].map(([row, neighbours]) => {
      const text = `${colours.get(row)} ${neighbours.sort().join(" ")}`;
      return [row, assignColour(palette, text)];
    }),
  );
}

function assignColour(palette: Map<string, number>, text: string): number {
  const known = palette.get(text);
  if (known !== undefined) return known;
  palette.set(text, palette.size);
  return palette.size - 1;
}

function equalMultisets(a: Iterable<number>, b: Iterable<number>): boolean {
  const [left, right] = [[...a].sort((x, y) => x - y), [...b].sort((x, y) => x - y)];
  return left.length === right.length && left.every((value, i) => value === right[i]);
}
