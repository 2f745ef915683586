/** Columns and clauses that collections of the money apps share: amounts, dates, notes, single persons, what is found by name. */
import {
  aboutFound,
  atLeast,
  atMost,
  byArgument,
  type ClauseOptions,
  type Column,
  type DrawContext,
  declareColumns,
  dollarLiteral,
  drawLowerBoundCents,
  drawnOnlyIfMixed,
  drawSelectiveValue,
  matchingValue,
  moneyInWords,
  type NeedsPhrase,
  standaloneClause,
  superlatives,
  type Value,
  wordList,
} from "bowline/goals";
import type { Reader, TableRow } from "bowline/world";

/** Amounts of at least so much. */
export const large = (options?: ClauseOptions) =>
  atLeast("large", options)`of at least $ | of $ or more | with an amount of at least $
    | that are not below $ | that come to $ or more`;

/** Dates of a day or later. */
export const late = (options?: ClauseOptions) =>
  atLeast("late", options)`dated $ or later | with a date of $ or later
    | that are dated no earlier than $ | that date from $ or later | whose date is $ or later`;

/** Plans whose next day is so early. */
export const soon = atMost("soon")`due on $ or earlier | with a next date of $ or earlier
  | that come up no later than $ | that are next due by $ at the latest
  | whose next date is $ or earlier`;

/** Adjectives for the most and the least: of amounts that are prices, of amounts, of past dates, of dates to come. */
export const PRICED = superlatives`largest / smallest | biggest / lowest | highest / least
  | greatest / littlest | most expensive / cheapest`;
export const SIZED = superlatives`largest / smallest | biggest / lowest | highest / least
  | greatest / littlest | most sizeable / tiniest`;
export const DATED = superlatives`newest / oldest | latest / earliest | most recent / least recent
  | last / first | youngest / most ancient`;
export const DUE = superlatives`furthest off / soonest | latest due / earliest due | last due / first due
  | most distant / nearest | farthest ahead / most imminent`;

/** Rows that have comments: their number in rows, and an expression for it. */
export function commented<R extends TableRow>(
  comments: (row: R, db: Reader) => number,
  seen: string,
): Column<R> {
  const { some } = declareColumns<R>(({ withProperty }) => ({
    some: withProperty((row, db) => comments(row, db) > 0, { test: `${seen}>0` })`
      that have at least one comment | with at least one comment under them
      | that somebody commented on | which have been commented on | under which there is a comment`,
  }));
  return some!;
}

/** Rows in whose note stands one of the words, such that others lack it. */
export function noted<R extends TableRow & { readonly note: string }>(
  words: string,
  seen = "x.note",
): Column<R> {
  const has = ({ note }: R, word: string) => note.toLowerCase().includes(word);
  const told = (rows: readonly R[]) =>
    rows.flatMap((row) => wordList(words).filter((word) => has(row, word)));
  const { note } = declareColumns<R>(({ text, matchingValue }) => ({
    note: {
      ...text((row) => row.note, { item: "note", noun: "note" }),
      ...drawnOnlyIfMixed(
        matchingValue(
          ({ rng }, rows) => drawSelectiveValue(rng, told(rows)),
          has,
          (word) => ({
            test: `${seen}.toLowerCase().includes(${word})`,
          }),
        )`whose note mentions "$" | that mention "$" in their note | with "$" in the note
          | that have "$" in the note | with a note that contains "$"`,
      ),
    },
  }));
  return note!;
}

/** Rows of one of several people, by an argument of the list API: a person whom all rows share would narrow nothing. */
export function side<R extends TableRow>(
  arg: string,
  of: (row: R, db: Reader) => number | null | readonly number[],
): NeedsPhrase<Column<R>> {
  const differ = (db: Reader, rows: readonly R[]) =>
    new Set(rows.flatMap((row) => of(row, db) ?? [])).size > 1;
  return (...phrase) => {
    const { one } = declareColumns<R>(({ person, drawnClause }) => {
      const { draw } = standaloneClause(
        "",
        person(of, (handle) => ({ args: `${arg}:${handle}` }))(...phrase),
      );
      return {
        one: drawnClause((from, rows) => (differ(from.db, rows) ? draw(from, rows) : undefined)),
      };
    });
    return one!;
  };
}

/** Rows that belong to a thing of another table, which the solution finds by the name that `$` says. */
export const linked = <R extends TableRow>(
  arg: keyof R & string,
  pick: (draw: DrawContext, ids: readonly number[]) => Value<number | TableRow> | undefined,
  options?: Pick<ClauseOptions, "excludes">,
): NeedsPhrase<Column<R>> => {
  const of = (row: R) => row[arg] as number | null;
  return aboutFound(
    (draw, rows) =>
      pick(
        draw,
        rows.flatMap((row) => of(row) ?? []),
      ),
    (row, _, one) => of(row) === (typeof one === "number" ? one : one.id),
    byArgument(arg),
    options,
  );
};

/** Rows whose cents, which may be below zero, reach a bound: one of nothing or less would say nothing. */
export const surplus = <R extends TableRow>(
  of: (row: R, db: Reader) => number,
  seen: string,
): NeedsPhrase<Column<R>> =>
  matchingValue<R, number>(
    ({ rng, db }, rows) => {
      const cents = drawLowerBoundCents(
        rng,
        rows.map((row) => of(row, db)),
      );
      return cents !== undefined && cents > 0 ? cents : undefined;
    },
    (row, cents, db) => of(row, db) >= cents,
    (cents) => ({ test: `${seen}>=${dollarLiteral(Number(cents))}` }),
    { toWords: moneyInWords },
  );
