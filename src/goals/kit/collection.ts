/**
 * Collections of rows, declared by their columns: what one list API returns.
 *
 *     export const alarms = defineCollection<Alarm>({
 *       kind: "alarms", app: "clock", table: alarmRows, list: "alarms",
 *       nouns: nouns`alarm(s) of mine | ...`,
 *       columns: ({ choice, number }) => ({ label: choice(...)`...`, hour: number(...) }),
 *     });
 */
import type { Table, TableRow } from "../../world/index.ts";
import type { Alternatives, Clause, Collection, Field, Noun, Title } from "../parts.ts";
import { atLeastOrAtMost } from "./at-least-or-at-most.ts";
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
import { type RowCondition, toPredicate } from "./row-condition.ts";

/** The functions with which columns and clauses are declared, for rows of one type. */
const makeColumnKit = <R extends TableRow>() => ({
  ...{
    byArgument: byArgument,
    atLeast,
    atMost,
    alternatives: alternatives,
    superlatives: superlatives,
    byItemProperty: byItemProperty,
    atLeastOrAtMost: atLeastOrAtMost,
  },
  text: textColumn<R>,
  number: numberColumn<R>,
  money: moneyColumn<R>,
  day: dayColumn<R>,
  choice: choiceColumn<R>,
  withProperty: withProperty<R>,
  withOrWithout: withOrWithout<R>,
  person: personColumn<R>,
  matchingValue: <T extends string | number>(...given: Parameters<typeof matchingValue<R, T>>) =>
    matchingValue<R, T>(...given),
  drawnClause: drawnClause<R>,
});
/** The functions that a collection passes to the declaration of its columns. */
export type ColumnKit<R extends TableRow> = ReturnType<typeof makeColumnKit<R>>;

/** Columns by their names, in order. */
export type Columns<R extends TableRow> = { readonly [name: string]: Column<R> };

/** Declares columns that several collections share. Each collection selects the clauses and fields that it names. */
export const declareColumns = <R extends TableRow>(
  declare: (kit: ColumnKit<R>) => Columns<R>,
): Columns<R> => declare(makeColumnKit<R>());

/** The declaration of a collection. */
export interface CollectionOptions<R extends TableRow> {
  readonly kind: string;
  /** The name of the collection. Default: its kind. */
  readonly name?: string;
  readonly app: string;
  readonly table: Table<R>;
  /** A condition for the rows that the list API returns; by default it returns all rows. */
  readonly includes?: RowCondition<R>;
  /** What its things are called, one and several: `` nouns`order(s) in the shop | order / orders of mine | ...` ``. */
  readonly nouns: Alternatives<Noun>;
  /** The list API of the app, with the arguments that `includes` requires. */
  readonly list: string | { readonly api: string; readonly args: string };
  /** The property of an item that holds the key; `id` by default. */
  readonly key?: string;
  /** True when "all of them", without any clause, is a reasonable request. */
  readonly allowsWhole?: boolean;
  readonly columns: Columns<R> | ((kit: ColumnKit<R>) => Columns<R>);
  /** The names of its clauses, in order, such as `status since until`; by default all clauses that its columns have. */
  readonly clauses?: string;
  /** The names of its fields, in order; by default all fields that its columns have. */
  readonly fields?: string;
  readonly title?: Title<R>;
}

/** Makes a collection. Throws when `clauses` or `fields` contain a name that no column has. */
export function defineCollection<R extends TableRow>(declared: CollectionOptions<R>): Collection {
  const { kind, app, table, includes, nouns, list, key, allowsWhole, title } = declared;
  const brought =
    typeof declared.columns === "function" ? declareColumns(declared.columns) : declared.columns;
  const { api, args } = typeof list === "string" ? { api: list, args: undefined } : list;
  const collection: Collection<R> = {
    name: declared.name ?? kind,
    kind,
    app,
    table,
    includes: toPredicate(includes ?? {}),
    nouns,
    list: { api: `${app}.${api}`, ...(args === undefined ? {} : { args }) },
    key: key ?? "id",
    allowsWhole: allowsWhole ?? false,
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
          `the collection ${declared.kind} lists "${name}" in its ${what}; its columns have ${known}`,
        );
      }) ?? all
  );
}

/**
 * How a row is named, and how code finds it: by an expression for a list with its key, or by cells that set this list.
 */
type TitleOptions<R extends TableRow> = {
  readonly nameOf: (row: R) => string;
  /** Invented names that no row has, for tasks about something that does not exist. */
  readonly missing: readonly string[];
} & ({ readonly find: (title: string) => string } | Pick<Title<R>, "cells">);

/** Says how one row of a collection is named. `$` is its title, from a column or a function of the row. */
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
    nameOf: of.nameOf,
    nouns: (title) => phraseAlternatives(phrase, title),
    cells: "cells" in of ? of.cells : (title, out) => [storeAndPrint(out, of.find(title))],
    missing: of.missing,
  }));
}
