/**
 * Columns: a property of a row, declared once. The declaration gives the clauses that narrow a list by the property,
 * the field that answers contain, and the superlatives that rank by it.
 *
 *     weeks: number((row) => row.weeks, { item: "weeks" },
 *       atLeast("seldom")`with $ or more weeks between deliveries | ...`,
 *       atMost("often")`with $ or fewer weeks between deliveries | ...`),
 *
 * A column says what it means on rows (`of`), and where an agent sees it: as an argument of the list API, as a property
 * of the list's items, or by an expression over the item `x`. Both are written independently, and running solutions in
 * the sandbox proves that they agree.
 */
import type { Reader, TableRow } from "../../world/index.ts";
import type { Alternatives, Clause, DrawContext, Field, Filter } from "../parts.ts";
import { dayInWords, moneyInWords } from "../words.ts";
import {
  drawLowerBound,
  drawLowerBoundCents,
  drawUpperBound,
  drawUpperBoundCents,
} from "./bounds.ts";
import { dollarLiteral, jsLiteral } from "./code.ts";
import { type NeedsPhrase, phraseAlternatives, phraseTag } from "./phrases.ts";

export type Cell = string | number;
/** The code that narrows a list: arguments of the list API, or a test of the item `x`. */
export type FilterCode = Filter<TableRow>["code"];
/** Returns a row's value: money in cents, days as `2026-03-19`, and null when the row has none. */
type ReadValue<R> = (row: R, db: Reader) => Cell | null;
/** The names of a table's columns that hold texts or numbers. */
export type ValueColumn<R> = { [C in keyof R]: R[C] extends Cell | null ? C : never }[keyof R] &
  string;
/** The name of a column (items then show it under the same name), or a function that reads a value from a row. */
export type RowValue<R> = ValueColumn<R> | ReadValue<R>;

/** Two adjectives, for the largest and for the smallest value. */
export type SuperlativePair = readonly [most: Alternatives, least: Alternatives];

/** Where an agent sees a column, and what answers call it. */
export interface ColumnExposure {
  /** The list API's argument that asks for a value. */
  readonly arg?: string;
  /** The property of an item that holds the value. */
  readonly item?: string;
  /** A JavaScript expression over the item `x`, if the value is not a property of the item. */
  readonly code?: string;
  /** The noun for the column in answers. A column with a noun is a field. */
  readonly noun?: string;
  /** The name of the field, if it differs from the column's name. */
  readonly field?: string;
  /** Marks a number that is never summed. */
  readonly unit?: "grade";
  readonly superlatives?: SuperlativePair;
}

/** What one column of a collection contributes: its clauses and, possibly, a field. */
export interface Column<R extends TableRow> {
  readonly clauses: (name: string) => readonly Clause<R>[];
  readonly field?: (name: string) => Field<R>;
}

export type ColumnValueType = "text" | "number" | "money" | "day";

/** The meaning of a column, from which its clauses and its field are made. */
export interface ColumnMeaning<R extends TableRow> {
  readonly type: ColumnValueType;
  readonly of: ReadValue<R>;
  readonly at: ColumnExposure;
}

/** How one clause of a column differs from the column's other clauses. */
export interface ClauseOptions {
  /** The names of clauses that cannot be combined with this one. */
  readonly excludes?: readonly string[];
  /** The list API's argument that takes the value. */
  readonly arg?: string;
  /** Writes the code that narrows the list. It gets the value as a literal. */
  readonly code?: (literal: string) => FilterCode;
}

export type ClauseOfColumn = <R extends TableRow>(meaning: ColumnMeaning<R>) => Clause<R>;

const LITERAL_WRITERS: { readonly [T in ColumnValueType]: (value: Cell) => string } = {
  text: jsLiteral,
  day: jsLiteral,
  number: String,
  money: (cents) => dollarLiteral(Number(cents)),
};

const WORD_WRITERS: { readonly [T in ColumnValueType]: (value: Cell) => string } = {
  text: String,
  number: String,
  day: (day) => dayInWords(String(day)),
  money: (cents) => moneyInWords(Number(cents)),
};

/** Writes an expression over the item `x` for the column's value. */
export const itemExpression = ({ item, code }: ColumnExposure): string => code ?? `x.${item}`;

export type Bound = ">=" | "<=";
type DrawBound = (rng: DrawContext["rng"], values: readonly never[]) => Cell | undefined;

const BOUND_DRAWERS: { readonly [B in Bound]: (type: ColumnValueType) => DrawBound } = {
  ">=": (type) => (type === "money" ? drawLowerBoundCents : drawLowerBound),
  "<=": (type) => (type === "money" ? drawUpperBoundCents : drawUpperBound),
};

/** How a bound is drawn, said and written as code. */
export interface BoundOptions extends Pick<ClauseOptions, "excludes"> {
  readonly drawSide: (rng: DrawContext["rng"]) => Bound;
  /** Adjusts the drawn bound; returns undefined when the bound is not useful. */
  readonly limit?: ((drawn: number) => number | undefined) | undefined;
  readonly toWords: (limit: Cell, bound: Bound, type: ColumnValueType) => string;
  /**
   * Writes the code that narrows the list. It gets the bound as a literal, and a test of an item to which the literal
   * must be appended.
   */
  readonly code: (literal: string, bound: Bound, test: string) => FilterCode;
}

/**
 * Makes a clause for the rows on one side of a bound, chosen so that few rows are there. Rows without a value are left
 * out.
 */
