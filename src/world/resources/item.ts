/**
 * An item: how a row is shown to whoever calls. Each field is said once, as its type, or as its type and how it is had:
 *
 *   itemOf(todos, {
 *     title: z.string(),
 *     list: [z.string(), (row, { db }) => db.get(lists, row.list)?.name ?? "removed"],
 *   })
 *
 * From this come the schema of what is returned, and the function that makes it.
 */
import { z } from "zod";
import type { Reader, Table, TableRow } from "../define.ts";

/** What the view of a row may look at. */
export interface ViewContext {
  readonly db: Reader;
  /** ISO, UTC. */
  readonly now: string;
}

/** Types of fields, or of parameters. */
export type FieldTypes = Readonly<Record<string, z.ZodType>>;

/** No further parameters. */
export type NoFields = Readonly<Record<never, z.ZodType>>;

/** A field that is its type alone is the row's column of that name. */
export type Fields<R, S extends FieldTypes> = {
  readonly [K in keyof S]: S[K] | readonly [S[K], (row: R, look: ViewContext) => z.input<S[K]>];
};

/** How rows are shown: the schema of what is returned, and what makes it. */
export interface Item<R, S extends FieldTypes = FieldTypes> {
  /** Whose rows are shown; none for what is no row. */
  readonly table: Table<R & TableRow> | undefined;
  readonly schema: z.ZodObject<S, z.core.$strict>;
  readonly view: (row: R, look: ViewContext) => z.input<z.ZodObject<S>>;
  /** The same and further fields; one of the same name takes its place. */
  readonly with: <T extends FieldTypes>(fields: Fields<R, T>) => Item<R, Omit<S, keyof T> & T>;
}

/** An item of a table's rows; the table says only of what type they are. */
export function defineItem<R, S extends FieldTypes>(
  table: { readonly row?: R },
  fields: Fields<R, S>,
): Item<R, S> {
  const entries = Object.entries(fields as { readonly [name: string]: Field<R> });
  const views = entries.map(([name, field]) => [name, viewOf(name, field)] as const);
  const types = entries.map(([name, field]) => [name, typeOf(field)]);
  return {
    table: "name" in table ? (table as never) : undefined,
    schema: z.strictObject(Object.fromEntries(types) as S),
    view: (row, look) =>
      Object.fromEntries(views.map(([name, view]) => [name, view(row, look)])) as never,
    with: (more) => defineItem(table, { ...fields, ...more } as never) as never,
  };
}

type View<R> = (row: R, look: ViewContext) => unknown;
type Field<R> = z.ZodType | readonly [z.ZodType, View<R>];

const typeOf = <R>(field: Field<R>) => (field instanceof z.ZodType ? field : field[0]);

function viewOf<R>(name: string, field: Field<R>): View<R> {
  return field instanceof z.ZodType ? (row) => row[name as keyof R] : field[1];
}

/** For lists of what is no row: the items are what `rows` gives. */
export function defineObjectItem<S extends FieldTypes>(
  fields: S,
): Item<z.input<z.ZodObject<S>>, S> {
  return defineItem({}, fields as never) as never;
}
