/**
 * Claims: what each part of a drawn goal says of the start state, beside the code that ought to find the same.
 *
 * A task whose solution fails tells which calls went wrong, not which part is to blame: a clause whose code selects other rows
 * than it means, a field that reads another property, a relation that forgets a page. Each claim is one such pair; the world's
 * check asks them when a solution fails, and names the first that does not hold.
 */
import type { Claim, Reader, TableRow } from "../world/index.ts";
import type { Collection, Fact, Field, Filter, Source, Value } from "./parts.ts";

/** The claims of a drawn part; meaning is read from the state that is asked. */
export type Claims = (db: Reader) => readonly Claim[];

export const joined =
  (...all: readonly Claims[]): Claims =>
  (db) =>
    all.flatMap((claims) => claims(db));

const SELECTS = "its code selects the rows that it means";

/** What code leaves in a variable is a list of keys; ids where the keys are ids, as many where people are meant. */
function selecting(
  part: string,
  cells: readonly string[],
  keys: string,
  ids: readonly number[],
): Claim {
  return {
    part,
    rule: SELECTS,
    cells: [...cells, `print(JSON.stringify(${keys}))`],
    expected: ids,
  };
}

export const partOf = ({ app, name }: { readonly app: string; readonly name: string }): string =>
  `${app}.${name}`;

/** A list of a collection alone, or narrowed by one clause alone. */
export function claimsOfCollection(
  collection: Collection,
  filters: readonly (readonly [name: string, filter: Filter<TableRow>])[],
  keys: string,
  list: (filters: readonly Filter<TableRow>[]) => readonly string[],
  meant: (filters: readonly Filter<TableRow>[], db: Reader) => readonly number[],
): Claims {
  const whole = `collection ${partOf(collection)}`;
  const claim = (part: string, some: readonly Filter<TableRow>[], db: Reader) =>
    selecting(part, list(some), keys, meant(some, db));
  return (db) => [
    claim(whole, [], db),
    ...filters.map(([name, filter]) => claim(`clause ${name} of ${whole}`, [filter], db)),
  ];
}

/** What a part leaves in a variable: one row by its title, what a relation leads to. */
export const claimOfKeys =
  (
    part: string,
    cells: readonly string[],
    keys: string,
    ids: (db: Reader) => readonly number[],
  ): Claims =>
  (db) => [selecting(part, cells, keys, ids(db))];

/** A field's values over the items that a list gave, in whatever order. */
export const claimOfField =
  (
    collection: Collection,
    field: Field<never>,
    cells: readonly string[],
    items: string,
    rows: (db: Reader) => readonly TableRow[],
  ): Claims =>
  (db) => [
    {
      part: `field ${field.name} of collection ${partOf(collection)}`,
      rule: "its code reads the values that it means",
      cells: [...cells, `print(JSON.stringify(${items}.map(x=>${field.code})))`],
      expected: rows(db).map((row) => (field as unknown as Field<TableRow>).value(row, db)),
    },
  ];

export const claimOfFact =
  (fact: Fact): Claims =>
  (db) => [
    {
      part: `fact ${partOf(fact)}`,
      rule: "its code gives the number that it means",
      cells: [`print(JSON.stringify([${fact.code}]))`],
      expected: [fact.value(db)],
    },
  ];

/** A value that a solution looks up: money is cents in the value and dollars in code. */
export const claimOfSource =
  (source: Source | undefined, values: readonly Value<unknown>[]): Claims =>
  () =>
    !source
      ? []
      : values
          .filter(({ cells }) => cells.length > 0)
          .filter(({ value }) => typeof value !== "object")
          .map(({ cells, code, value }) => ({
            part: `source ${partOf(source)}`,
            rule: "its code finds the value that it means",
            cells: [...cells, `print(JSON.stringify([${code}]))`],
            expected: [source.type === "money" ? Number(value) / 100 : value],
          }));
