/**
 * Functions that the parts of contacts and messages use: they draw groups and people that a task may name, make clauses
 * of the same form, and write code that reads whole lists.
 */
import {
  type Alternatives,
  allItemsExpression,
  alternatives,
  type Clause,
  type Column,
  type ColumnKit,
  type DrawContext,
  declareColumns,
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

/** Checks ignore times, so this time is arbitrary. */
export const ANY_TIME = NOW;

/** Returns the groups that have members and whose members may all be named. */
export function nameableGroups({ db, people }: DrawContext): readonly Group[] {
  const nameableIds = new Set(people.map(({ id }) => id));
  return db.all(groups).filter((group) => {
    const memberRows = db.where(members, { group: group.id });
    return memberRows.length > 0 && memberRows.every(({ person }) => nameableIds.has(person));
  });
}

/** Draws one of the groups that may be named. */
export const drawNameableGroup: Ingredient<Group> = (draw) => {
  const own = nameableGroups(draw);
  if (own.length === 0) return undefined;
  const value = draw.rng.pick(own);
  return { value, words: value.name, code: jsLiteral(value.name) };
};

type RowOfPerson = { readonly person: number };

/** Draws a person whom the task may name and who has at least one of the rows, with those rows. */
export function drawPersonWithRows<R extends RowOfPerson>(
  draw: DrawContext,
  rows: readonly R[],
): { readonly person: Value<Person>; readonly own: readonly R[] } | undefined {
  const person = draw.person(rows.map((row) => row.person));
  return person && { person, own: rows.filter((row) => row.person === person.value.id) };
}

/**
 * Makes a source for a value that belongs to a person in an app. `find` draws the person, and `describe` returns the
 * value.
 */
export const sourceOfPerson = <T, F extends { readonly person: Value<Person> }>(
  source: (stem: string, find: (draw: DrawContext) => FoundValue<T> | undefined) => SourceSpec,
  find: (draw: DrawContext) => F | undefined,
  describe: (found: F) => FoundValue<T>,
): SourceSpec =>
  source("v", (draw) => {
    const found = find(draw);
    return found && { ...describe(found), uses: [found.person] };
  });

type NarrowingCode = Filter<TableRow>["code"];

/** Makes a column for a property that some of the rows have, but not all. */
export const mixedPropertyColumn =
  <R extends TableRow>(...what: Parameters<ColumnKit<R>["withProperty"]>): NeedsPhrase<Column<R>> =>
  (...phrase) =>
    drawnOnlyIfMixed(
      declareColumns<R>(({ withProperty }) => ({ it: withProperty(...what)(...phrase) })).it!,
    );

type BooleanColumn<R> = { [P in keyof R]: R[P] extends boolean ? P : never }[keyof R] & string;

/** Makes a column for rows with or without a mark. The list API has an argument with the name of the mark. */
export const markColumn = <R extends TableRow>(
  mark: BooleanColumn<R>,
  excludes: readonly string[] = [],
  yes = true,
): NeedsPhrase<Column<R>> =>
  mixedPropertyColumn<R>((row) => row[mark] === yes, { args: `${mark}:${yes}` }, { excludes });

export const containsWord = (text: string, word: string): boolean =>
  text.toLowerCase().includes(word);

const mentionPhrase = (word: string): Alternatives => alternatives`that mention ${jsLiteral(word)}
  | with the word ${jsLiteral(word)} in them | that contain the word ${jsLiteral(word)}
  | in which ${jsLiteral(word)} is mentioned | that have ${jsLiteral(word)} in their text`;

/**
 * The words among which a clause on texts draws. The drawn word occurs in some texts but not in all. Case is ignored.
 */
export interface MentionOptions {
  readonly words: readonly string[];
  /** Writes the code that narrows the list, given the word as a literal. */
  readonly code: (literal: string) => NarrowingCode;
  readonly phrase?: (word: string) => Alternatives;
  readonly excludes?: readonly string[];
}

export const mentionColumn = <R extends TableRow>(
  textOf: (row: R) => string,
  options: MentionOptions,
): Column<R> => {
  const { words, code, phrase = mentionPhrase, excludes = [] } = options;
  const draw: Clause<R>["draw"] = ({ rng }, rows) => {
    const wordsInRows = words.flatMap((word) =>
      rows.filter((row) => containsWord(textOf(row), word)).map(() => word),
    );
    const word = drawSelectiveValue(rng, wordsInRows);
    if (word === undefined) return undefined;
    return {
      words: phrase(word),
      holds: (row) => containsWord(textOf(row), word),
      code: code(jsLiteral(word)),
    };
  };
  return drawnOnlyIfMixed({ clauses: (name) => [{ name, excludes, draw }] });
};

/**
 * Makes a relation from rows to the people whom they are about. The property `property` of an item of the list API
 * holds the person.
 */
export const relationToPeople = (
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

/** Writes an expression for a list with the key that equals a name, or an empty list when there is none. */
export const keysWithNameCode = (api: string) => (name: string) =>
  `${allItemsExpression(api)}.map(x=>x.name).filter(x=>x===${jsLiteral(name)})`;
