/**
 * A bound from either side, of which one is drawn:
 *
 *     year: day((row) => row.year, { item: "year" }, within("year")`from $ | released in $ | ...`),
 *
 * says `from 1999 or earlier` or `from 2012 or later`.
 */
import type { TableRow } from "../../world/index.ts";
import type { Clause, Draw } from "../parts.ts";
import { dayWords, moneyWords } from "../words.ts";
import { centsAtLeast, centsAtMost, largest, smallest } from "./bounds.ts";
import { dollars, js } from "./code.ts";
import {
  type Cell,
  type ClauseOptions,
  type Code,
  type Meaning,
  type OfColumn,
  seen,
} from "./columns.ts";
import { formsOf, said, type Tagged } from "./phrases.ts";

/** How a bound is drawn, said and coded, where not as its column's type is. */
export interface WithinOptions extends Pick<ClauseOptions, "excludes"> {
  /** The chance that the bound is from above; absent: one half. Nothing is drawn where it is 0. */
  readonly below?: number;
  /** What is made of the bound that was drawn; undefined where it is no good. */
  readonly limit?: (drawn: number) => number | undefined;
  readonly says?: (limit: number) => string;
  /** How code narrows, where it is not by a test of the item. */
  readonly code?: (literal: string, below: boolean) => Code;
}

function sided(limit: Cell, below: boolean, type: string, says: WithinOptions["says"]) {
  if (type === "day") {
    const when = typeof limit === "string" ? dayWords(limit) : limit;
    return `${when} or ${below ? "earlier" : "later"}`;
  }
  const told = (type === "money" ? moneyWords : (says ?? String))(Number(limit));
  return `${below ? "at most" : "at least"} ${told}`;
}

function bound(rng: Draw["rng"], type: string, below: boolean, cells: readonly Cell[]) {
  if (type === "money") return (below ? centsAtMost : centsAtLeast)(rng, cells as number[]);
  return (below ? smallest : largest)(rng, cells);
}

/** A bound from above or from below: `at most $20`, `at least 3`, `19 March 2026 or later`. */
export const within = (name: string, options: WithinOptions = {}): Tagged<OfColumn> =>
  said(
    (phrase) =>
      <R extends TableRow>({ type, of, at }: Meaning<R>): Clause<R> => ({
        name,
        ...(options.excludes ? { excludes: options.excludes } : {}),
        draw: ({ rng, db }, rows) => {
          const cells = rows.map((row) => of(row, db)!);
          const below = options.below !== 0 && rng.chance(options.below ?? 0.5);
          const drawn = bound(rng, type, below, cells);
          const limit = options.limit && drawn !== undefined ? options.limit(Number(drawn)) : drawn;
          if (limit === undefined) return undefined;
          const literal = type === "money" ? dollars(Number(limit)) : js(limit);
          const test = `${seen(at)}${below ? "<=" : ">="}${literal}`;
          return {
            words: formsOf(phrase, sided(limit, below, type, options.says)),
            holds: (row, reader) => {
              const cell = of(row, reader)!;
              return below ? cell <= limit : cell >= limit;
            },
            code: options.code?.(literal, below) ?? { test },
          };
        },
      }),
  );
