/**
 * Clauses that are not bounds: one of several values, a property, a property or its absence, a person, and clauses that
 * are drawn freely.
 */
import type { Reader, TableRow } from "../../world/index.ts";
import type { Clause, DrawContext, Filter } from "../parts.ts";
import { drawSelectiveValue } from "./bounds.ts";
import { jsLiteral } from "./code.ts";
import {
  type Cell,
  type ClauseOptions,
  type Column,
  type ColumnExposure,
  type FilterCode,
  itemExpression,
  makeField,
  narrowingCode,
  type RowValue,
  resolveMeaning,
  type ValueColumn,
} from "./columns.ts";
import { type NeedsPhrase, phraseAlternatives, phraseTag } from "./phrases.ts";
import { type RowCondition, toPredicate } from "./row-condition.ts";

type Options = Pick<ClauseOptions, "excludes">;

/** Makes a column with one clause, which the function `draw` draws. */
export function drawnClause<R extends TableRow>(
  draw: Clause<R>["draw"],
  { excludes }: Options = {},
): Column<R> {
  return { clauses: (name) => [{ name, ...(excludes ? { excludes } : {}), draw }] };
}

/** The options of a choice: those of every clause, how its values are said, and which values are allowed. */
export interface ChoiceOptions extends ClauseOptions {
  /** Returns how a sentence says a value. By default it says the value unchanged. */
  readonly toWords?: (value: string) => string;
  /** Returns true for values that a task may mention. */
  readonly isAllowed?: (value: Cell, draw: DrawContext) => boolean;
}

/**
 * Makes a column whose clause selects the rows that have a drawn value, when other rows do not have it. A row may have
 * several values.
 */
export function choiceColumn<R extends TableRow>(
  of: ValueColumn<R> | ((row: R, db: Reader) => Cell | null | readonly Cell[]),
  shown: ColumnExposure,
  options: ChoiceOptions = {},
): NeedsPhrase<Column<R>> {
  const { toWords = String, isAllowed = () => true } = options;
  const { of: read, at } = resolveMeaning<R>(of as RowValue<R>, shown);
  const valuesOf = (row: R, db: Reader) => [read(row, db) ?? []].flat() as readonly Cell[];
  const narrowing = at.arg === undefined ? options : { arg: at.arg, ...options };
  const firstValue = (row: R, db: Reader) => valuesOf(row, db)[0] ?? null;
  const field = (name: string) => makeField<R>({ type: "text", of: firstValue, at }, name);
  return phraseTag((phrase) => ({
    ...(at.noun === undefined ? {} : { field }),
    ...drawnClause<R>((draw, rows) => {
      const values = rows
        .flatMap((row) => valuesOf(row, draw.db))
        .filter((v) => isAllowed(v, draw));
      const value = drawSelectiveValue(draw.rng, values);
      if (value === undefined) return undefined;
      return {
        words: phraseAlternatives(phrase, toWords(String(value))),
        holds: (row, db) => valuesOf(row, db).includes(value),
        code: narrowingCode(jsLiteral(value), narrowing, `${itemExpression(at)}===`),
      };
    }, options),
  }));
}

/** Makes a column whose clause selects the rows with a property. */
export const withProperty = <R extends TableRow>(
  when: RowCondition<R>,
  code: FilterCode,
  options?: Options,
): NeedsPhrase<Column<R>> => {
  const holds = toPredicate(when);
  return phraseTag((phrase) =>
    drawnClause(() => ({ words: phraseAlternatives(phrase), holds, code }), options),
  );
};

/** Which side of a property is drawn (with it or without it), and when. */
export interface WithOrWithoutOptions extends Options {
  /** The probability of the side with the property; one half by default. */
  readonly chance?: number;
  /** If true, nothing is drawn when all rows or no rows have the property. */
  readonly onlyIfMixed?: boolean;
}

/**
 * Makes a column that selects either the rows with a property or those without it. The first phrase is for rows that
 * have it.
 */
