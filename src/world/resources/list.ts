/**
 * Paged lists: which rows they contain, how they can be filtered, and in which order the rows come.
 *
 *   listApi("List todos, oldest first.", {
 *     item: todoItem,
 *     filters: {
 *       done: booleanParam("only done ones, or only open ones"),
 *       list: [shortTextParam("only on this list"), (name, { db }) => ({ list: listBy(db, name).id })],
 *       own: [booleanParam("only own ones, or only others"), filterWhether((row) => row.person === null)],
 *     },
 *   })
 *
 * A filter that is given only by its type is compared with the column of the same name. If it has a function, the
 * function turns the value into columns that rows must equal (`{ list: 3 }`), or into a test of rows. The function runs
 * once for each API call, so an unknown name is refused even when the list is empty. Callers may leave a filter out.
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
import { type Ordering, toOrder } from "./order.ts";
import { pagingParams, queryParam } from "./params.ts";
import { containsIgnoringCase } from "./rows.ts";

/** Parsed arguments of parameters. */
export type Output<P extends FieldTypes> = z.output<z.ZodObject<P>>;

/** The column values that a row must have, or a test that it must pass. */
export type RowMatch<R> = Partial<R> | ((row: R) => boolean);

/** The filters of a list, by the names of their parameters. The head of this file explains them. */
export type Filters<R, F extends FieldTypes> = {
  readonly [K in keyof F]:
    | F[K]
    | readonly [F[K], (value: z.output<F[K]>, context: CallContext) => RowMatch<R>];
};

/** Rows to which other rows belong. The parameters of a call name the parent, as the keys of a resource do. */
export interface Parent {
  readonly keys: FieldTypes;
  readonly find: (args: never, look: ViewContext) => { readonly id: number };
}

/** A parent, with the name of the column that holds the parent's id. */
export type ParentColumn<R> = readonly [parent: Parent, column: keyof R & string];

/** Texts of a row; null where there is none. */
type RowTexts = readonly (string | null)[];

/** The options of a list. */
export interface ListOptions<R, P extends FieldTypes, F extends FieldTypes> {
  /** How rows are shown, and the table that they come from. If the item has no table, `rows` returns the rows. */
  readonly item?: Item<R>;
  /**
   * Limits the list to rows of one parent. The parameters that name the parent come first. In the example, it is the
   * parent of the first row.
   */
  readonly parent?: ParentColumn<R>;
  /** Parameters besides filters and pages. They come first in the documentation. */
  readonly params?: P;
  /** Adds a search by a parameter `query`: the columns to search in, or a function that returns a row's texts. */
  readonly searchIn?: readonly (keyof R & string)[] | ((row: R, db: Reader) => RowTexts);
  /**
   * The columns that rows must equal, or a function that returns such columns or the rows themselves. By default the
   * list has all rows of the table.
   */
  readonly rows?:
    | Partial<R>
    | ((args: Output<P>, context: CallContext) => Partial<R> | readonly R[]);
  readonly filters?: Filters<R, F>;
  /** The order of the rows. Default: by id. */
  readonly order?: Ordering<NoInfer<R>>;
  /** Orders that the parameter `sort` can choose, by name. The first one is the default. */
  readonly sorts?: { readonly [name: string]: Ordering<NoInfer<R>> };
  /** What the documentation says about `sort`. Default: "order". */
  readonly sortDescription?: string;
  /** Arguments for the example in the documentation; none by default. */
  readonly example?: object | ((db: Reader) => object);
}

/** Makes a filter from a test that gets a row and the given value. */
export function filterWhere<R, V>(test: (row: R, value: V, context: CallContext) => boolean) {
  return (value: V, context: CallContext) => (row: R) => test(row, value, context);
}

/** Makes a filter for a boolean parameter: true selects the rows that pass the test, and false selects all others. */
export function filterWhether<R>(test: (row: R, context: CallContext) => boolean) {
  return filterWhere((row: R, wanted: boolean, context) => test(row, context) === wanted);
}

/** Makes a filter for rows whose value in the column is at least the given one. */
export function atLeast<C extends string>(column: C) {
  return (least: string | number) => (row: ComparableColumn<C>) => row[column] >= least;
}

/** Makes a filter for rows whose value in the column is at most the given one. */
export function atMost<C extends string>(column: C) {
  return (most: string | number) => (row: ComparableColumn<C>) => row[column] <= most;
}

type ComparableColumn<C extends string> = { readonly [K in C]: string | number };

/** Defines the API of a list; its options say how the items are shown. */
export function listApi<R, P extends FieldTypes = NoFields, F extends FieldTypes = NoFields>(
  summary: string,
  options: ListOptions<R, P, F> & { readonly item: Item<R> },
): Api {
  return listApiOfTable(summary, options, options.item.table);
}

