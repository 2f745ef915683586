/**
 * Whether two differences link their created rows in the same shape.
 *
 * Created rows of equal content (two new lists of one name) are told apart by who refers to them. Both graphs are
 * coloured together: a row's colour is its content, then again and again its colour with those of its neighbours
 * (Weisfeiler-Leman refinement). Equal shapes end with equal colours; row ids play no part.
 */
import type { Difference } from "./difference.ts";

export function sameLinks(a: Difference, b: Difference): boolean {
  const palette = new Map<string, number>();
  let [left, right] = [start(a, palette), start(b, palette)];
  for (let round = 0; round < Math.max(left.size, right.size); round++) {
    if (!sameMultiset(left.values(), right.values())) return false;
    const classes = new Set(left.values()).size;
    [left, right] = [refine(a, left, palette), refine(b, right, palette)];
    if (new Set(left.values()).size === classes && round > 0) break;
  }
  return sameMultiset(left.values(), right.values());
}

/** Row name -> colour. A created row is known by content, an existing one by its id. */
type Colours = ReadonlyMap<string, number>;

function start(difference: Difference, palette: Map<string, number>): Colours {
  return new Map(
    difference.entries.map((entry) => {
      const cells = entry.kind === "remove" ? [] : [...entry.cells].sort();
      const identity = entry.kind === "insert" ? "" : `#${entry.id}`;
      const text = `${entry.kind} ${entry.table}${identity} ${JSON.stringify(cells)}`;
      return [`${entry.table}#${entry.id}`, colour(palette, text)];
    }),
  );
}

function refine(difference: Difference, colours: Colours, palette: Map<string, number>): Colours {
  const around = new Map([...colours.keys()].map((row): [string, string[]] => [row, []]));
  for (const { from, column, to } of difference.links) {
    around.get(from)?.push(`> ${column} ${colours.get(to)}`);
    around.get(to)?.push(`< ${column} ${colours.get(from)}`);
  }
  return new Map(
    [...around].map(([row, neighbours]) => {
      const text = `${colours.get(row)} ${neighbours.sort().join(" ")}`;
      return [row, colour(palette, text)];
    }),
  );
}

function colour(palette: Map<string, number>, text: string): number {
  const known = palette.get(text);
  if (known !== undefined) return known;
  palette.set(text, palette.size);
  return palette.size - 1;
}

function sameMultiset(a: Iterable<number>, b: Iterable<number>): boolean {
  const [left, right] = [[...a].sort((x, y) => x - y), [...b].sort((x, y) => x - y)];
  return left.length === right.length && left.every((value, i) => value === right[i]);
}
