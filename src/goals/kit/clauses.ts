/** Clauses that are no bound of a column: one of some values, a property, either of two, a person, and what is drawn freely. */
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
import { type RowCondition, toPredicate } from "./when.ts";

type Options = Pick<ClauseOptions, "excludes">;

/** A clause of any meaning, under the name of its column. */
export function drawnClause<R extends TableRow>(
  draw: Clause<R>["draw"],
  { excludes }: Options = {},
): Column<R> {
  return { clauses: (name) => [{ name, ...(excludes ? { excludes } : {}), draw }] };
}

/** What a choice may say beside what every clause may. */
export interface ChoiceOptions extends ClauseOptions {
  /** How a value stands in a sentence, where not as it is. */
  readonly says?: (value: string) => string;
  /** The only values that a task may say. */
  readonly isAllowed?: (value: Cell, draw: DrawContext) => boolean;
}

/** Rows with a value that some of them have and others have not; a row may have several. */
export function choiceColumn<R extends TableRow>(
  of: ValueColumn<R> | ((row: R, db: Reader) => Cell | null | readonly Cell[]),
  shown: ColumnExposure,
  options: ChoiceOptions = {},
): NeedsPhrase<Column<R>> {
  const { says = String, isAllowed: among = () => true } = options;
  const { of: read, at } = resolveMeaning<R>(of as RowValue<R>, shown);
  const valuesOf = (row: R, db: Reader) => [read(row, db) ?? []].flat() as readonly Cell[];
  const asked = at.arg === undefined ? options : { arg: at.arg, ...options };
  const single = (row: R, db: Reader) => valuesOf(row, db)[0] ?? null;
  const field = (name: string) => makeField<R>({ type: "text", of: single, at }, name);
  return phraseTag((phrase) => ({
    ...(at.noun === undefined ? {} : { field }),
    ...drawnClause<R>((draw, rows) => {
      const values = rows.flatMap((row) => valuesOf(row, draw.db)).filter((v) => among(v, draw));
      const value = drawSelectiveValue(draw.rng, values);
      if (value === undefined) return undefined;
      return {
        words: phraseAlternatives(phrase, says(String(value))),
        holds: (row, db) => valuesOf(row, db).includes(value),
        code: narrowingCode(jsLiteral(value), asked, `${itemExpression(at)}===`),
      };
    }, options),
  }));
}

/** Rows with a property. */
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

/** Which of the two sides of a property is drawn, and when. */
export interface WithOrWithoutOptions extends Options {
  /** Of the side with the property; absent: one half. */
  readonly chance?: number;
  /** Not drawn where all rows have the property, or none. */
  readonly onlyIfMixed?: boolean;
}

/** Rows with a property, or those without it: one of the two is drawn. First the phrase for those with it. */
export const withOrWithout = <R extends TableRow>(
  when: RowCondition<R>,
  code: (yes: boolean) => FilterCode,
  { chance = 0.5, onlyIfMixed: mixed = false, ...options }: WithOrWithoutOptions = {},
): NeedsPhrase<NeedsPhrase<Column<R>>> => {
  const holds = toPredicate(when);
  return phraseTag((yes) =>
    phraseTag((no) =>
      drawnClause(({ rng, db }, rows) => {
        const having = mixed ? rows.filter((row) => holds(row, db)).length : undefined;
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

/** Rows that belong to somebody whom the task may name; `$` is the name. `code` gets the expression of the handle. */
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

/** Rows that have to do with a value drawn from them; `code` gets its literal. */
export const matchingValue = <R extends TableRow, T extends Cell>(
  pick: (draw: DrawContext, rows: readonly R[]) => T | undefined,
  holds: (row: R, one: T, db: Reader) => boolean,
  code: (literal: string) => FilterCode,
  { says = String, ...options }: Options & { readonly says?: (one: T) => string } = {},
): NeedsPhrase<Column<R>> =>
  phraseTag((phrase) =>
    drawnClause((draw, rows) => {
      const one = pick(draw, rows);
      if (one === undefined) return undefined;
      return {
        words: phraseAlternatives(phrase, says(one)),
        holds: (row, db) => holds(row, one, db),
        code: code(jsLiteral(one)),
      };
    }, options),
  );

/** A column whose clauses are drawn only where the drawn filter is fine. */
export function drawnOnlyIf<R extends TableRow>(
  fine: (filter: Filter<R>, rows: readonly R[], draw: DrawContext) => boolean,
  column: Column<R>,
): Column<R> {
  const checked = (clause: Clause<R>): Clause<R> => ({
    ...clause,
    draw: (draw, rows) => {
      const filter = clause.draw(draw, rows);
      return filter && fine(filter, rows, draw) ? filter : undefined;
    },
  });
  return { ...column, clauses: (name) => column.clauses(name).map(checked) };
}

/** A column whose clauses are drawn only where the rows differ: some hold and some do not. */
export const drawnOnlyIfMixed = <R extends TableRow>(column: Column<R>): Column<R> =>
  drawnOnlyIf(({ holds }, rows, { db }) => {
    const count = rows.filter((row) => holds(row, db)).length;
    return count > 0 && count < rows.length;
  }, column);

/** A clause that stands alone, outside a collection's columns. */
export function standaloneClause<R extends TableRow>(name: string, column: Column<R>): Clause<R> {
  return column.clauses(name)[0]!;
}
