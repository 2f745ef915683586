/**
 * Actions that draw something, whose phrase has holes for it: `$` is the one value, somebody's name, one of some words, a thing
 * that is found by its name; of several ingredients each has a hole of its name.
 *
 *     label: picking(LABELS, (label) => sets({ label }, { api: "label", args: `label:${js(label)}` }))`Label # as "$" | ...`
 */
import type { TableRow } from "../../world/index.ts";
import type { Person } from "../language.ts";
import type { Action, DrawContext, Value, ValuesByType } from "../parts.ts";
import {
  anyTaskValue,
  type DrawFunction,
  type Drawn,
  type DrawnIngredients,
  drawIngredients,
  type Ingredients,
  lookedUpValues,
  oneOf,
  takenValueType,
  wordsOfDrawn,
} from "./ingredients.ts";
import { interpolateValue, interpolateValues, type NeedsPhrase } from "./phrases.ts";
import type { ActionSpec } from "./spec.ts";

/** What is done with what was drawn, short of its phrase; undefined where that does not fit. */
type MakeAction<T, R extends TableRow> = (
  drawn: T,
  draw: DrawContext,
) => NeedsPhrase<ActionSpec<R>> | undefined;

/** Draws one ingredient, `$` in the phrase. */
export const actionWithOne =
  <R extends TableRow, V extends Drawn<unknown>>(
    from: DrawFunction<V>,
    make: MakeAction<V, R>,
  ): NeedsPhrase<ActionSpec<R>> =>
  (...phrase) => ({
    ...takenValueType({ from }),
    effect: (draw, on) => {
      const one = from(draw);
      const spec = one && make(one, draw)?.(...interpolateValue(phrase, one.words));
      return withUsedValues(spec?.effect(draw, on), one && { one });
    },
  });

/** Draws ingredients, each of which has a hole of its name: `Share # with $friend as $role`. */
export const actionWith =
  <R extends TableRow, I extends Ingredients>(
    from: I,
    make: MakeAction<DrawnIngredients<I>, R>,
  ): NeedsPhrase<ActionSpec<R>> =>
  (...phrase) => ({
    ...takenValueType(from),
    effect: (draw, on) => {
      const drawn = drawIngredients(from, draw);
      const spec = drawn && make(drawn, draw)?.(...interpolateValues(phrase, wordsOfDrawn(drawn)));
      return withUsedValues(spec?.effect(draw, on), drawn);
    },
  });

const withUsedValues = (
  effect: ReturnType<Action["draw"]>,
  drawn: { readonly [name: string]: Drawn<unknown> } = {},
): typeof effect =>
  effect && { ...effect, uses: [...lookedUpValues(drawn), ...(effect.uses ?? [])] };

/** Draws a value, which may be literal or looked up elsewhere. */
export const actionWithValue = <R extends TableRow, T extends NonNullable<Action["takes"]>>(
  takes: T,
  make: MakeAction<ValuesByType[T], R>,
): NeedsPhrase<ActionSpec<R>> => actionWithOne(anyTaskValue(takes), make);

/** Draws one thing that the solution has to look up: difficulty 2. */
export const actionWithFound =
  <R extends TableRow, T extends Value<unknown>>(
    find: (draw: DrawContext) => T | undefined,
    make: MakeAction<T, R>,
  ): NeedsPhrase<ActionSpec<R>> =>
  (...phrase) => ({ difficulty: 2, ...actionWithOne(find, make)(...phrase) });

/** Draws somebody whom the solution has to look up, whoever it is or one of `among`. */
export const actionWithPerson = <R extends TableRow>(
  make: MakeAction<Value<Person>, R>,
  among?: (draw: DrawContext) => readonly number[],
): NeedsPhrase<ActionSpec<R>> => actionWithFound((draw) => draw.person(among?.(draw)), make);

/** Draws one of some words or numbers, which no code has to find. */
export const actionWithOneOf = <R extends TableRow, T extends string | number>(
  among: readonly T[],
  make: (one: T, draw: DrawContext) => NeedsPhrase<ActionSpec<R>>,
): NeedsPhrase<ActionSpec<R>> =>
  actionWithOne(oneOf(among), ({ value }, draw) => make(value, draw));
