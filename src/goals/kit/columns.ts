/**
 * Columns: a property of a row, said once, from which come the clauses that narrow by it, the field that answers name, and
 * the superlatives that rank by it.
 *
 *     weeks: number((row) => row.weeks, { item: "weeks" },
 *       atLeast("seldom")`with $ or more weeks between deliveries | ...`,
 *       atMost("often")`with $ or fewer weeks between deliveries | ...`),
 *
 * A column says what it means on rows (`of`) and where an agent sees it: as an argument of the list API, as a property of the
 * items that the list gives, or by an expression over the item `x`. The two are written independently; that they agree is
 * proved in the sandbox.
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
/** How code narrows: arguments of the list API, or a test of the item `x`. */
export type FilterCode = Filter<TableRow>["code"];
/** A row's value in cents, days as `2026-03-19`; null where it has none. */
type ValueOf<R> = (row: R, db: Reader) => Cell | null;
/** Columns of a table that hold values. */
export type ValueColumn<R> = { [C in keyof R]: R[C] extends Cell | null ? C : never }[keyof R] &
  string;
/** The column of that name, which items show under the same name, or what is read off a row. */
export type RowValue<R> = ValueColumn<R> | ValueOf<R>;

/** Adjectives for the most and for the least. */
export type SuperlativePair = readonly [most: Alternatives, least: Alternatives];

/** Where an agent sees a column. */
export interface ColumnExposure {
  /** The list API's argument that asks for a value. */
  readonly arg?: string;
  /** The property of an item. */
  readonly item?: string;
  /** An expression over the item `x`, where it is no property. */
  readonly code?: string;
  /** Makes it a field: what answers call it. */
  readonly noun?: string;
  /** The field's name, where it is not the column's. */
  readonly field?: string;
  /** A number that is never summed. */
  readonly unit?: "grade";
  readonly superlatives?: SuperlativePair;
}

/** What one entry of a collection's columns brings. */
export interface Column<R extends TableRow> {
  readonly clauses: (name: string) => readonly Clause<R>[];
  readonly field?: (name: string) => Field<R>;
}

export type ColumnValueType = "text" | "number" | "money" | "day";

/** A column as its clauses and its field see it. */
export interface ColumnMeaning<R extends TableRow> {
  readonly type: ColumnValueType;
  readonly of: ValueOf<R>;
  readonly at: ColumnExposure;
}

/** What distinguishes one clause of a column from what the column says. */
export interface ClauseOptions {
  /** Clauses of the collection that cannot stand beside it. */
  readonly excludes?: readonly string[];
  /** The list API's argument. */
  readonly arg?: string;
  /** How code narrows, from the literal of the value. */
  readonly code?: (literal: string) => FilterCode;
}

export type ClauseOfColumn = <R extends TableRow>(meaning: ColumnMeaning<R>) => Clause<R>;

const LITERAL: { readonly [T in ColumnValueType]: (value: Cell) => string } = {
  text: jsLiteral,
  day: jsLiteral,
  number: String,
  money: (cents) => dollarLiteral(Number(cents)),
};

const SAID: { readonly [T in ColumnValueType]: (value: Cell) => string } = {
  text: String,
  number: String,
  day: (day) => dayInWords(String(day)),
  money: (cents) => moneyInWords(Number(cents)),
};

/** An expression over the item `x`. */
export const itemExpression = ({ item, code }: ColumnExposure): string => code ?? `x.${item}`;

export type Bound = ">=" | "<=";
type DrawBound = (rng: DrawContext["rng"], values: readonly never[]) => Cell | undefined;

const DRAWN: { readonly [B in Bound]: (type: ColumnValueType) => DrawBound } = {
  ">=": (type) => (type === "money" ? drawLowerBoundCents : drawLowerBound),
  "<=": (type) => (type === "money" ? drawUpperBoundCents : drawUpperBound),
};

/** How a bound is drawn, said and coded. */
export interface BoundOptions extends Pick<ClauseOptions, "excludes"> {
  readonly side: (rng: DrawContext["rng"]) => Bound;
  /** What is made of the bound that was drawn; undefined where it is no good. */
  readonly limit?: ((drawn: number) => number | undefined) | undefined;
  readonly says: (limit: Cell, bound: Bound, type: ColumnValueType) => string;
  /** From the literal of the limit, and a test of the item that lacks it. */
  readonly code: (literal: string, bound: Bound, test: string) => FilterCode;
}

