/**
 * Clauses that music and photos draw alike, beyond the kit: a bound from either side, a property that
 * is asked for more often than its absence, a name that the split may say; and code by
 * which their relations follow keys.
 *
 *     year: day((row) => row.year, { item: "year" }, within("year")`from $ | released in $ | ...`),
 *
 * says `from 1999 or earlier` or `from 2012 or later`.
 */
import {
  asked,
  type atLeast,
  type Clause,
  type ClauseOptions,
  type Column,
  centsAtLeast,
  centsAtMost,
  type Draw,
  dayWords,
  dollars,
  type Filter,
  type Forms,
  forms,
  js,
  largest,
  moneyWords,
  smallest,
  type Tagged,
} from "../../../../goals/index.ts";
import type { Reader, TableRow } from "../../../../world/index.ts";

export type Code = Filter<TableRow>["code"];
type Cell = string | number;
export type Options = Pick<ClauseOptions, "excludes">;

/** A phrase whose `$` is said later. */
export type Blank<T> = (phrase: TemplateStringsArray) => T;

export const blank =
  <T>(make: (words: (value: string) => Forms) => T): Blank<T> =>
  ([text]) => {
    const pieces = text!.split("$");
    const template = Object.assign(pieces, { raw: pieces });
    return make((value) => forms(template, ...pieces.slice(1).map(() => value)));
  };

export const clauseOf = <R extends TableRow>(
  draw: Clause<R>["draw"],
  { excludes }: Options,
): Column<R> => ({ clauses: (name) => [{ name, ...(excludes ? { excludes } : {}), draw }] });

// --- clauses ---

/** Bounds a column, like the kit's `atLeast`. */
type Bound = ReturnType<ReturnType<typeof atLeast>>;

interface Within extends Options {
  /** The chance that the bound is from above; absent: one half. Nothing is drawn where it is 0. */
  readonly below?: number;
  /** What is made of the bound that was drawn; undefined where it is no good. */
  readonly limit?: (drawn: number) => number | undefined;
  readonly says?: (limit: number) => string;
  /** How code narrows, where it is not by a test of the item. */
  readonly code?: (literal: string, below: boolean) => Code;
}

function sided(limit: Cell, below: boolean, type: string, says: Within["says"]) {
  if (type === "day") {
    const when = typeof limit === "string" ? dayWords(limit) : limit;
    return `${when} or ${below ? "earlier" : "later"}`;
  }
  const told = (type === "money" ? moneyWords : (says ?? String))(Number(limit));
  return `${below ? "at most" : "at least"} ${told}`;
}

function bound(rng: Draw["rng"], type: string, below: boolean, cells: readonly Cell[]) {
  if (type === "money") return (below ? centsAtMost : centsAtLeast)(rng, cells as number[]);
  return (below ? smallest : largest)(rng, cells);
}

/** A bound from above or from below: `at most $20`, `at least 3`, `19 March 2026 or later`. */
export const within = (name: string, options: Within = {}): Blank<Bound> =>
  blank<Bound>((words) => ({ type, of, at }) => ({
    name,
    ...(options.excludes ? { excludes: options.excludes } : {}),
    draw: ({ rng, db }, rows) => {
      const cells = rows.map((row) => of(row, db)!);
      const below = options.below !== 0 && rng.chance(options.below ?? 0.5);
      const drawn = bound(rng, type, below, cells);
      const limit = options.limit && drawn !== undefined ? options.limit(Number(drawn)) : drawn;
      if (limit === undefined) return undefined;
      const literal = type === "money" ? dollars(Number(limit)) : js(limit);
      const test = `${at.code ?? `x.${at.item}`}${below ? "<=" : ">="}${literal}`;
      return {
        words: words(sided(limit, below, type, options.says)),
        holds: (row, reader) => {
          const cell = of(row, reader)!;
          return below ? cell <= limit : cell >= limit;
        },
        code: options.code?.(literal, below) ?? { test },
      };
    },
  }));

interface Likely extends Options {
  /** Not drawn where all rows have the property, or none. */
  readonly mixed?: boolean;
}

/** Rows with a property, by this chance, or else those without it; first the phrase for the former. */
export const likely =
  <R extends TableRow>(
    chance: number,
    holds: (row: R, db: Reader) => boolean,
    code: (yes: boolean) => Code,
    { mixed = false, ...options }: Likely = {},
  ): Tagged<Tagged<Column<R>>> =>
  (...yes) =>
  (...no) =>
    clauseOf(({ rng, db }, rows) => {
      const having = rows.filter((row) => holds(row, db)).length;
      if (mixed && (having === 0 || having === rows.length)) return undefined;
      const wanted = rng.chance(chance);
      return {
        words: wanted ? forms(...yes) : forms(...no),
        holds: (row, reader) => holds(row, reader) === wanted,
        code: code(wanted),
      };
    }, options);

/** The same of a column that is true or false: an argument of the list API, or shown by items. */
export const flag = <R extends TableRow>(
  chance: number,
  property: keyof R & string,
  { arg, ...options }: Likely & { readonly arg?: string } = {},
) =>
  likely<R>(
    chance,
    (row) => row[property] === true,
    (yes) => (arg ? asked(arg)(yes) : { test: `${yes ? "" : "!"}x.${property}` }),
    options,
  );

/** Rows with one of the names that tasks of the split may say; a row may have several. */
export const spoken = <R extends TableRow>(
  names: (split: Draw["split"]) => readonly string[],
  of: (row: R, db: Reader) => string | null | readonly string[],
  code: (literal: string) => Code,
  options: Options = {},
): Blank<Column<R>> => {
  const has = (row: R, db: Reader, name: string) => [of(row, db)].flat().includes(name);
  return blank((words) =>
    clauseOf(({ rng, db, split }, rows) => {
      const some = names(split).filter((name) => rows.some((row) => has(row, db, name)));
      if (some.length === 0) return undefined;
      const name = rng.pick(some);
      return {
        words: words(name),
        holds: (row, reader) => has(row, reader, name),
        code: code(js(name)),
      };
    }, options),
  );
};

// --- code of relations ---

/** What one call answers for each key, without repeats. */
export const ofEach = (call: string) => (from: string) =>
  `[...new Set(${from}.map(x=>apis.${call}))]`;

/** What the items of one call say for each key, without repeats. */
export const ofItems = (call: string, property: string) => (from: string) =>
  `[...new Set(${from}.flatMap(x=>apis.${call}.items.map(y=>y.${property})))]`;

/** The ids on all pages of a call for each key, without repeats. */
export const ofPages = (call: string) => (from: string, to: string) => [
  `var ${to}=[],p,r;for(const x of ${from}){p=1;do{r=apis.${call};${to}.push(...r.items.map(y=>y.id))}while(r.more)}${to}=[...new Set(${to})];print(${to})`,
];
