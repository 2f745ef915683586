/**
 * Items: how rows are shown to callers. Each field is declared once, by its type, or by its type and a function of the
 * row:
 *
 *   defineItem(todos, {
 *     title: z.string(),
 *     list: [z.string(), (row, { db }) => db.get(lists, row.list)?.name ?? "removed"],
 *   })
 *
 * From this come the schema of what is returned, and the function that makes it.
 */
import { z } from "zod";
import type { Reader, Table, TableRow } from "../define.ts";

/** What a function that shows a row may read. */
export interface ViewContext {
  readonly db: Reader;
  /** The episode's clock, ISO in UTC. */
  readonly now: string;
}

/** The types of fields or of parameters, by name. */
export type FieldTypes = Readonly<Record<string, z.ZodType>>;

/** No fields or parameters. */
export type NoFields = Readonly<Record<never, z.ZodType>>;

/** The fields of an item. A field that is given only by its type shows the column with the same name. */
export type Fields<R, S extends FieldTypes> = {
  readonly [K in keyof S]: S[K] | readonly [S[K], (row: R, look: ViewContext) => z.input<S[K]>];
};

/** How rows are shown: the schema of what is returned, and the function that makes it. */
export interface Item<R, S extends FieldTypes = FieldTypes> {
  /** The table whose rows are shown; undefined when the items are not rows of a table. */
  readonly table: Table<R & TableRow> | undefined;
  readonly schema: z.ZodObject<S, z.core.$strict>;
  readonly view: (row: R, look: ViewContext) => z.input<z.ZodObject<S>>;
  /** Returns an item with further fields. A new field replaces an old one of the same name. */
  readonly with: <T extends FieldTypes>(fields: Fields<R, T>) => Item<R, Omit<S, keyof T> & T>;
}

/** Defines how the rows of a table are shown. Only the type of the table's rows is used. */
export function defineItem<R, S extends FieldTypes>(
  table: { readonly row?: R },
  fields: Fields<R, S>,
): Item<R, S> {
  const entries = Object.entries(fields as { readonly [name: string]: Field<R> });
  const views = entries.map(([name, field]) => [name, makeFieldView(name, field)] as const);
  const types = entries.map(([name, field]) => [name, fieldType(field)]);
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

const fieldType = <R>(field: Field<R>) => (field instanceof z.ZodType ? field : field[0]);

function makeFieldView<R>(name: string, field: Field<R>): View<R> {
  return field instanceof z.ZodType ? (row) => row[name as keyof R] : field[1];
}

/** Defines items that are not rows of a table. The objects that `rows` returns are shown unchanged. */
export function defineObjectItem<S extends FieldTypes>(
  fields: S,
): Item<z.input<z.ZodObject<S>>, S> {
  return defineItem({}, fields as never) as never;
}
