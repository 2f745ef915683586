/**
 * Things that a program finds by their names, such as the song "Cardboard Sun" or my album "Penguins". Clauses,
 * actions, deeds and sources can be about such a thing. A thing includes the code cell that finds it.
 */
import type { Reader, TableRow } from "../../world/index.ts";
import type { Person } from "../language.ts";
import type { DrawContext, Value } from "../parts.ts";
import type { ActionSpec } from "./action-spec.ts";
import { drawnClause } from "./clauses.ts";
import { storeAndPrint } from "./code.ts";
import type { ClauseOptions, Column, FilterCode } from "./columns.ts";
import { drawThenMake } from "./draw-then-make.ts";
import { type NeedsPhrase, phraseAlternatives, phraseTag } from "./phrases.ts";

/** What a sentence calls a thing, and how code finds it. */
export interface FindableThing {
  readonly words: string;
  /** A JavaScript expression for the key of the thing. */
  readonly find: string;
  /** Another variable that `find` needs, with its value: `artist1=...`. */
  readonly helper?: string;
}

/** Draws one of several things and writes the cell that finds it; undefined when there are none. */
export function drawFindable<T>(
  draw: DrawContext,
  variableStem: string,
  among: readonly T[],
  describe: (one: T) => FindableThing,
): Value<T> | undefined {
  if (among.length === 0) return undefined;
  const value = draw.rng.pick(among);
  const code = draw.variable(variableStem);
  const { words, find, helper } = describe(value);
  const cell = helper ? `var ${helper},${code}=${find};print(${code})` : storeAndPrint(code, find);
  return { value, words, code, cells: [cell], apps: [] };
}

/** Makes a column that selects the rows that belong to one thing. The solution finds the thing first. */
export const aboutFound = <R extends TableRow, T>(
  find: (draw: DrawContext, rows: readonly R[]) => Value<T> | undefined,
  holds: (row: R, db: Reader, one: T) => boolean,
  code: (one: string) => FilterCode,
  options: Pick<ClauseOptions, "excludes"> = {},
): NeedsPhrase<Column<R>> =>
  phraseTag((phrase) =>
    drawnClause((draw, rows) => {
      const one = find(draw, rows);
      if (!one) return undefined;
      return {
        words: phraseAlternatives(phrase, one.words),
        holds: (row, db) => holds(row, db, one.value),
        code: code(one.code),
        uses: [one],
      };
    }, options),
  );

/** Makes an action that names a thing. The solution finds the thing first, so the difficulty is 2. */
export const drawnActionWithFound = <R extends TableRow, T>(
  find: (draw: DrawContext) => Value<T> | undefined,
  spec: (one: Value<T>, draw: DrawContext) => ActionSpec<R> | undefined,
): ActionSpec<R> => ({
  difficulty: 2,
  effect: (draw, list) => drawThenMake(find, (one) => spec(one, draw)?.effect(draw, list))(draw),
});

/** Makes an action that names a person; `among` limits the ids. The solution looks the person up first. */
export const drawnActionWithPerson = <R extends TableRow>(
  spec: (friend: Value<Person>, draw: DrawContext) => ActionSpec<R> | undefined,
  among?: (db: Reader) => readonly number[],
): ActionSpec<R> => drawnActionWithFound((draw) => draw.person(among?.(draw.db)), spec);
