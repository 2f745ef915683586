/**
 * A clause with a bound from above or from below, of which one is drawn.
 *
 *     year: day((row) => row.year, { item: "year" }, atLeastOrAtMost("year")`from $ | released in $ | ...`),
 *
 * says `from 1999 or earlier` or `from 2012 or later`.
 */
import { dayInWords, moneyInWords } from "../words.ts";
import {
  type BoundOptions,
  boundedClause,
  type Cell,
  type ClauseOfColumn,
  type ClauseOptions,
  type ColumnValueType,
  type FilterCode,
} from "./columns.ts";
import type { NeedsPhrase } from "./phrases.ts";

/** How a bound is drawn, said and written as code, if this differs from what its column's type gives. */
export interface AtLeastOrAtMostOptions extends Pick<ClauseOptions, "excludes"> {
  /** The probability of an upper bound; one half by default. With 0, nothing is drawn and the bound is a lower one. */
  readonly below?: number;
  readonly limit?: BoundOptions["limit"];
  readonly toWords?: (limit: number) => string;
  /** Writes the code that narrows the list. By default it tests the items. */
  readonly code?: (literal: string, below: boolean) => FilterCode;
}

function boundInWords(
  limit: Cell,
  below: boolean,
  type: ColumnValueType,
  toWords: AtLeastOrAtMostOptions["toWords"],
): string {
  if (type === "day") {
    const when = typeof limit === "string" ? dayInWords(limit) : limit;
    return `${when} or ${below ? "earlier" : "later"}`;
  }
  const told = (type === "money" ? moneyInWords : (toWords ?? String))(Number(limit));
  return `${below ? "at most" : "at least"} ${told}`;
}

/** A clause such as "at most $20", "at least 3" or "19 March 2026 or later": a bound from above or from below. */
export const atLeastOrAtMost = (
  name: string,
  options: AtLeastOrAtMostOptions = {},
): NeedsPhrase<ClauseOfColumn> => {
  const { below = 0.5, limit, toWords, code, excludes } = options;
  return boundedClause(name, {
    ...(excludes ? { excludes } : {}),
    drawSide: (rng) => (below !== 0 && rng.chance(below) ? "<=" : ">="),
    limit,
    toWords: (drawn, bound, type) => boundInWords(drawn, bound === "<=", type, toWords),
    code: (literal, bound, test) =>
      code?.(literal, bound === "<=") ?? { test: `${test}${literal}` },
  });
};
