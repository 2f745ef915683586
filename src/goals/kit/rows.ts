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
import type { Alternatives, Clause, Collection, Field, Noun, Title } from "../parts.ts";
import {
  choiceColumn,
  drawnClause,
  matchingValue,
  personColumn,
  withOrWithout,
  withProperty,
} from "./clauses.ts";
import { storeAndPrint } from "./code.ts";
import {
  atLeast,
  atMost,
  byArgument,
  byItemProperty,
  type Column,
  dayColumn,
  moneyColumn,
  numberColumn,
  textColumn,
} from "./columns.ts";
import {
  alternatives,
  type NeedsPhrase,
  phraseAlternatives,
  phraseTag,
  superlatives,
  wordList,
} from "./phrases.ts";
import { type RowCondition, toPredicate } from "./when.ts";
import { atLeastOrAtMost } from "./within.ts";

/** The kinds of columns and clauses, for rows of one type, and what they are made of. */
const columnKit = <R extends TableRow>() => ({
  ...{
    asked: byArgument,
    atLeast,
    atMost,
    forms: alternatives,
    ranked: superlatives,
    tested: byItemProperty,
    within: atLeastOrAtMost,
  },
  text: textColumn<R>,
  number: numberColumn<R>,
  money: moneyColumn<R>,
  day: dayColumn<R>,
  choice: choiceColumn<R>,
  is: withProperty<R>,
  either: withOrWithout<R>,
  person: personColumn<R>,
  matching: <T extends string | number>(...given: Parameters<typeof matchingValue<R, T>>) =>
    matchingValue<R, T>(...given),
  clause: drawnClause<R>,
});
/** What a collection hands to the declaration of its columns. */
export type ColumnKit<R extends TableRow> = ReturnType<typeof columnKit<R>>;

/** Columns by their names, in order. */
export type Columns<R extends TableRow> = { readonly [name: string]: Column<R> };

/** Columns that several collections share: each takes those whose clauses and fields it names. */
export const declareColumns = <R extends TableRow>(
  declare: (kit: ColumnKit<R>) => Columns<R>,
): Columns<R> => declare(columnKit<R>());

/** What a collection declares. */
export interface CollectionOptions<R extends TableRow> {
  readonly kind: string;
  /** Where it is not the kind. */
  readonly name?: string;
  readonly app: string;
  readonly table: Table<R>;
  /** The rows that the list API gives; absent: all. */
  readonly includes?: RowCondition<R>;
  /** `` nouns`order(s) in the shop | order / orders of mine | ...` `` */
  readonly nouns: Alternatives<Noun>;
  /** The list API of the app, and the arguments that `base` needs. */
  readonly list: string | { readonly api: string; readonly args: string };
  /** The item's property that is the key; absent: `id`. */
  readonly key?: string;
  /** True when "all of them" without any clause is a reasonable request. */
  readonly allowsWhole?: boolean;
  readonly columns: Columns<R> | ((kit: ColumnKit<R>) => Columns<R>);
  /** Names of its clauses in order, where they are not the columns' or not all of them: `status since until`. */
  readonly clauses?: string;
  /** Names of its fields in order, likewise. */
  readonly fields?: string;
  readonly title?: Title<R>;
}

/** A collection of the goal algebra. Throws where `clauses` or `fields` name what no column brings. */
export function defineCollection<R extends TableRow>(declared: CollectionOptions<R>): Collection {
  const {
    kind,
    app,
    table,
    includes: base,
    nouns,
    list,
    key,
    allowsWhole: whole,
    title,
  } = declared;
  const brought =
    typeof declared.columns === "function" ? declareColumns(declared.columns) : declared.columns;
  const { api, args } = typeof list === "string" ? { api: list, args: undefined } : list;
  const collection: Collection<R> = {
    name: declared.name ?? kind,
    kind,
    app,
    table,
    includes: toPredicate(base ?? {}),
    nouns,
    list: { api: `${app}.${api}`, ...(args === undefined ? {} : { args }) },
    key: key ?? "id",
    allowsWhole: whole ?? false,
    clauses: selectByName(declared, "clauses", clausesOfColumns(brought)),
    fields: selectByName(declared, "fields", fieldsOfColumns(brought)),
    ...(title ? { title } : {}),
  };
  return collection as unknown as Collection;
}

const clausesOfColumns = <R extends TableRow>(columns: Columns<R>): Clause<R>[] =>
  Object.entries(columns).flatMap(([name, { clauses }]) => clauses(name));

const fieldsOfColumns = <R extends TableRow>(columns: Columns<R>): Field<R>[] =>
  Object.entries(columns).flatMap(([name, { field }]) => field?.(name) ?? []);

function selectByName<T extends { readonly name: string }>(
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
type TitleOptions<R extends TableRow> = {
  readonly nameOf: (row: R) => string;
  /** Names that no row has. */
  readonly missing: readonly string[];
} & ({ readonly find: (title: string) => string } | Pick<Title<R>, "cells">);

/** How one row of a collection is named: `$` is its title, which a property or a function of the row gives. */
export function titleBy<R extends TableRow>(naming: TitleOptions<R>): NeedsPhrase<Title<R>>;
export function titleBy<R extends TableRow>(
  property: keyof R & string,
  find: ((title: string) => string) | Pick<Title<R>, "cells">,
  missing: string,
): NeedsPhrase<Title<R>>;
export function titleBy<R extends TableRow>(
  of: TitleOptions<R> | (keyof R & string),
  find: ((title: string) => string) | Pick<Title<R>, "cells"> = String,
  missing = "",
): NeedsPhrase<Title<R>> {
  if (typeof of === "string") {
    const way = typeof find === "function" ? { find } : find;
    return titleBy({ nameOf: (row) => String(row[of]), missing: wordList(missing), ...way });
  }
  return phraseTag((phrase) => ({
    of: of.nameOf,
    nouns: (title) => phraseAlternatives(phrase, title),
    cells: "cells" in of ? of.cells : (title, out) => [storeAndPrint(out, of.find(title))],
    missing: of.missing,
  }));
}
