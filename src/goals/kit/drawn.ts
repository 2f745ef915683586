/**
 * Actions that draw something, whose phrase has holes for it: `$` is the one value, somebody's name, one of some words; of
 * several ingredients each has a hole of its name.
 *
 *     label: picking(LABELS, (label) => sets({ label }, { api: "label", args: `label:${js(label)}` }))`Label # as "$" | ...`
 */
import type { TableRow } from "../../world/index.ts";
import type { Person } from "../language.ts";
import type { Action, Draw, ValueOf } from "../parts.ts";
import {
  type Drawn,
  type DrawnOf,
  drawAll,
  given,
  type Ingredient,
  type Ingredients,
  lookedUp,
  oneOf,
  someone,
  taken,
} from "./ingredients.ts";
import { type Tagged, withValue, withValues } from "./phrases.ts";
import type { ActionSpec } from "./spec.ts";

/** What is done with what was drawn, short of its phrase; undefined where that does not fit. */
type Make<T, R extends TableRow> = (drawn: T, draw: Draw) => Tagged<ActionSpec<R>> | undefined;

/** Draws one ingredient, `$` in the phrase. */
export const drawingOne =
  <R extends TableRow, T>(from: Ingredient<T>, make: Make<Drawn<T>, R>): Tagged<ActionSpec<R>> =>
  (...phrase) => ({
    ...taken({ from }),
    effect: (draw, on) => {
      const one = from(draw);
      const spec = one && make(one, draw)?.(...withValue(phrase, one.words));
      return using(spec?.effect(draw, on), one && { one });
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
      const spec = drawn && make(drawn, draw)?.(...withValues(phrase, drawn));
      return using(spec?.effect(draw, on), drawn);
    },
  });

const using = (
  effect: ReturnType<Action["draw"]>,
  drawn: { readonly [name: string]: Drawn<unknown> } = {},
): typeof effect => effect && { ...effect, uses: [...lookedUp(drawn), ...(effect.uses ?? [])] };

/** Draws a value, which may be literal or looked up elsewhere. */
export const giving = <R extends TableRow, T extends NonNullable<Action["takes"]>>(
  takes: T,
  make: Make<Drawn<ValueOf[T]["value"]>, R>,
): Tagged<ActionSpec<R>> => drawingOne(given(takes), make);

/** Draws somebody whom the solution has to look up: difficulty 2. */
export const naming =
  <R extends TableRow>(make: Make<Drawn<Person>, R>): Tagged<ActionSpec<R>> =>
  (...phrase) => ({ difficulty: 2, ...drawingOne(someone(), make)(...phrase) });

/** Draws one of some words or numbers, which no code has to find. */
export const picking = <R extends TableRow, T extends string | number>(
  among: readonly T[],
  make: (one: T, draw: Draw) => Tagged<ActionSpec<R>>,
): Tagged<ActionSpec<R>> => drawingOne(oneOf(among), ({ value }, draw) => make(value, draw));
