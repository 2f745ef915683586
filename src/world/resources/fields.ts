/**
 * Fields of items whose values come from other tables, and APIs that return counts instead of rows:
 *
 *   defineItem(books, {
 *     shelf: textOfReferencedRow(shelves, "shelf", "name", "removed"),
 *     loans: countReferencingRows(loans, "book", { returned: false }),
 *   })
 */
import { z } from "zod";
import {
  type Api,
  type CallContext,
  defineApi,
  type Reader,
  type Table,
  type TableRow,
} from "../define.ts";
import { defineObjectItem, type FieldTypes, type ViewContext } from "./item.ts";
import { tally } from "./rows.ts";

type HasIdColumn<C extends string> = { readonly [K in C]: number | null };

/** Makes a field that shows a text of the row whose id is in `column`, or `otherwise` when there is no such row. */
export function textOfReferencedRow<
  C extends string,
  R extends TableRow,
  O extends string | null = null,
>(table: Table<R>, column: C, text: keyof R & string, otherwise: O = null as O) {
  const type: z.ZodType<string> = z.string();
  return [
    (otherwise === null ? type.nullable() : type) as z.ZodType<string | O, string | O>,
    (row: HasIdColumn<C>, { db }: ViewContext) =>
      (db.get(table, row[column] ?? 0)?.[text] ?? otherwise) as string | O,
  ] as const;
}

/**
 * Makes a field that counts rows of another table: those whose `column` holds this row's id and that also equal
 * `match`.
 */
export function countReferencingRows<R extends TableRow>(
  table: Table<R>,
  column: keyof R & string,
  match: Partial<R> = {},
) {
  return [
    z.int(),
    ({ id }: { readonly id: number }, { db }: ViewContext) =>
      db.where(table, { ...match, [column]: id } as Partial<R>).length,
  ] as const;
}

/** Defines an API without parameters. */
export function apiWithoutParameters<S extends FieldTypes>(
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

type CountRows = (db: Reader) => number | readonly unknown[];

/**
 * Defines an API that returns counts. Each count is a number or the length of a list, with its text for the
 * documentation.
 */
export function countsApi(
  summary: string,
  counts: { readonly [name: string]: CountRows | readonly [CountRows, what: string] },
): Api {
  const entries = Object.entries(counts).map(
    ([name, given]) =>
      [name, ...(typeof given === "function" ? ([given, ""] as const) : given)] as const,
  );
  const types = entries.map(([name, , what]) => [
    name,
    what === "" ? z.int() : z.int().describe(what),
  ]);
  return apiWithoutParameters(summary, Object.fromEntries(types) as FieldTypes, ({ db }) =>
    Object.fromEntries(
      entries.map(([name, count]) => {
        const found = count(db);
        return [name, typeof found === "number" ? found : found.length];
      }),
    ),
  );
}

/** An item that shows a name and how often it occurs. */
export const nameCountItem = defineObjectItem({ name: z.string(), size: z.int() });

/** Counts how often each name occurs, sorted by name. Null is not counted. */
export function countNames(names: readonly (string | null)[]): { name: string; size: number }[] {
  const sizes = tally(names.filter((name) => name !== null)).map(([name, size]) => ({
    name,
    size,
  }));
  return sizes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Makes a field that shows a text of the row in another table whose `column` holds this row's id; null when there is
 * none.
 */
export function textOfReferencingRow<R extends TableRow>(
  table: Table<R>,
  column: keyof R & string,
  text: keyof R & string,
) {
  return [
    z.string().nullable(),
    ({ id }: { readonly id: number }, { db }: ViewContext) =>
      (db.where(table, { [column]: id } as Partial<R>)[0]?.[text] ?? null) as string | null,
  ] as const;
}