/** Defines the API of a list whose rows come from the given table, even if its item has another table. */
export function listApiOfTable<R, P extends FieldTypes, F extends FieldTypes>(
  summary: string,
  { item, ...options }: ListOptions<R, P, F> & { readonly item: Item<R> },
  table: Table<R & TableRow> | undefined,
): Api {
  const { parent, searchIn, params, filters = {}, order = keepOrder, sorts, example } = options;
  const orders = new Map(Object.entries({ ...sorts, "": order }).map(([n, o]) => [n, toOrder(o)]));
  const found = makeRowFinder(options, table);
  return defineApi({
    summary,
    params: z.strictObject({
      ...parent?.[0].keys,
      ...(searchIn && { query: queryParam }),
      ...params,
      ...filterParams(filters),
      ...(sorts && { sort: sortParam(Object.keys(sorts), options.sortDescription) }),
      ...pagingParams,
    }),
    returns: z.strictObject({ items: z.array(item.schema), more: z.boolean() }),
    example: (db) =>
      (typeof example === "function"
        ? example(db)
        : { ...exampleParent(db, parent, table), ...example }) as never,
    handler: (context, args) => {
      const { page, size, sort = "" } = args as { page: number; size: number; sort?: string };
      const sorted = orders.get(sort)!(found(args as never, context), context);
      const { items, more } = takePage(sorted, page, size);
      return { items: items.map((row) => item.view(row, context)), more };
    },
  });
}

const keepOrder = <R>(rows: readonly R[]) => rows;

const sortParam = (names: readonly string[], what = "order") =>
  z.enum(names).default(names[0]!).describe(what);

type Filter = z.ZodType | readonly [z.ZodType, (value: never, context: CallContext) => unknown];

const isZodType = (filter: Filter) => filter instanceof z.ZodType;

function filterParams(filters: object): FieldTypes {
  return Object.fromEntries(
    Object.entries<Filter>(filters as never).map(([name, filter]) => {
      const type = isZodType(filter) ? filter : filter[0];
      return [name, type instanceof z.ZodDefault ? type : type.optional()];
    }),
  );
}

/**
 * Returns a function that finds the rows for a call. It looks up the parent, applies the filters in order, and then
 * applies `rows`.
 */
function makeRowFinder<R, P extends FieldTypes, F extends FieldTypes>(
  { parent, searchIn, rows = {}, filters = {} as Filters<R, F> }: ListOptions<R, P, F>,
  table: Table<R & TableRow> | undefined,
) {
  const texts = typeof searchIn === "function" ? searchIn : readTexts<R>(searchIn ?? []);
  const entries = Object.entries<Filter>(filters as never);
  return (args: Output<P> & Readonly<Record<string, unknown>>, context: CallContext) => {
    const match = parent ? parentMatch(parent, args, context) : {};
    const tests: ((row: R) => boolean)[] = [];
    for (const [name, filter] of entries) {
      const value = args[name];
      if (value === undefined) continue;
      const fits = isZodType(filter) ? { [name]: value } : filter[1](value as never, context);
      if (typeof fits === "function") tests.push(fits as never);
      else Object.assign(match, fits);
    }
    if (searchIn) {
      const hasQuery = (text: string | null) =>
        text !== null && containsIgnoringCase(text, args["query"] as string);
      tests.push((row) => texts(row, context.db).some(hasQuery));
    }
    const base = typeof rows === "function" ? rows(args, context) : rows;
    const all = Array.isArray(base)
      ? base.filter(makeEqualityTest(match))
      : matchingRows(table, { ...(base as Partial<R>), ...match }, context.db);
    return tests.length === 0 ? all : all.filter((row) => tests.every((test) => test(row)));
  };
}

const readTexts =
  <R>(columns: readonly (keyof R)[]) =>
  (row: R) =>
    columns.map((column) => row[column] as string | null);

/** Returns the column that holds the parent's id, with this id, to match rows. */
export function parentMatch<R>(
  [parent, column]: ParentColumn<R>,
  args: object,
  context: ViewContext,
): Partial<R> {
  return { [column]: parent.find(args as never, context).id } as Partial<R>;
}

function exampleParent<R>(
  db: Reader,
  of: ParentColumn<R> | undefined,
  table: Table<R & TableRow> | undefined,
) {
  if (!of || !table) return {};
  return { [Object.keys(of[0].keys)[0]!]: db.all(table)[0]?.[of[1]] ?? 1 };
}

function matchingRows<R>(table: Table<R & TableRow> | undefined, match: Partial<R>, db: Reader) {
  return table === undefined ? [] : (db.where(table, match as never) as readonly R[]);
}

export function makeEqualityTest<R>(match: Partial<R>): (row: R) => boolean {
  const entries = Object.entries(match) as [keyof R, unknown][];
  return (row) => entries.every(([column, value]) => row[column] === value);
}
