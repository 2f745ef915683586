/** What the parts of files, notes and todos have in common: words in texts, things by name, cells that page. */
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
 * Rows whose text has a word, wherever it stands and however it is written. Only words that stand somewhere in small
 * letters are asked for, so no names. `text` is an expression for the text of `x`.
 */
export const saying =
  <R extends TableRow>(
    of: (row: R) => string,
    text: string,
    words: (word: string) => Alternatives,
  ): Clause<R>["draw"] =>
  ({ rng }, rows) => {
    const small = rows.flatMap((row) => [
      ...new Set(of(row).match(/(?<![A-Za-z])[a-z]{5,}(?![A-Za-z])/g) ?? []),
    ]);
    const word = drawSelectiveValue(rng, small);
    if (word === undefined) return undefined;
    return {
      words: words(word),
      holds: (row) =>
        of(row)
          .toLowerCase()
          .match(/[a-z]+/g)
          ?.includes(word) ?? false,
      code: { test: `(${text}.toLowerCase().match(/[a-z]+/g)||[]).includes(${jsLiteral(word)})` },
    };
  };

/** Things of others in which the owner has a role; `of` gives "owner" for the owner's own. */
export const inRole =
  <R extends TableRow>(of: (row: R) => "owner" | "viewer" | "editor"): Clause<R>["draw"] =>
  ({ rng }, rows) => {
    const roles = rows.map(of).filter((role) => role !== "owner");
    const role = drawSelectiveValue(rng, roles);
    if (role === undefined) return undefined;
    const edits = role === "editor";
    return {
      words: alternatives`where I am ${edits ? "an editor" : "a viewer"} | for which my role is "${role}"
        | that I ${edits ? "may edit" : "may only view"}
        | with the role "${role}" for me | in which I have the role "${role}"`,
      holds: (row) => of(row) === role,
      code: { args: `role:${jsLiteral(role)}` },
    };
  };

/** What a task calls by name: `my note "Soup"`. */
export interface Papers<R extends TableRow> {
  readonly app: string;
  readonly table: Table<R>;
  readonly noun: "todo" | "note" | "file";
  /** The property of the items that is the name, and what rows have as such. */
  readonly key: "title" | "name";
  readonly nameOf: (row: R) => string;
}

export function papers<R extends TableRow>({ app, table, noun, key, nameOf }: Papers<R>) {
  /** An expression for the items of this name. */
  const items = (name: string) =>
    `apis.${app}.search({query:${jsLiteral(name)},size:20}).items.filter(x=>x.${key}===${jsLiteral(name)})`;

  /** What the solution finds by its name; the value is up to who asks. */
  function called<T>(
    draw: DrawContext,
    name: string,
    value: T,
    setup?: (db: Writer) => void,
  ): Value<T> {
    const code = draw.variable(noun.charAt(0));
    const cells = [storeAndPrint(code, `${items(name)}[0].id`)];
    const words = `my ${noun} ${jsLiteral(name)}`;
    return { value, words, code, cells, apps: [app], ...(setup ? { setup } : {}) };
  }

  /** One that fits, by its name, which no other has. */
  function named(draw: DrawContext, fits: (row: R, db: Reader) => boolean): Value<R> | undefined {
    const all = draw.db.all(table);
    const names = all.map(nameOf);
    const once = (name: string) => names.indexOf(name) === names.lastIndexOf(name);
    const rows = all.filter((row) => fits(row, draw.db) && once(nameOf(row)));
    if (rows.length === 0) return undefined;
    const row = draw.rng.pick(rows);
    return called(draw, nameOf(row), row);
  }

  const title = (what: string, missing: string): Title<R> =>
    titleBy<R>({
      nameOf: nameOf,
      find: (name) => `${items(name)}.map(x=>x.id)`,
      missing: wordList(missing),
    })`my ${what} "$" | the ${what} called "$" | my ${what} with the ${key} "$"
      | the ${what} of mine that is called "$" | the ${what} "$" of mine`;

  return { items, called, named, title };
}

type Cells = (from: string, to: string) => string[];

/** Leaves in `to` the distinct values of `key` on all pages of `call`, for each `f` of `from`. */
export const throughPages =
  (call: string, key: string): Cells =>
  (from, to) => {
    const pages = `let p=1,r;do{r=${call};${to}.push(...r.items.map(x=>x.${key}))}while(r.more)`;
    return [`var ${to}=[];for(const f of ${from}){${pages}}${to}=[...new Set(${to})];print(${to})`];
  };

/** Leaves in `to` the distinct values that an expression, or a spread one, gives for each `f` of `from`. */
export const oneByOne =
  (expression: string): Cells =>
  (from, to) => [
    `var ${to}=[];for(const f of ${from})${to}.push(${expression});${to}=[...new Set(${to})];print(${to})`,
  ];

/** An expression: how many items all pages of `call` have. */
export const countPages = (call: string): string =>
  `(()=>{let n=0,p=1,r;do{r=${call};n+=r.items.length}while(r.more);return n})()`;

/**
 * Sets what stands in a side table, where it is another so far. `applies` is the kit's; `of` and `set` read and write the
 * row of the side table.
 */
export const becoming =
  <R extends TableRow, F extends object>(
    of: (db: Reader, id: number) => F,
    set: (db: Writer, id: number, patch: Partial<F>) => void,
  ) =>
  (
    { applies }: Pick<ActionKit<R>, "applies">,
    patch: Partial<F>,
    how: ActionCall<R>,
  ): NeedsPhrase<ActionSpec<R>> => {
    const keys = Object.keys(patch) as (keyof F)[];
    const another: RowCondition<R> = ({ id }, db) => {
      const now = of(db, id);
      return keys.some((key) => now[key] !== patch[key]);
    };
    const when = [another, how.when ?? {}];
    return applies((db, { id }) => set(db, id, patch), { ...how, when });
  };

/** Somebody with whom something can be shared. */
export const unblocked = ({ db }: DrawContext): number[] =>
  db.where(people, { blocked: false }).map(({ id }) => id);

/** Phrases of what is shared with one `$person` in a `$role`. */
export const sharing = (app: string) => `With $person as $role, share #
  | In the ${app} app, make $person $role of # | Let $person have access as $role to #
  | Give $person the role $role for # | Give $person access, with the role $role, to #`;

/** Phrases of a further tag. */
export const tagging = (app: string) => `Add the tag "$" to # | In the ${app} app, add the tag "$"
  to # | Put the tag "$" on # | With the tag "$", mark # | Attach the tag "$" to #`;

/** Phrases of a new title that is made from the old one. */
export const IN_FRONT = `Put "$" in front of the title of # | Prefix the title with "$", for #
  | Write "$" before the title of #
  | Change the title to "$" and the old title, for # | Let "$" stand before the title of #`;

/** Those of the actions that are named, in this order, for rows of another kind. */
export const under = (kind: string, actions: readonly Action[], names: string): Action[] =>
  names.split(" ").flatMap((name) => {
    return actions.filter((action) => action.name === name).map((action) => ({ ...action, kind }));
  });
