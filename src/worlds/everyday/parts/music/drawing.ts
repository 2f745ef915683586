/**
 * Clauses that music and photos draw alike, beyond the kit: marks that are asked for more often than their absence, names that
 * the split may say; and code by which their relations follow keys.
 */
import {
  asked,
  type Code,
  type Column,
  clause,
  type Draw,
  type EitherOptions,
  either,
  formsOf,
  js,
  said,
  type Tagged,
} from "../../../../goals/index.ts";
import type { Reader, TableRow } from "../../../../world/index.ts";

/** A column that is true or false: an argument of the list API, or shown by items. */
export const flag = <R extends TableRow>(
  chance: number,
  property: keyof R & string,
  { arg, ...options }: EitherOptions & { readonly arg?: string } = {},
): Tagged<Tagged<Column<R>>> =>
  either<R>(
    (row) => row[property] === true,
    (yes) => (arg ? asked(arg)(yes) : { test: `${yes ? "" : "!"}x.${property}` }),
    { chance, ...options },
  );

/** Rows with one of the names that tasks of the split may say; a row may have several. */
export const spoken = <R extends TableRow>(
  names: (split: Draw["split"]) => readonly string[],
  of: (row: R, db: Reader) => string | null | readonly string[],
  code: (literal: string) => Code,
  options: Pick<EitherOptions, "excludes"> = {},
): Tagged<Column<R>> => {
  const has = (row: R, db: Reader, name: string) => [of(row, db)].flat().includes(name);
  return said((phrase) =>
    clause(({ rng, db, split }, rows) => {
      const some = names(split).filter((name) => rows.some((row) => has(row, db, name)));
      if (some.length === 0) return undefined;
      const name = rng.pick(some);
      return {
        words: formsOf(phrase, name),
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
