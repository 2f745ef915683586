/**
 * Actions that draw something, whose phrase has holes for it: `$` is the one value, somebody's name, one of some words, a thing
 * that is found by its name; of several ingredients each has a hole of its name.
 *
 *     label: picking(LABELS, (label) => sets({ label }, { api: "label", args: `label:${js(label)}` }))`Label # as "$" | ...`
 */
import type { TableRow } from "../../world/index.ts";
import type { Person } from "../language.ts";
import type { Action, Draw, Value, ValueOf } from "../parts.ts";
import {
  type Drawn,
  type DrawnOf,
  drawAll,
  type Finds,
  type Ingredients,
  lookedUp,
  oneOf,
  saidOf,
  taken,
  valueOfType,
} from "./ingredients.ts";
import { type Tagged, withValue, withValues } from "./phrases.ts";
import type { ActionSpec } from "./spec.ts";

/** What is done with what was drawn, short of its phrase; undefined where that does not fit. */
type Make<T, R extends TableRow> = (drawn: T, draw: Draw) => Tagged<ActionSpec<R>> | undefined;

/** Draws one ingredient, `$` in the phrase. */
export const drawingOne =
  <R extends TableRow, V extends Drawn<unknown>>(
    from: Finds<V>,
    make: Make<V, R>,
  ): Tagged<ActionSpec<R>> =>
  (...phrase) => ({
    ...taken({ from }),
    effect: (draw, on) => {
      const one = from(draw);
      const spec = one && make(one, draw)?.(...withValue(phrase, one.words));
      return usingAll(spec?.effect(draw, on), one && { one });
    },
  });

/** Draws ingredients, each of which has a hole of its name: `Share # with $friend as $role`. */
export const drawing =
  <R extends TableRow, I extends Ingredients>(
    from: I,
    make: Make<DrawnOf<I>, R>,
  ): Tagged<ActionSpec<R>> =>
  (...phrase) => ({
    ...taken(from),
    effect: (draw, on) => {
      const drawn = drawAll(from, draw);
      const spec = drawn && make(drawn, draw)?.(...withValues(phrase, saidOf(drawn)));
      return usingAll(spec?.effect(draw, on), drawn);
    },
  });

const usingAll = (
  effect: ReturnType<Action["draw"]>,
  drawn: { readonly [name: string]: Drawn<unknown> } = {},
): typeof effect => effect && { ...effect, uses: [...lookedUp(drawn), ...(effect.uses ?? [])] };

/** Draws a value, which may be literal or looked up elsewhere. */
export const giving = <R extends TableRow, T extends NonNullable<Action["takes"]>>(
  takes: T,
  make: Make<ValueOf[T], R>,
): Tagged<ActionSpec<R>> => drawingOne(valueOfType(takes), make);

/** Draws one thing that the solution has to look up: difficulty 2. */
export const finding =
  <R extends TableRow, T extends Value<unknown>>(
    find: (draw: Draw) => T | undefined,
    make: Make<T, R>,
  ): Tagged<ActionSpec<R>> =>
  (...phrase) => ({ difficulty: 2, ...drawingOne(find, make)(...phrase) });

/** Draws somebody whom the solution has to look up, whoever it is or one of `among`. */
export const naming = <R extends TableRow>(
  make: Make<Value<Person>, R>,
  among?: (draw: Draw) => readonly number[],
): Tagged<ActionSpec<R>> => finding((draw) => draw.person(among?.(draw)), make);

/** Draws one of some words or numbers, which no code has to find. */
export const picking = <R extends TableRow, T extends string | number>(
  among: readonly T[],
  make: (one: T, draw: Draw) => Tagged<ActionSpec<R>>,
): Tagged<ActionSpec<R>> => drawingOne(oneOf(among), ({ value }, draw) => make(value, draw));