export const boundedClause = (name: string, options: BoundOptions): NeedsPhrase<ClauseOfColumn> =>
  phraseTag(
    (phrase) =>
      <R extends TableRow>({ type, of, at }: ColumnMeaning<R>): Clause<R> => ({
        name,
        ...(options.excludes ? { excludes: options.excludes } : {}),
        draw: ({ rng, db }, rows) => {
          const values = rows.flatMap((row) => of(row, db) ?? []);
          const bound = options.drawSide(rng);
          const drawn = BOUND_DRAWERS[bound](type)(rng, values as never[]);
          const limit = options.limit && drawn !== undefined ? options.limit(Number(drawn)) : drawn;
          if (limit === undefined) return undefined;
          return {
            words: phraseAlternatives(phrase, options.toWords(limit, bound, type)),
            holds: (row, reader) => {
              const cell = of(row, reader);
              return cell !== null && (bound === ">=" ? cell >= limit : cell <= limit);
            },
            code: options.code(
              LITERAL_WRITERS[type](limit),
              bound,
              `${itemExpression(at)}${bound}`,
            ),
          };
        },
      }),
  );

const oneSidedClause = (
  bound: Bound,
  name: string,
  options: ClauseOptions,
): NeedsPhrase<ClauseOfColumn> =>
  boundedClause(name, {
    ...(options.excludes ? { excludes: options.excludes } : {}),
    drawSide: () => bound,
    toWords: (limit, _, type) => WORD_WRITERS[type](limit),
    code: (literal, _, test) => narrowingCode(literal, options, test),
  });

/** Narrows a list by an argument of the list API, which takes the value as a literal. */
export const byArgument =
  (arg: string) =>
  (literal: string | boolean): FilterCode => ({ args: `${arg}:${literal}` });

/** Narrows a list by comparing a property of the items with the value as a literal. */
export const byItemProperty =
  (item: string) =>
  (literal: string | boolean): FilterCode => ({ test: `x.${item}===${literal}` });

/** Narrows a list as the clause's options say, or otherwise by a test of the items. */
export function narrowingCode(
  literal: string,
  { arg, code }: ClauseOptions,
  test: string,
): FilterCode {
  if (code) return code(literal);
  return arg === undefined ? { test: `${test}${literal}` } : { args: `${arg}:${literal}` };
}

/** A clause "at least $". Its bound is chosen so that few rows reach it. Rows without a value are left out. */
export const atLeast = (name: string, options: ClauseOptions = {}): NeedsPhrase<ClauseOfColumn> =>
  oneSidedClause(">=", name, options);

/** A clause "at most $". Its bound is chosen so that few rows do not exceed it. Rows without a value are left out. */
export const atMost = (name: string, options: ClauseOptions = {}): NeedsPhrase<ClauseOfColumn> =>
  oneSidedClause("<=", name, options);

const EMPTY_VALUES: { readonly [T in ColumnValueType]: Cell } = {
  text: "",
  day: "",
  number: 0,
  money: 0,
};

export function makeField<R extends TableRow>(
  { type, of, at }: ColumnMeaning<R>,
  name: string,
): Field<R> {
  return {
    name: at.field ?? name,
    unit: at.unit ?? type,
    noun: at.noun!,
    value: (row, db) => {
      const cell = of(row, db) ?? EMPTY_VALUES[type];
      return type === "money" ? Number(cell) / 100 : cell;
    },
    code: itemExpression(at),
    ...(at.superlatives && {
      superlatives: { most: at.superlatives[0], least: at.superlatives[1] },
    }),
  };
}

/** Makes a column of one type, with its clauses and the adjectives that rank by it. */
export type ColumnMaker = <R extends TableRow>(
  of: RowValue<R>,
  at: ColumnExposure,
  ...more: readonly (ClauseOfColumn | SuperlativePair)[]
) => Column<R>;

/** Determines what a column reads from a row, and where items show it. */
export const resolveMeaning = <R extends TableRow>(
  of: RowValue<R>,
  at: ColumnExposure,
): Pick<ColumnMeaning<R>, "of" | "at"> =>
  typeof of === "string"
    ? { of: (row) => row[of] as Cell | null, at: { item: of, ...at } }
    : { of, at };

const isSuperlativePair = (one: ClauseOfColumn | SuperlativePair): one is SuperlativePair =>
  typeof one !== "function";

const makeColumnOfType =
  (type: ColumnValueType): ColumnMaker =>
  (of, seen, ...more) => {
    const ranks = more.find(isSuperlativePair);
    const meaning = {
      type,
      ...resolveMeaning(of, ranks ? { ...seen, superlatives: ranks } : seen),
    };
    const clauses = more.flatMap((one) => (isSuperlativePair(one) ? [] : one));
    return {
      clauses: () => clauses.map((clause) => clause(meaning)),
      ...(seen.noun === undefined ? {} : { field: (name) => makeField(meaning, name) }),
    };
  };

/** Makes a column of texts, such as titles, states and names. Answers list them, and they are never summed. */
export const textColumn: ColumnMaker = makeColumnOfType("text");
/** Makes a column of numbers, such as counts, minutes and grades. */
export const numberColumn: ColumnMaker = makeColumnOfType("number");
/** Makes a column of money, which is in cents in rows and in dollars where agents see it. */
export const moneyColumn: ColumnMaker = makeColumnOfType("money");
/** Makes a column of days such as `2026-03-19`. */
export const dayColumn: ColumnMaker = makeColumnOfType("day");
