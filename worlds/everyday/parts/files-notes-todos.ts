/**
 * Functions that the parts of files, notes and todos use: they draw clauses on words, find things by name, and write
 * code that reads pages.
 */
import {
  type Action,
  type ActionCall,
  type ActionKit,
  type ActionSpec,
  type Alternatives,
  alternatives,
  type Clause,
  type DrawContext,
  drawSelectiveValue,
  jsLiteral,
  type NeedsPhrase,
  type RowCondition,
  storeAndPrint,
  type Title,
  titleBy,
  type Value,
  wordList,
} from "bowline/goals";
import type { Reader, Table, TableRow, Writer } from "bowline/world";
import { people } from "../apps/tables.ts";

/**
 * Draws a clause for rows whose text contains a word, ignoring case. Some row has the word in lower case, so the word
 * is not a name. `textCode` is an expression for the text of the item `x`.
 */
export const drawWordClause =
  <R extends TableRow>(
    textOf: (row: R) => string,
    textCode: string,
    words: (word: string) => Alternatives,
  ): Clause<R>["draw"] =>
  ({ rng }, rows) => {
    const lowerCaseWords = rows.flatMap((row) => [
      ...new Set(textOf(row).match(/(?<![A-Za-z])[a-z]{5,}(?![A-Za-z])/g) ?? []),
    ]);
    const word = drawSelectiveValue(rng, lowerCaseWords);
    if (word === undefined) return undefined;
    return {
      words: words(word),
      holds: (row) =>
        textOf(row)
          .toLowerCase()
          .match(/[a-z]+/g)
          ?.includes(word) ?? false,
      code: {
        test: `(${textCode}.toLowerCase().match(/[a-z]+/g)||[]).includes(${jsLiteral(word)})`,
      },
    };
  };

/**
 * Draws a clause for things of other people in which the owner has a role. `roleOf` returns "owner" for the owner's
 * things.
 */
export const drawRoleClause =
  <R extends TableRow>(roleOf: (row: R) => "owner" | "viewer" | "editor"): Clause<R>["draw"] =>
  ({ rng }, rows) => {
    const roles = rows.map(roleOf).filter((role) => role !== "owner");
    const role = drawSelectiveValue(rng, roles);
    if (role === undefined) return undefined;
    const mayEdit = role === "editor";
    return {
      words: alternatives`where I am ${mayEdit ? "an editor" : "a viewer"}
        | for which my role is "${role}" | that I ${mayEdit ? "may edit" : "may only view"}
        | with the role "${role}" for me | in which I have the role "${role}"`,
      holds: (row) => roleOf(row) === role,
      code: { args: `role:${jsLiteral(role)}` },
    };
  };

/** Describes a kind of things that a task calls by name, such as `my note "Soup"`. */
export interface NamedThings<R extends TableRow> {
  readonly app: string;
  readonly table: Table<R>;
  readonly noun: "todo" | "note" | "file";
  /** The property of the items that holds the name. */
  readonly key: "title" | "name";
  readonly nameOf: (row: R) => string;
}

export function makeNameKit<R extends TableRow>({ app, table, noun, key, nameOf }: NamedThings<R>) {
  /** Writes an expression for the items with this name. */
  const itemsCode = (name: string) =>
    `apis.${app}.search({query:${jsLiteral(name)},size:20}).items.filter(x=>x.${key}===${jsLiteral(name)})`;

  /** Makes a value that the solution finds by its name. */
  function findByName<T>(
    draw: DrawContext,
    name: string,
    value: T,
    setup?: (db: Writer) => void,
  ): Value<T> {
    const code = draw.variable(noun.charAt(0));
    const cells = [storeAndPrint(code, `${itemsCode(name)}[0].id`)];
    const words = `my ${noun} ${jsLiteral(name)}`;
    return { value, words, code, cells, apps: [app], ...(setup ? { setup } : {}) };
  }

  /** Draws a row for which `fits` returns true and whose name no other row has. */
  function drawNamed(
    draw: DrawContext,
    fits: (row: R, db: Reader) => boolean,
  ): Value<R> | undefined {
    const all = draw.db.all(table);
    const names = all.map(nameOf);
    const isUnique = (name: string) => names.indexOf(name) === names.lastIndexOf(name);
    const rows = all.filter((row) => fits(row, draw.db) && isUnique(nameOf(row)));
    if (rows.length === 0) return undefined;
    const row = draw.rng.pick(rows);
    return findByName(draw, nameOf(row), row);
  }

  const makeTitle = (what: string, missing: string): Title<R> =>
    titleBy<R>({
      nameOf,
      find: (name) => `${itemsCode(name)}.map(x=>x.id)`,
      missing: wordList(missing),
    })`my ${what} "$" | the ${what} called "$" | my ${what} with the ${key} "$"
      | the ${what} of mine that is called "$" | the ${what} "$" of mine`;

  return { itemsCode, findByName, drawNamed, makeTitle };
}

