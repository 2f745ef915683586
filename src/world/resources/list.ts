/**
 * A paged list: which rows there are, by what they can be filtered, in which order they come.
 *
 *   listing("List todos, oldest first.", {
 *     item: todoItem,
 *     filters: {
 *       done: either("only done ones, or only open ones"),
 *       list: [line("only on this list"), (name, { db }) => ({ list: listBy(db, name).id })],
 *       own: [either("only own ones, or only others"), when((row) => row.person === null)],
 *     },
 *   })
 *
 * A filter that is its type alone compares the column of its name. With a function, that makes of the value, once a call,
 * what rows must equal (`{ list: 3 }`) or a test of rows; so a name that nobody has is refused although the list is empty.
 * A filter can be left out, unless its type has a default.
 */
import { z } from "zod";
import { takePage } from "../api/page.ts";
import {
  type Api,
  type CallContext,
  defineApi,
  type Reader,
  type Table,
  type TableRow,
} from "../define.ts";
import type { FieldTypes, Item, NoFields, ViewContext } from "./item.ts";
import { type Ordering, readOrdering } from "./order.ts";
import { pagingParams, queryParam } from "./params.ts";
import { containsIgnoringCase } from "./rows.ts";

/** Parsed arguments. */
export type Output<P extends FieldTypes> = z.output<z.ZodObject<P>>;

/** What rows must equal, or a test of them. */
export type Fits<R> = Partial<R> | ((row: R) => boolean);

/** Parameters by which a list can be filtered, as above. */
export type Filters<R, F extends FieldTypes> = {
  readonly [K in keyof F]:
    | F[K]
    | readonly [F[K], (value: z.output<F[K]>, context: CallContext) => Fits<R>];
};

/** Rows that others belong to: whatever can be named by a call's parameters, such as a resource. */
export interface Parent {
  readonly keys: FieldTypes;
  readonly find: (args: never, look: ViewContext) => { readonly id: number };
}

/** A parent, and the column that holds its id. */
export type Of<R> = readonly [parent: Parent, column: keyof R & string];

/** Texts of a row; null where there is none. */
type Texts = readonly (string | null)[];

/** What a list is told. */
export interface ListOptions<R, P extends FieldTypes, F extends FieldTypes> {
  /** How rows are shown, and of which table they are. Where it is of none, `rows` gives the rows. */
  readonly item?: Item<R>;
  /** Only rows of one parent; its keys come first. The default example is the parent of the first row. */
  readonly parent?: Of<R>;
  /** Parameters beside filters and pages; first in the documentation. */
  readonly params?: P;
  /** A search: a parameter `query`, and which texts of a row may have its words; columns, or a function that gives texts. */
  readonly searchIn?: readonly (keyof R & string)[] | ((row: R, db: Reader) => Texts);
  /** What the rows equal, or the rows themselves. Default: all rows of the table. */
  readonly rows?:
    | Partial<R>
    | ((args: Output<P>, context: CallContext) => Partial<R> | readonly R[]);
  readonly filters?: Filters<R, F>;
  /** Default: by id. */
  readonly order?: Ordering<NoInfer<R>>;
  /** Orders by name for the parameter `sort`; the first is its default. */
  readonly sorts?: { readonly [name: string]: Ordering<NoInfer<R>> };
  /** What the documentation says of `sort`. Default: "order". */
  readonly sort?: string;
  /** Default: no arguments. */
  readonly example?: object | ((db: Reader) => object);
}

/** A filter with a test of its own: rows of which this is so with the value that was given. */
export function filterWhere<R, V>(test: (row: R, value: V, context: CallContext) => boolean) {
  return (value: V, context: CallContext) => (row: R) => test(row, value, context);
}

/** A filter for `either`: rows of which this is so, or all others. */
export function filterWhether<R>(test: (row: R, context: CallContext) => boolean) {
  return filterWhere((row: R, wanted: boolean, context) => test(row, context) === wanted);
}

/** A filter: rows whose column has this value or more. */
export function atLeast<C extends string>(column: C) {
  return (least: string | number) => (row: Measured<C>) => row[column] >= least;
}

/** A filter: rows whose column has this value or less. */
export function atMost<C extends string>(column: C) {
  return (most: string | number) => (row: Measured<C>) => row[column] <= most;
}

type Measured<C extends string> = { readonly [K in C]: string | number };

/** The API of a list whose item is one of its options. */
export function listApi<R, P extends FieldTypes = NoFields, F extends FieldTypes = NoFields>(
  summary: string,
  options: ListOptions<R, P, F> & { readonly item: Item<R> },
): Api {
  return listApiOfTable(summary, options, options.item.table);
}

