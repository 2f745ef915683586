/**
 * One thing that a program finds by its name: the song "Cardboard Sun", my album "Penguins". It stands in a clause, in an
 * action, in a deed, or in what a source finds, and brings the cell that finds it.
 */
import type { Reader, TableRow } from "../../world/index.ts";
import type { Person } from "../language.ts";
import type { Draw, Value } from "../parts.ts";
import { clause } from "./clauses.ts";
import { leaves } from "./code.ts";
import type { ClauseOptions, Code, Column } from "./columns.ts";
import { formsOf, said, type Tagged } from "./phrases.ts";
import type { ActionSpec } from "./spec.ts";
import { withOne } from "./uses.ts";

/** How a sentence calls a thing, and how code finds it. */
export interface Told {
  readonly words: string;
  /** An expression for its key. */
  readonly find: string;
  /** Another variable that `find` needs, with its value: `artist1=...`. */
  readonly given?: string;
}

/** One of the things. */
export function byName<T>(
  draw: Draw,
  stem: string,
  among: readonly T[],
  told: (one: T) => Told,
): Value<T> | undefined {
  if (among.length === 0) return undefined;
  const value = draw.rng.pick(among);
  const code = draw.variable(stem);
  const { words, find, given } = told(value);
  const cell = given ? `var ${given},${code}=${find};print(${code})` : leaves(code, find);
  return { value, words, code, cells: [cell], apps: [] };
}

/** Rows that have to do with one thing, which is found first. */
export const about = <R extends TableRow, T>(
  find: (draw: Draw, rows: readonly R[]) => Value<T> | undefined,
  holds: (row: R, db: Reader, one: T) => boolean,
  code: (one: string) => Code,
  options: Pick<ClauseOptions, "excludes"> = {},
): Tagged<Column<R>> =>
  said((phrase) =>
    clause((draw, rows) => {
      const one = find(draw, rows);
      if (!one) return undefined;
      return {
        words: formsOf(phrase, one.words),
        holds: (row, db) => holds(row, db, one.value),
        code: code(one.code),
        uses: [one],
      };
    }, options),
  );

/** An action that names one thing, which is found first; therefore of difficulty 2. */
export const using = <R extends TableRow, T>(
  find: (draw: Draw) => Value<T> | undefined,
  spec: (one: Value<T>, draw: Draw) => ActionSpec<R> | undefined,
): ActionSpec<R> => ({
  difficulty: 2,
  effect: (draw, on) => withOne(find, (one) => spec(one, draw)?.effect(draw, on))(draw),
});

/** An action that names a contact, whoever it is or one of `among`. */
export const withFriend = <R extends TableRow>(
  spec: (friend: Value<Person>, draw: Draw) => ActionSpec<R> | undefined,
  among?: (db: Reader) => readonly number[],
): ActionSpec<R> => using((draw) => draw.person(among?.(draw.db)), spec);
