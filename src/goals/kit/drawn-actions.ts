/**
 * Actions that draw something and name it in their phrase. A single value stands for `$` in the phrase; several
 * ingredients stand for holes with their names.
 *
 *     label: actionWithOneOf(LABELS, (label) =>
 *       sets({ label }, { api: "label", args: `label:${jsLiteral(label)}` }),
 *     )`Label # as "$" | ...`
 */
import type { TableRow } from "../../world/index.ts";
import type { Person } from "../language.ts";
import type { Action, DrawContext, Value, ValuesByType } from "../parts.ts";
import type { ActionSpec } from "./action-spec.ts";
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

/** Makes an action, still without its phrase, from what was drawn; returns undefined when that is not suitable. */
type MakeAction<T, R extends TableRow> = (
  drawn: T,
  draw: DrawContext,
) => NeedsPhrase<ActionSpec<R>> | undefined;

/** Makes an action that draws one ingredient, which stands for `$` in the phrase. */
export const actionWithOne =
  <R extends TableRow, V extends Drawn<unknown>>(
    from: DrawFunction<V>,
    make: MakeAction<V, R>,
  ): NeedsPhrase<ActionSpec<R>> =>
  (...phrase) => ({
    ...takenValueType({ from }),
    effect: (draw, list) => {
      const one = from(draw);
      const spec = one && make(one, draw)?.(...interpolateValue(phrase, one.words));
      return withUsedValues(spec?.effect(draw, list), one && { one });
    },
  });

/**
 * Makes an action that draws several ingredients. Each stands for the hole with its name: `Share # with $friend as
 * $role`.
 */
export const actionWith =
  <R extends TableRow, I extends Ingredients>(
    from: I,
    make: MakeAction<DrawnIngredients<I>, R>,
  ): NeedsPhrase<ActionSpec<R>> =>
  (...phrase) => ({
    ...takenValueType(from),
    effect: (draw, list) => {
      const drawn = drawIngredients(from, draw);
      const spec = drawn && make(drawn, draw)?.(...interpolateValues(phrase, wordsOfDrawn(drawn)));
      return withUsedValues(spec?.effect(draw, list), drawn);
    },
  });

const withUsedValues = (
  effect: ReturnType<Action["draw"]>,
  drawn: { readonly [name: string]: Drawn<unknown> } = {},
): typeof effect =>
  effect && { ...effect, uses: [...lookedUpValues(drawn), ...(effect.uses ?? [])] };

/** Makes an action with a value, which stands for `$` in the phrase and may be literal or looked up elsewhere. */
export const actionWithValue = <R extends TableRow, T extends NonNullable<Action["takes"]>>(
  takes: T,
  make: MakeAction<ValuesByType[T], R>,
): NeedsPhrase<ActionSpec<R>> => actionWithOne(anyTaskValue(takes), make);

/**
 * Makes an action with a thing, which stands for `$` in the phrase. The solution has to look it up, so the difficulty
 * is 2.
 */
export const actionWithFound =
  <R extends TableRow, T extends Value<unknown>>(
    find: (draw: DrawContext) => T | undefined,
    make: MakeAction<T, R>,
  ): NeedsPhrase<ActionSpec<R>> =>
  (...phrase) => ({ difficulty: 2, ...actionWithOne(find, make)(...phrase) });

/**
 * Makes an action with a person, who stands for `$` in the phrase. The solution has to look the person up; `among`
 * limits the ids.
 */
export const actionWithPerson = <R extends TableRow>(
  make: MakeAction<Value<Person>, R>,
  among?: (draw: DrawContext) => readonly number[],
): NeedsPhrase<ActionSpec<R>> => actionWithFound((draw) => draw.person(among?.(draw)), make);

/**
 * Makes an action with one of several words or numbers, which stands for `$` in the phrase. The solution need not look
 * it up.
 */
export const actionWithOneOf = <R extends TableRow, T extends string | number>(
  among: readonly T[],
  make: (one: T, draw: DrawContext) => NeedsPhrase<ActionSpec<R>>,
): NeedsPhrase<ActionSpec<R>> =>
  actionWithOne(oneOf(among), ({ value }, draw) => make(value, draw));
