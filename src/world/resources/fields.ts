/**
 * Fields of items that look at other tables, and readings that are no row:
 *
 *   itemOf(books, {
 *     shelf: through(shelves, "shelf", "name", "removed"),
 *     loans: countOf(loans, "book", { returned: false }),
 *   })
 */
import { z } from "zod";
import { type Api, type CallContext, defineApi, type Table, type TableRow } from "../define.ts";
import type { Look, Types } from "./item.ts";

type Id<C extends string> = { readonly [K in C]: number | null };

/** A text of the row whose id is in `column`, or what the field is otherwise. */
export function through<C extends string, R extends TableRow, O extends string | null = null>(
  table: Table<R>,
  column: C,
  text: keyof R & string,
  otherwise: O = null as O,
) {
  const type: z.ZodType<string> = z.string();
  return [
    (otherwise === null ? type.nullable() : type) as z.ZodType<string | O, string | O>,
    (row: Id<C>, { db }: Look) =>
      (db.get(table, row[column] ?? 0)?.[text] ?? otherwise) as string | O,
  ] as const;
}

/** How many rows of another table point to the row by `column` and equal `match`. */
export function countOf<R extends TableRow>(
  table: Table<R>,
  column: keyof R & string,
  match: Partial<R> = {},
) {
  return [
    z.int(),
    ({ id }: { readonly id: number }, { db }: Look) =>
      db.where(table, { ...match, [column]: id } as Partial<R>).length,
  ] as const;
}

/** An API without parameters: what there is to know, or to do, but once. */
export function plainApi<S extends Types>(
  summary: string,
  returns: S,
  handler: (context: CallContext) => z.input<z.ZodObject<S>>,
): Api {
  return defineApi({
    summary,
    params: z.strictObject({}),
    returns: z.strictObject(returns),
    example: () => ({}),
    handler: handler as never,
  });
}
