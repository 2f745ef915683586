/** What the parts of files, notes and todos have in common: clauses of one shape, cells that page, things by name. */

import type { Clause, Filter, Forms } from "../../../goals/index.ts";
import type { Reader, TableRow } from "../../../world/index.ts";
import { atLeast, atMost, oneOfSome } from "./bounds.ts";

export const js = (value: string | number | boolean): string => JSON.stringify(value);

type Code = Filter<TableRow>["code"];

/** Rows that have one of the values that some of them have. */
export function having<R extends TableRow, T extends string | number>(clause: {
  readonly name: string;
  readonly excludes?: readonly string[];
  readonly of: (row: R, db: Reader) => readonly T[];
  readonly words: (value: T) => Forms;
  readonly code: (value: T) => Code;
}): Clause<R> {
  const { name, excludes, of, words, code } = clause;
  return {
    name,
    ...(excludes ? { excludes } : {}),
    draw: ({ rng, db }, rows) => {
      const value = oneOfSome(
        rng,
        rows.flatMap((row) => of(row, db)),
      );
      if (value === undefined) return undefined;
      return {
        words: words(value),
        holds: (row, reader) => of(row, reader).includes(value),
        code: code(value),
      };
    },
  };
}

/** Rows whose value is not below (`from`) or not above (`to`) a bound; rows without one are out. */
export function bounded<R extends TableRow, T extends string | number>(clause: {
  readonly name: string;
  readonly end: "from" | "to";
  readonly excludes?: readonly string[];
  readonly of: (row: R, db: Reader) => T | null;
  readonly words: (bound: T) => Forms;
  readonly code: (bound: T) => Code;
}): Clause<R> {
  const { name, end, excludes, of, words, code } = clause;
  return {
    name,
    ...(excludes ? { excludes } : {}),
    draw: ({ rng, db }, rows) => {
      const values = rows.flatMap((row) => of(row, db) ?? []) as T[];
      const bound = end === "from" ? atLeast(rng, values) : atMost(rng, values);
      if (bound === undefined) return undefined;
      return {
        words: words(bound),
        holds: (row, reader) => {
          const value = of(row, reader);
          return value !== null && (end === "from" ? value >= bound : value <= bound);
        },
        code: code(bound),
      };
    },
  };
}

/** Rows with a property that needs no value. */
export function being<R extends TableRow>(
  name: string,
  words: Forms,
  holds: (row: R, db: Reader) => boolean,
  code: Code,
  excludes?: readonly string[],
): Clause<R> {
  return { name, ...(excludes ? { excludes } : {}), draw: () => ({ words, holds, code }) };
}

/**
 * Rows whose text has a word, wherever it stands and however it is written. Only words that stand somewhere in small
 * letters are asked for, so no names.
 */
export function saying<R extends TableRow>(clause: {
  readonly name: string;
  readonly of: (row: R) => string;
  readonly words: (word: string) => Forms;
  /** An expression for the text of `x`. */
  readonly text: string;
}): Clause<R> {
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];
  return {
    name: clause.name,
    draw: ({ rng }, rows) => {
      const small = rows.flatMap((row) => [
        ...new Set(clause.of(row).match(/(?<![A-Za-z])[a-z]{5,}(?![A-Za-z])/g) ?? []),
      ]);
      const word = oneOfSome(rng, small);
      if (word === undefined) return undefined;
      return {
        words: clause.words(word),
        holds: (row) => wordsOf(clause.of(row)).includes(word),
        code: { test: `(${clause.text}.toLowerCase().match(/[a-z]+/g)||[]).includes(${js(word)})` },
      };
    },
  };
}

/** Leaves in `to` the distinct values of `key` on all pages of `call`, for each `f` of `from`. */
export function throughPages(from: string, to: string, call: string, key: string): string {
  const pages = `let p=1,r;do{r=${call};${to}.push(...r.items.map(x=>x.${key}))}while(r.more)`;
  return `var ${to}=[];for(const f of ${from}){${pages}}${to}=[...new Set(${to})];print(${to})`;
}

/** An expression: how many items all pages of `call` have. */
export function countPages(call: string): string {
  return `(()=>{let n=0,p=1,r;do{r=${call};n+=r.items.length}while(r.more);return n})()`;
}

export const distinct = (ids: readonly number[]): number[] => [...new Set(ids)];
