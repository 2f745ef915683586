/**
 * Collections from columns: what a list API gives, as one declaration.
 *
 *     export const alarms = rows<Alarm>({
 *       kind: "alarms", app: "clock", table: alarmRows, list: "alarms",
 *       nouns: nouns`alarm(s) of mine | ...`,
 *       columns: ({ choice, number }) => ({ label: choice(...)`...`, hour: number(...) }),
 *     });
 */
import type { Table, TableRow } from "../../world/index.ts";
import type { Clause, Collection, Field, Forms, Noun, Title } from "../parts.ts";
import { choice, clause, either, is, matching, person } from "./clauses.ts";
import { leaves } from "./code.ts";
import {
  asked,
  atLeast,
  atMost,
  type Column,
  day,
  money,
  number,
  tested,
  text,
} from "./columns.ts";
import { forms, formsOf, listOf, ranked, said, type Tagged } from "./phrases.ts";
import { met, type When } from "./when.ts";
import { within } from "./within.ts";

/** The kinds of columns and clauses, for rows of one type, and what they are made of. */
const columnKit = <R extends TableRow>() => ({
  ...{ asked, atLeast, atMost, forms, ranked, tested, within },
  text: text<R>,
  number: number<R>,
  money: money<R>,
  day: day<R>,
  choice: choice<R>,
  is: is<R>,
  either: either<R>,
  person: person<R>,
  matching: <T extends string | number>(...given: Parameters<typeof matching<R, T>>) =>
    matching<R, T>(...given),
  clause: clause<R>,
});
/** What a collection hands to the declaration of its columns. */
export type ColumnKit<R extends TableRow> = ReturnType<typeof columnKit<R>>;

/** Columns by their names, in order. */
export type Columns<R extends TableRow> = { readonly [name: string]: Column<R> };

/** Columns that several collections share: each takes those whose clauses and fields it names. */
export const columns = <R extends TableRow>(
  declare: (kit: ColumnKit<R>) => Columns<R>,
): Columns<R> => declare(columnKit<R>());

/** What a collection declares. */
export interface Rows<R extends TableRow> {
  readonly kind: string;
  /** Where it is not the kind. */
  readonly name?: string;
  readonly app: string;
  readonly table: Table<R>;
  /** The rows that the list API gives; absent: all. */
  readonly base?: When<R>;
  /** `` nouns`order(s) in the shop | order / orders of mine | ...` `` */
  readonly nouns: Forms<Noun>;
  /** The list API of the app, and the arguments that `base` needs. */
  readonly list: string | { readonly api: string; readonly args: string };
  /** The item's property that is the key; absent: `id`. */
  readonly key?: string;
  /** True when "all of them" without any clause is a reasonable request. */
  readonly whole?: boolean;
  readonly columns: Columns<R> | ((kit: ColumnKit<R>) => Columns<R>);
  /** Names of its clauses in order, where they are not the columns' or not all of them: `status since until`. */
  readonly clauses?: string;
  /** Names of its fields in order, likewise. */
  readonly fields?: string;
  readonly title?: Title<R>;
}

/** A collection of the goal algebra. Throws where `clauses` or `fields` name what no column brings. */
export function rows<R extends TableRow>(declared: Rows<R>): Collection {
  const { kind, app, table, base, nouns, list, key, whole, title } = declared;
  const brought =
    typeof declared.columns === "function" ? columns(declared.columns) : declared.columns;
  const { api, args } = typeof list === "string" ? { api: list, args: undefined } : list;
  const collection: Collection<R> = {
    name: declared.name ?? kind,
    kind,
    app,
    table,
    base: met(base ?? {}),
    nouns,
    list: { api: `${app}.${api}`, ...(args === undefined ? {} : { args }) },
    key: key ?? "id",
    whole: whole ?? false,
    clauses: chosen(declared, "clauses", clausesOf(brought)),
    fields: chosen(declared, "fields", fieldsOf(brought)),
    ...(title ? { title } : {}),
  };
  return collection as unknown as Collection;
}

const clausesOf = <R extends TableRow>(columns: Columns<R>): Clause<R>[] =>
  Object.entries(columns).flatMap(([name, { clauses }]) => clauses(name));

const fieldsOf = <R extends TableRow>(columns: Columns<R>): Field<R>[] =>
  Object.entries(columns).flatMap(([name, { field }]) => field?.(name) ?? []);

function chosen<T extends { readonly name: string }>(
  declared: { readonly kind: string; readonly clauses?: string; readonly fields?: string },
  what: "clauses" | "fields",
  all: readonly T[],
): readonly T[] {
  return (
    declared[what]
      ?.split(" ")
      .filter(Boolean)
      .map((name) => {
        const found = all.find((one) => one.name === name);
        if (found) return found;
        const known = all.map((one) => one.name).join(", ") || "none";
        throw new Error(
          `collection ${declared.kind} names the ${what} "${name}"; its columns bring: ${known}`,
        );
      }) ?? all
  );
}

/** What names a row, and how code finds one by it: an expression that gives a list of no or one key, or cells that leave it. */
type Naming<R extends TableRow> = {
  readonly of: (row: R) => string;
  /** Names that no row has. */
  readonly missing: readonly string[];
} & ({ readonly find: (title: string) => string } | Pick<Title<R>, "cells">);

/** How one row of a collection is named: `$` is its title, which a property or a function of the row gives. */
export function titled<R extends TableRow>(naming: Naming<R>): Tagged<Title<R>>;
export function titled<R extends TableRow>(
  property: keyof R & string,
  find: ((title: string) => string) | Pick<Title<R>, "cells">,
  missing: string,
): Tagged<Title<R>>;
export function titled<R extends TableRow>(
  of: Naming<R> | (keyof R & string),
  find: ((title: string) => string) | Pick<Title<R>, "cells"> = String,
  missing = "",
): Tagged<Title<R>> {
  if (typeof of === "string") {
    const way = typeof find === "function" ? { find } : find;
    return titled({ of: (row) => String(row[of]), missing: listOf(missing), ...way });
  }
  return said((phrase) => ({
    of: of.of,
    nouns: (title) => formsOf(phrase, title),
    cells: "cells" in of ? of.cells : (title, out) => [leaves(out, of.find(title))],
    missing: of.missing,
  }));
}