export const withOrWithout = <R extends TableRow>(
  when: RowCondition<R>,
  code: (yes: boolean) => FilterCode,
  { chance = 0.5, onlyIfMixed = false, ...options }: WithOrWithoutOptions = {},
): NeedsPhrase<NeedsPhrase<Column<R>>> => {
  const holds = toPredicate(when);
  return phraseTag((yes) =>
    phraseTag((no) =>
      drawnClause(({ rng, db }, rows) => {
        const having = onlyIfMixed ? rows.filter((row) => holds(row, db)).length : undefined;
        if (having === 0 || having === rows.length) return undefined;
        const wanted = rng.chance(chance);
        return {
          words: phraseAlternatives(wanted ? yes : no),
          holds: (row, reader) => holds(row, reader) === wanted,
          code: code(wanted),
        };
      }, options),
    ),
  );
};

/**
 * Makes a column that selects the rows of a person, who is `$` in the phrase. `code` gets an expression for the
 * person's handle.
 */
export function personColumn<R extends TableRow>(
  of: ValueColumn<R> | ((row: R, db: Reader) => number | null | readonly number[]),
  code: (handle: string) => FilterCode,
  options?: Options,
): NeedsPhrase<Column<R>> {
  const read = typeof of === "string" ? (row: R) => row[of] as number | null : of;
  const idsOf = (row: R, db: Reader) => [read(row, db) ?? []].flat();
  return phraseTag((phrase) =>
    drawnClause((draw, rows) => {
      const one = draw.person(rows.flatMap((row) => idsOf(row, draw.db)));
      if (!one) return undefined;
      return {
        words: phraseAlternatives(phrase, one.words),
        holds: (row, db) => idsOf(row, db).includes(one.value.id),
        code: code(one.code),
        uses: [one],
      };
    }, options),
  );
}

/**
 * Makes a column that selects the rows that match a value, which is drawn from them. `code` gets the value as a
 * literal.
 */
export const matchingValue = <R extends TableRow, T extends Cell>(
  pick: (draw: DrawContext, rows: readonly R[]) => T | undefined,
  holds: (row: R, one: T, db: Reader) => boolean,
  code: (literal: string) => FilterCode,
  { toWords = String, ...options }: Options & { readonly toWords?: (one: T) => string } = {},
): NeedsPhrase<Column<R>> =>
  phraseTag((phrase) =>
    drawnClause((draw, rows) => {
      const one = pick(draw, rows);
      if (one === undefined) return undefined;
      return {
        words: phraseAlternatives(phrase, toWords(one)),
        holds: (row, db) => holds(row, one, db),
        code: code(jsLiteral(one)),
      };
    }, options),
  );

/** Restricts a column: a clause is used only when `isAcceptable` accepts its drawn filter. */
export function drawnOnlyIf<R extends TableRow>(
  isAcceptable: (filter: Filter<R>, rows: readonly R[], draw: DrawContext) => boolean,
  column: Column<R>,
): Column<R> {
  const restrictClause = (clause: Clause<R>): Clause<R> => ({
    ...clause,
    draw: (draw, rows) => {
      const filter = clause.draw(draw, rows);
      return filter && isAcceptable(filter, rows, draw) ? filter : undefined;
    },
  });
  return { ...column, clauses: (name) => column.clauses(name).map(restrictClause) };
}

/** Restricts a column: a clause is used only when it is true of some of the rows but not of all. */
export const drawnOnlyIfMixed = <R extends TableRow>(column: Column<R>): Column<R> =>
  drawnOnlyIf(({ holds }, rows, { db }) => {
    const count = rows.filter((row) => holds(row, db)).length;
    return count > 0 && count < rows.length;
  }, column);

/** Makes a clause that does not belong to a column of the collection. */
export function standaloneClause<R extends TableRow>(name: string, column: Column<R>): Clause<R> {
  return column.clauses(name)[0]!;
}