type RelationCells = (from: string, to: string) => string[];

/** Writes cells that store in `to` the distinct values of `key` on all pages of `call`, for each `f` of `from`. */
export const distinctOverPages =
  (call: string, key: string): RelationCells =>
  (from, to) => {
    const pages = `let p=1,r;do{r=${call};${to}.push(...r.items.map(x=>x.${key}))}while(r.more)`;
    return [`var ${to}=[];for(const f of ${from}){${pages}}${to}=[...new Set(${to})];print(${to})`];
  };

/**
 * Writes cells that store in `to` the distinct values of an expression (or of a spread list) for each `f` of `from`.
 */
export const distinctForEach =
  (expression: string): RelationCells =>
  (from, to) => [
    `var ${to}=[];for(const f of ${from})${to}.push(${expression});${to}=[...new Set(${to})];print(${to})`,
  ];

/** Writes an expression for the number of items on all pages of `call`. */
export const countItemsCode = (call: string): string =>
  `(()=>{let n=0,p=1,r;do{r=${call};n+=r.items.length}while(r.more);return n})()`;

/**
 * Makes an action that changes a thing's row in another table, such as a note's traits. It applies only to things whose
 * row has other values so far. `applies` is the kit's function; `readSideRow` and `writeSideRow` read and write the
 * row.
 */
export const changeSideTable =
  <R extends TableRow, F extends object>(
    readSideRow: (db: Reader, id: number) => F,
    writeSideRow: (db: Writer, id: number, patch: Partial<F>) => void,
  ) =>
  (
    { applies }: Pick<ActionKit<R>, "applies">,
    patch: Partial<F>,
    how: ActionCall<R>,
  ): NeedsPhrase<ActionSpec<R>> => {
    const keys = Object.keys(patch) as (keyof F)[];
    const hasOtherValue: RowCondition<R> = ({ id }, db) => {
      const now = readSideRow(db, id);
      return keys.some((key) => now[key] !== patch[key]);
    };
    const when = [hasOtherValue, how.when ?? {}];
    return applies((db, { id }) => writeSideRow(db, id, patch), { ...how, when });
  };

/** Returns the ids of contacts who are not blocked. */
export const idsOfUnblockedContacts = ({ db }: DrawContext): number[] =>
  db.where(people, { blocked: false }).map(({ id }) => id);

/**
 * Makes the phrase of an action that shares things with one person, for whom `$person` stands, in a role, for which
 * `$role` stands.
 */
export const sharePhrase = (app: string) => `With $person as $role, share #
  | In the ${app} app, make $person $role of # | Let $person have access as $role to #
  | Give $person the role $role for # | Give $person access, with the role $role, to #`;

/** The phrase for adding a tag. */
export const addTagPhrase = (
  app: string,
) => `Add the tag "$" to # | In the ${app} app, add the tag "$"
  to # | Put the tag "$" on # | With the tag "$", mark # | Attach the tag "$" to #`;

/** The phrase for putting a text in front of the title. */
export const PREFIX_TITLE_PHRASE = `Put "$" in front of the title of # | Prefix the title with "$", for #
  | Write "$" before the title of #
  | Put "$" in front of the title of # | Let "$" stand before the title of #`;

/** Selects the named actions, in this order, for rows of another kind. */
export const selectActions = (kind: string, actions: readonly Action[], names: string): Action[] =>
  names.split(" ").flatMap((name) => {
    return actions.filter((action) => action.name === name).map((action) => ({ ...action, kind }));
  });