/** Rows on one side of a bound, which few of them are; rows without a value are out. */
export const boundedClause = (name: string, how: BoundOptions): NeedsPhrase<ClauseOfColumn> =>
  phraseTag(
    (phrase) =>
      <R extends TableRow>({ type, of, at }: ColumnMeaning<R>): Clause<R> => ({
        name,
        ...(how.excludes ? { excludes: how.excludes } : {}),
        draw: ({ rng, db }, rows) => {
          const values = rows.flatMap((row) => of(row, db) ?? []);
          const bound = how.side(rng);
          const drawn = DRAWN[bound](type)(rng, values as never[]);
          const limit = how.limit && drawn !== undefined ? how.limit(Number(drawn)) : drawn;
          if (limit === undefined) return undefined;
          return {
            words: phraseAlternatives(phrase, how.says(limit, bound, type)),
            holds: (row, reader) => {
              const cell = of(row, reader);
              return cell !== null && (bound === ">=" ? cell >= limit : cell <= limit);
            },
            code: how.code(LITERAL[type](limit), bound, `${itemExpression(at)}${bound}`),
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
    side: () => bound,
    says: (limit, _, type) => SAID[type](limit),
    code: (literal, _, test) => narrowingCode(literal, options, test),
  });

/** The list API is asked with an argument, from the literal of its value. */
export const byArgument =
  (arg: string) =>
  (literal: string | boolean): FilterCode => ({ args: `${arg}:${literal}` });

/** The items are tested for a property, from the literal of its value. */
export const byItemProperty =
  (item: string) =>
  (literal: string | boolean): FilterCode => ({ test: `x.${item}===${literal}` });

/** By what the clause says, or else by a test of the item. */
export function narrowingCode(
  literal: string,
  { arg, code }: ClauseOptions,
  test: string,
): FilterCode {
  if (code) return code(literal);
  return arg === undefined ? { test: `${test}${literal}` } : { args: `${arg}:${literal}` };
}

/** Rows whose value is not below a bound that few of them reach; rows without a value are out. */
export const atLeast = (name: string, options: ClauseOptions = {}): NeedsPhrase<ClauseOfColumn> =>
  oneSidedClause(">=", name, options);

/** Rows whose value is not above a bound that few of them keep to. */
export const atMost = (name: string, options: ClauseOptions = {}): NeedsPhrase<ClauseOfColumn> =>
  oneSidedClause("<=", name, options);

const NOTHING: { readonly [T in ColumnValueType]: Cell } = {
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
      const cell = of(row, db) ?? NOTHING[type];
      return type === "money" ? Number(cell) / 100 : cell;
    },
    code: itemExpression(at),
    ...(at.superlatives && {
      superlatives: { most: at.superlatives[0], least: at.superlatives[1] },
    }),
  };
}

/** A column of one type, with the clauses that bound it and the adjectives that rank by it. */
export type ColumnMaker = <R extends TableRow>(
  of: RowValue<R>,
  at: ColumnExposure,
  ...more: readonly (ClauseOfColumn | SuperlativePair)[]
) => Column<R>;

/** What `of` names, and where items show it. */
export const resolveMeaning = <R extends TableRow>(
  of: RowValue<R>,
  at: ColumnExposure,
): Pick<ColumnMeaning<R>, "of" | "at"> =>
  typeof of === "string"
    ? { of: (row) => row[of] as Cell | null, at: { item: of, ...at } }
    : { of, at };

const isSuperlativePair = (one: ClauseOfColumn | SuperlativePair): one is SuperlativePair =>
  typeof one !== "function";

const column =
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

/** Words: titles, states, names. Listed and named in answers, never summed. */
export const textColumn: ColumnMaker = column("text");
/** Counts, minutes, grades. */
export const numberColumn: ColumnMaker = column("number");
/** Cents in rows, dollars in what agents see. */
export const moneyColumn: ColumnMaker = column("money");
/** Days, `2026-03-19`. */
export const dayColumn: ColumnMaker = column("day");
