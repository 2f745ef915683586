/**
 * Claims: what each part of a drawn goal means in the start state, beside the code that must find the same.
 *
 * A task whose solution fails shows which calls went wrong, but not which part is to blame: a clause whose code selects
 * other rows than it means, a field that reads another property, a relation that forgets a page. A claim is one pair of
 * meaning and code. When a solution fails, the world's check tests the claims and names the first that is false.
 */
import type { Claim, Reader, TableRow } from "../world/index.ts";
import type { Collection, Fact, Field, Filter, Source, Value } from "./parts.ts";

/** Returns the claims of a drawn part. The expected values are read from the given state. */
export type Claims = (db: Reader) => readonly Claim[];

export const joinClaims =
  (...all: readonly Claims[]): Claims =>
  (db) =>
    all.flatMap((claims) => claims(db));

const SELECTION_RULE = "its code should select exactly the rows that the part means";

/**
 * Makes a claim that code leaves the meant rows in a variable, as a list of keys. Keys are ids, or handles if people
 * are meant.
 */
function makeSelectionClaim(
  part: string,
  cells: readonly string[],
  keys: string,
  ids: readonly number[],
): Claim {
  return {
    part,
    rule: SELECTION_RULE,
    cells: [...cells, `print(JSON.stringify(${keys}))`],
    expected: ids,
  };
}

export const qualifiedName = ({
  app,
  name,
}: {
  readonly app: string;
  readonly name: string;
}): string => `${app}.${name}`;

/**
 * Makes claims about a list of a collection: one about the whole list, and one about the list narrowed by each single
 * clause.
 */
export function makeCollectionClaims(
  collection: Collection,
  filters: readonly (readonly [name: string, filter: Filter<TableRow>])[],
  keys: string,
  list: (filters: readonly Filter<TableRow>[]) => readonly string[],
  meant: (filters: readonly Filter<TableRow>[], db: Reader) => readonly number[],
): Claims {
  const whole = `collection ${qualifiedName(collection)}`;
  const claim = (part: string, some: readonly Filter<TableRow>[], db: Reader) =>
    makeSelectionClaim(part, list(some), keys, meant(some, db));
  return (db) => [
    claim(whole, [], db),
    ...filters.map(([name, filter]) => claim(`clause ${name} of ${whole}`, [filter], db)),
  ];
}

/**
 * Makes a claim about the keys that a part leaves in a variable, such as a row with a title or what a relation leads
 * to.
 */
export const makeKeysClaim =
  (
    part: string,
    cells: readonly string[],
    keys: string,
    ids: (db: Reader) => readonly number[],
  ): Claims =>
  (db) => [makeSelectionClaim(part, cells, keys, ids(db))];

/** Makes a claim about the values of a field in the items of a list, in any order. */
export const makeFieldClaim =
  (
    collection: Collection,
    field: Field<never>,
    cells: readonly string[],
    items: string,
    rows: (db: Reader) => readonly TableRow[],
  ): Claims =>
  (db) => [
    {
      part: `field ${field.name} of collection ${qualifiedName(collection)}`,
      rule: "its code should read the values that the field means",
      cells: [...cells, `print(JSON.stringify(${items}.map(x=>${field.code})))`],
      expected: rows(db).map((row) => (field as unknown as Field<TableRow>).value(row, db)),
    },
  ];

export const makeFactClaim =
  (fact: Fact): Claims =>
  (db) => [
    {
      part: `fact ${qualifiedName(fact)}`,
      rule: "its code should give the number that the fact means",
      cells: [`print(JSON.stringify([${fact.code}]))`],
      expected: [fact.value(db)],
    },
  ];

/** Makes claims about values that a solution looks up. Money is in cents in the value and in dollars in code. */
export const makeSourceClaims =
  (source: Source | undefined, values: readonly Value<unknown>[]): Claims =>
  () =>
    !source
      ? []
      : values
          .filter(({ cells }) => cells.length > 0)
          .filter(({ value }) => typeof value !== "object")
          .map(({ cells, code, value }) => ({
            part: `source ${qualifiedName(source)}`,
            rule: "its code should find the value that the source means",
            cells: [...cells, `print(JSON.stringify([${code}]))`],
            expected: [source.type === "money" ? Number(value) / 100 : value],
          }));
