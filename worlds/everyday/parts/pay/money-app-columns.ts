/**
 * Columns and clauses that collections of the money apps share: amounts, dates, notes, single people, and things found
 * by name.
 */
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

/** Makes a clause for rows whose amount is at least a bound. */
export const largeAmountClause = (options?: ClauseOptions) =>
  atLeast("large", options)`of at least $ | of $ or more | with an amount of at least $
    | that are not below $ | that come to $ or more`;

/** Makes a clause for rows whose date is a certain day or later. */
export const lateDateClause = (options?: ClauseOptions) =>
  atLeast("late", options)`dated $ or later | with a date of $ or later
    | that are dated no earlier than $ | that date from $ or later | whose date is $ or later`;

/** Makes a clause for planned payments whose next date is a certain day or earlier. */
export const soonDateClause = atMost("soon")`due on $ or earlier | with a next date of $ or earlier
  | that come up no later than $ | that are next due by $ at the latest
  | whose next date is $ or earlier`;

/** Adjectives for the most and the least, for four kinds of columns: prices, amounts, past dates and due dates. */
export const PRICE_SUPERLATIVES = superlatives`largest / smallest | biggest / smallest | highest /
  lowest | largest / smallest | biggest / smallest`;
export const AMOUNT_SUPERLATIVES = superlatives`largest / smallest | biggest / smallest | highest
  / lowest | largest / smallest | biggest / smallest`;
export const PAST_DATE_SUPERLATIVES = superlatives`newest / oldest | latest / earliest | most
  recent / oldest | newest / oldest | most recent / earliest`;
export const DUE_DATE_SUPERLATIVES = superlatives`latest (by next date) / earliest (by next date)
  | latest (by next date) / earliest (by next date) | latest (by next date) / earliest (by next
  date) | latest (by next date) / earliest (by next date) | latest (by next date) / earliest (by
  next date)`;

/** Makes a column for rows with comments. `countCode` is an expression for their number. */
export function hasCommentsColumn<R extends TableRow>(
  countComments: (row: R, db: Reader) => number,
  countCode: string,
): Column<R> {
  const { some } = declareColumns<R>(({ withProperty }) => ({
    some: withProperty((row, db) => countComments(row, db) > 0, { test: `${countCode}>0` })`
      that have at least one comment | with at least one comment under them
      | that somebody commented on | which have been commented on | under which there is a comment`,
  }));
  return some!;
}

/** Makes a column for rows whose note contains one of the words, if other rows do not contain it. */
export function noteColumn<R extends TableRow & { readonly note: string }>(
  words: string,
  noteCode = "x.note",
): Column<R> {
  const containsWord = ({ note }: R, word: string) => note.toLowerCase().includes(word);
  const wordsInNotes = (rows: readonly R[]) =>
    rows.flatMap((row) => wordList(words).filter((word) => containsWord(row, word)));
  const { note } = declareColumns<R>(({ text, matchingValue }) => ({
    note: {
      ...text((row) => row.note, { item: "note", noun: "note" }),
      ...drawnOnlyIfMixed(
        matchingValue(
          ({ rng }, rows) => drawSelectiveValue(rng, wordsInNotes(rows)),
          containsWord,
          (word) => ({ test: `${noteCode}.toLowerCase().includes(${word})` }),
        )`whose note mentions "$" | that mention "$" in their note | with "$" in the note
          | that have "$" in the note | with a note that contains "$"`,
      ),
    },
  }));
  return note!;
}

/**
 * Makes a column for the person of a row, by an argument of the list API. A person is drawn only when the rows belong
 * to several people.
 */
export function otherPersonColumn<R extends TableRow>(
  arg: string,
  peopleOf: (row: R, db: Reader) => number | null | readonly number[],
): NeedsPhrase<Column<R>> {
  const peopleDiffer = (db: Reader, rows: readonly R[]) =>
    new Set(rows.flatMap((row) => peopleOf(row, db) ?? [])).size > 1;
  return (...phrase) => {
    const { one } = declareColumns<R>(({ person, drawnClause }) => {
      const { draw } = standaloneClause(
        "",
        person(peopleOf, (handle) => ({ args: `${arg}:${handle}` }))(...phrase),
      );
      return {
        one: drawnClause((from, rows) =>
          peopleDiffer(from.db, rows) ? draw(from, rows) : undefined,
        ),
      };
    });
    return one!;
  };
}

/**
 * Makes a column for rows that belong to a row of another table, such as an account. The solution finds that row by its
 * name, which replaces `$` in the phrase.
 */
export const linkedThingColumn = <R extends TableRow>(
  arg: keyof R & string,
  drawThing: (draw: DrawContext, ids: readonly number[]) => Value<number | TableRow> | undefined,
  options?: Pick<ClauseOptions, "excludes">,
): NeedsPhrase<Column<R>> => {
  const linkedId = (row: R) => row[arg] as number | null;
  return aboutFound(
    (draw, rows) =>
      drawThing(
        draw,
        rows.flatMap((row) => linkedId(row) ?? []),
      ),
    (row, _, one) => linkedId(row) === (typeof one === "number" ? one : one.id),
    byArgument(arg),
    options,
  );
};

/**
 * Makes a column for rows whose amount is at least a bound. The cents in a row may be negative, but the amount and the
 * bound are positive.
 */
export const positiveAmountColumn = <R extends TableRow>(
  centsOf: (row: R, db: Reader) => number,
  amountCode: string,
): NeedsPhrase<Column<R>> =>
  matchingValue<R, number>(
    ({ rng, db }, rows) => {
      const cents = drawLowerBoundCents(
        rng,
        rows.map((row) => centsOf(row, db)),
      );
      return cents !== undefined && cents > 0 ? cents : undefined;
    },
    (row, cents, db) => centsOf(row, db) >= cents,
    (cents) => ({ test: `${amountCode}>=${dollarLiteral(Number(cents))}` }),
    { toWords: moneyInWords },
  );
