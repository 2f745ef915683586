/** What the parts of contacts and messages share: who can be reached, clauses of one shape, and code that reads whole lists. */
import {
  type Alternatives,
  allItemsExpression,
  alternatives,
  type Clause,
  type Column,
  type ColumnKit,
  type DrawContext,
  declareColumns,
  distinctFromEach,
  drawnOnlyIf,
  drawnOnlyIfMixed,
  drawSelectiveValue,
  type Filter,
  type FoundValue,
  type Ingredient,
  jsLiteral,
  type NeedsPhrase,
  type Person,
  propertyOfMembers,
  referencedIn,
  relationBetween,
  type SourceSpec,
  type Value,
} from "bowline/goals";
import type { Table, TableRow } from "bowline/world";
import { type Group, groups, members } from "../../apps/tables.ts";
import { NOW } from "../../population/time.ts";

/** Instants are not content; any will do. */
export const AT = NOW;

export { shifted } from "../days.ts";

/** Groups all of whose members may be named: there is at least one. */
export function ownGroups({ db, people }: DrawContext): readonly Group[] {
  const own = new Set(people.map(({ id }) => id));
  return db.all(groups).filter((group) => {
    const inside = db.where(members, { group: group.id });
    return inside.length > 0 && inside.every(({ person }) => own.has(person));
  });
}

/** One of them. */
export const ownGroup: Ingredient<Group> = (draw) => {
  const own = ownGroups(draw);
  if (own.length === 0) return undefined;
  const value = draw.rng.pick(own);
  return { value, words: value.name, code: jsLiteral(value.name) };
};

type OfPerson = { readonly person: number };

/** Somebody to name who has such rows, and those rows: at least one. */
export function whose<R extends OfPerson>(
  draw: DrawContext,
  rows: readonly R[],
): { readonly person: Value<Person>; readonly own: readonly R[] } | undefined {
  const person = draw.person(rows.map((row) => row.person));
  return person && { person, own: rows.filter((row) => row.person === person.value.id) };
}

/** A value that an app knows of somebody: `find` says whose, `say` what it is. */
export const known = <T, F extends { readonly person: Value<Person> }>(
  source: (stem: string, find: (draw: DrawContext) => FoundValue<T> | undefined) => SourceSpec,
  find: (draw: DrawContext) => F | undefined,
  say: (found: F) => FoundValue<T>,
): SourceSpec =>
  source("v", (draw) => {
    const found = find(draw);
    return found && { ...say(found), uses: [found.person] };
  });

type Code = Filter<TableRow>["code"];

export { drawnOnlyIf, drawnOnlyIfMixed as some };

/** A property that some of the rows have. */
export const flag =
  <R extends TableRow>(...what: Parameters<ColumnKit<R>["withProperty"]>): NeedsPhrase<Column<R>> =>
  (...phrase) =>
    drawnOnlyIfMixed(
      declareColumns<R>(({ withProperty }) => ({ it: withProperty(...what)(...phrase) })).it!,
    );

type Flags<R> = { [P in keyof R]: R[P] extends boolean ? P : never }[keyof R] & string;

/** Rows with a mark (or without), for which the list API has an argument of the same name. */
export const marked = <R extends TableRow>(
  mark: Flags<R>,
  excludes: readonly string[] = [],
  yes = true,
): NeedsPhrase<Column<R>> =>
  flag<R>((row) => row[mark] === yes, { args: `${mark}:${yes}` }, { excludes });

export const has = (text: string, word: string): boolean => text.toLowerCase().includes(word);

const mentioning = (word: string): Alternatives => alternatives`that mention ${jsLiteral(word)}
  | with the word ${jsLiteral(word)} in them | that contain the word ${jsLiteral(word)}
  | in which ${jsLiteral(word)} is mentioned | that have ${jsLiteral(word)} in their text`;

/** A word that some of the texts have in them and others have not; case is ignored. */
export interface Mentions {
  readonly words: readonly string[];
  /** How code narrows, from the literal of the word. */
  readonly code: (literal: string) => Code;
  readonly phrase?: (word: string) => Alternatives;
  readonly excludes?: readonly string[];
}

export const mentions = <R extends TableRow>(of: (row: R) => string, said: Mentions): Column<R> => {
  const { words, code, phrase = mentioning, excludes = [] } = said;
  const draw: Clause<R>["draw"] = ({ rng }, rows) => {
    const told = words.flatMap((word) => rows.filter((row) => has(of(row), word)).map(() => word));
    const word = drawSelectiveValue(rng, told);
    if (word === undefined) return undefined;
    return { words: phrase(word), holds: (row) => has(of(row), word), code: code(jsLiteral(word)) };
  };
  return drawnOnlyIfMixed({ clauses: (name) => [{ name, excludes, draw }] });
};

export { allItemsExpression as every, distinctFromEach as through };

/** From rows to the people they are about, whom the list API tells as `property`. */
export const toPeople = (
  from: string,
  table: Table<TableRow & { readonly person: number | null }>,
  api: string,
  property: string,
  args = "",
): ReturnType<typeof relationBetween> =>
  relationBetween(from, "people", {
    relatedIds: referencedIn(table, "person"),
    code: propertyOfMembers(api, property, args),
  });

/** The keys in a list that are a name: one or none. */
export const namedIn = (api: string) => (name: string) =>
  `${allItemsExpression(api)}.map(x=>x.name).filter(x=>x===${jsLiteral(name)})`;