/** The same, whatever the table of its item. */
export function listApiOfTable<R, P extends FieldTypes, F extends FieldTypes>(
  summary: string,
  { item, ...options }: ListOptions<R, P, F> & { readonly item: Item<R> },
  table: Table<R & TableRow> | undefined,
): Api {
  const {
    parent: of,
    searchIn: words,
    params,
    filters = {},
    order = asTheyCome,
    sorts,
    example,
  } = options;
  const orders = new Map(
    Object.entries({ ...sorts, "": order }).map(([n, o]) => [n, readOrdering(o)]),
  );
  const found = finder(options, table);
  return defineApi({
    summary,
    params: z.strictObject({
      ...of?.[0].keys,
      ...(words && { query: queryParam }),
      ...params,
      ...filterParams(filters),
      ...(sorts && { sort: sortParam(Object.keys(sorts), options.sort) }),
      ...pagingParams,
    }),
    returns: z.strictObject({ items: z.array(item.schema), more: z.boolean() }),
    example: (db) =>
      (typeof example === "function"
        ? example(db)
        : { ...firstParent(db, of, table), ...example }) as never,
    handler: (context, args) => {
      const { page, size, sort = "" } = args as { page: number; size: number; sort?: string };
      const sorted = orders.get(sort)!(found(args as never, context), context);
      const { items, more } = takePage(sorted, page, size);
      return { items: items.map((row) => item.view(row, context)), more };
    },
  });
}

const asTheyCome = <R>(rows: readonly R[]) => rows;

const sortParam = (names: readonly string[], what = "order") =>
  z.enum(names).default(names[0]!).describe(what);

type Filter = z.ZodType | readonly [z.ZodType, (value: never, context: CallContext) => unknown];

const isType = (filter: Filter) => filter instanceof z.ZodType;

function filterParams(filters: object): FieldTypes {
  return Object.fromEntries(
    Object.entries<Filter>(filters as never).map(([name, filter]) => {
      const type = isType(filter) ? filter : filter[0];
      return [name, type instanceof z.ZodDefault ? type : type.optional()];
    }),
  );
}

/** All that a call's arguments leave of the rows: the parent is looked up first, then filters in their order, then rows. */
function finder<R, P extends FieldTypes, F extends FieldTypes>(
  { parent: of, searchIn: words, rows = {}, filters = {} as Filters<R, F> }: ListOptions<R, P, F>,
  table: Table<R & TableRow> | undefined,
) {
  const texts = typeof words === "function" ? words : textsIn<R>(words ?? []);
  const entries = Object.entries<Filter>(filters as never);
  return (args: Output<P> & Readonly<Record<string, unknown>>, context: CallContext) => {
    const match = of ? parentIn(of, args, context) : {};
    const tests: ((row: R) => boolean)[] = [];
    for (const [name, filter] of entries) {
      const value = args[name];
      if (value === undefined) continue;
      const fits = isType(filter) ? { [name]: value } : filter[1](value as never, context);
      if (typeof fits === "function") tests.push(fits as never);
      else Object.assign(match, fits);
    }
    if (words) {
      const hit = (text: string | null) =>
        text !== null && containsIgnoringCase(text, args["query"] as string);
      tests.push((row) => texts(row, context.db).some(hit));
    }
    const base = typeof rows === "function" ? rows(args, context) : rows;
    const all = Array.isArray(base)
      ? base.filter(equals(match))
      : rowsOf(table, { ...(base as Partial<R>), ...match }, context.db);
    return tests.length === 0 ? all : all.filter((row) => tests.every((test) => test(row)));
  };
}

const textsIn =
  <R>(columns: readonly (keyof R)[]) =>
  (row: R) =>
    columns.map((column) => row[column] as string | null);

/** The parent's id, in its column. */
export function parentIn<R>([parent, column]: Of<R>, args: object, look: ViewContext): Partial<R> {
  return { [column]: parent.find(args as never, look).id } as Partial<R>;
}

function firstParent<R>(db: Reader, of: Of<R> | undefined, table: Table<R & TableRow> | undefined) {
  if (!of || !table) return {};
  return { [Object.keys(of[0].keys)[0]!]: db.all(table)[0]?.[of[1]] ?? 1 };
}

function rowsOf<R>(table: Table<R & TableRow> | undefined, match: Partial<R>, db: Reader) {
  return table === undefined ? [] : (db.where(table, match as never) as readonly R[]);
}

export function equals<R>(match: Partial<R>): (row: R) => boolean {
  const entries = Object.entries(match) as [keyof R, unknown][];
  return (row) => entries.every(([column, value]) => row[column] === value);
}
