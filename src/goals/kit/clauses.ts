/** Clauses that are no bound of a column: one of some values, a property, either of two, a person, and what is drawn freely. */
import type { Reader, TableRow } from "../../world/index.ts";
import type { Clause, Draw, Filter } from "../parts.ts";
import { oneOfSome } from "./bounds.ts";
import { js } from "./code.ts";
import {
  type At,
  type Cell,
  type ClauseOptions,
  type Code,
  type Column,
  codeFor,
  fieldOf,
  meant,
  type Named,
  type Of,
  seen,
} from "./columns.ts";
import { formsOf, said, type Tagged } from "./phrases.ts";
import { met, type When } from "./when.ts";

type Options = Pick<ClauseOptions, "excludes">;

/** A clause of any meaning, under the name of its column. */
export function clause<R extends TableRow>(
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
  readonly among?: (value: Cell, draw: Draw) => boolean;
}

/** Rows with a value that some of them have and others have not; a row may have several. */
export function choice<R extends TableRow>(
  of: Named<R> | ((row: R, db: Reader) => Cell | null | readonly Cell[]),
  shown: At,
  options: ChoiceOptions = {},
): Tagged<Column<R>> {
  const { says = String, among = () => true } = options;
  const { of: read, at } = meant<R>(of as Of<R>, shown);
  const valuesOf = (row: R, db: Reader) => [read(row, db) ?? []].flat() as readonly Cell[];
  const asked = at.arg === undefined ? options : { arg: at.arg, ...options };
  const single = (row: R, db: Reader) => valuesOf(row, db)[0] ?? null;
  const field = (name: string) => fieldOf<R>({ type: "text", of: single, at }, name);
  return said((phrase) => ({
    ...(at.noun === undefined ? {} : { field }),
    ...clause<R>((draw, rows) => {
      const values = rows.flatMap((row) => valuesOf(row, draw.db)).filter((v) => among(v, draw));
      const value = oneOfSome(draw.rng, values);
      if (value === undefined) return undefined;
      return {
        words: formsOf(phrase, says(String(value))),
        holds: (row, db) => valuesOf(row, db).includes(value),
        code: codeFor(js(value), asked, `${seen(at)}===`),
      };
    }, options),
  }));
}

/** Rows with a property. */
export const is = <R extends TableRow>(
  when: When<R>,
  code: Code,
  options?: Options,
): Tagged<Column<R>> => {
  const holds = met(when);
  return said((phrase) => clause(() => ({ words: formsOf(phrase), holds, code }), options));
};

/** Which of the two sides of a property is drawn, and when. */
export interface EitherOptions extends Options {
  /** Of the side with the property; absent: one half. */
  readonly chance?: number;
  /** Not drawn where all rows have the property, or none. */
  readonly mixed?: boolean;
}

/** Rows with a property, or those without it: one of the two is drawn. First the phrase for those with it. */
export const either = <R extends TableRow>(
  when: When<R>,
  code: (yes: boolean) => Code,
  { chance = 0.5, mixed = false, ...options }: EitherOptions = {},
): Tagged<Tagged<Column<R>>> => {
  const holds = met(when);
  return said((yes) =>
    said((no) =>
      clause(({ rng, db }, rows) => {
        const having = mixed ? rows.filter((row) => holds(row, db)).length : undefined;
        if (having === 0 || having === rows.length) return undefined;
        const wanted = rng.chance(chance);
        return {
          words: formsOf(wanted ? yes : no),
          holds: (row, reader) => holds(row, reader) === wanted,
          code: code(wanted),
        };
      }, options),
    ),
  );
};

/** Rows that belong to somebody whom the task may name; `$` is the name. `code` gets the expression of the handle. */
export function person<R extends TableRow>(
  of: Named<R> | ((row: R, db: Reader) => number | null | readonly number[]),
  code: (handle: string) => Code,
  options?: Options,
): Tagged<Column<R>> {
  const read = typeof of === "string" ? (row: R) => row[of] as number | null : of;
  const idsOf = (row: R, db: Reader) => [read(row, db) ?? []].flat();
  return said((phrase) =>
    clause((draw, rows) => {
      const one = draw.person(rows.flatMap((row) => idsOf(row, draw.db)));
      if (!one) return undefined;
      return {
        words: formsOf(phrase, one.words),
        holds: (row, db) => idsOf(row, db).includes(one.value.id),
        code: code(one.code),
        uses: [one],
      };
    }, options),
  );
}

/** Rows that have to do with a value drawn from them; `code` gets its literal. */
export const matching = <R extends TableRow, T extends Cell>(
  pick: (draw: Draw, rows: readonly R[]) => T | undefined,
  holds: (row: R, one: T, db: Reader) => boolean,
  code: (literal: string) => Code,
  { says = String, ...options }: Options & { readonly says?: (one: T) => string } = {},
): Tagged<Column<R>> =>
  said((phrase) =>
    clause((draw, rows) => {
      const one = pick(draw, rows);
      if (one === undefined) return undefined;
      return {
        words: formsOf(phrase, says(one)),
        holds: (row, db) => holds(row, one, db),
        code: code(js(one)),
      };
    }, options),
  );

/** A column whose clauses are drawn only where the drawn filter is fine. */
export function provided<R extends TableRow>(
  fine: (filter: Filter<R>, rows: readonly R[], draw: Draw) => boolean,
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
export const mixed = <R extends TableRow>(column: Column<R>): Column<R> =>
  provided(({ holds }, rows, { db }) => {
    const count = rows.filter((row) => holds(row, db)).length;
    return count > 0 && count < rows.length;
  }, column);

/** A clause that stands alone, outside a collection's columns. */
export function named<R extends TableRow>(name: string, column: Column<R>): Clause<R> {
  return column.clauses(name)[0]!;
}
