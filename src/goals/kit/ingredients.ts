/**
 * Ingredients: what an action or a deed draws before its phrase is complete. Each has a name, which is a hole in the
 * phrase.
 *
 *     share: actionWith({ friend: someone(), role: oneOf(ROLES) }, ({ friend, role }) =>
 *       addsRow(shares, ({ id }) => ({ list: id, person: friend.value.id, role: role.value }), {
 *         api: "share", args: `person:${friend.code},role:${role.code}`,
 *       }),
 *     )`Share # with $friend in the role $role | ...`
 *
 * Ingredients are drawn in the order of their declaration. When one of them finds nothing suitable, the whole draw
 * fails. A value that a solution has to look up includes its cells, so a declaration needs only the value's `code`.
 */
import type { Person } from "../language.ts";
import type { DrawContext, Value, ValuesByType } from "../parts.ts";
import { moneyInWords } from "../words.ts";
import { dollarLiteral, jsLiteral } from "./code.ts";

/** A drawn ingredient: its value, its words in a sentence, and a JavaScript expression for it. */
export type Drawn<T> = Pick<Value<T>, "value" | "words" | "code">;

/** Draws an ingredient. */
export interface Ingredient<T> {
  (draw: DrawContext): Drawn<T> | undefined;
  /** The type of value that it needs, if any. The value may be literal or come from a source. */
  readonly takes?: SourcedType;
}

/** A function that draws an ingredient, with the type of value that it draws. */
export type DrawFunction<V> = ((draw: DrawContext) => V | undefined) & {
  readonly takes?: SourcedType;
};

/** Ingredients by their names. */
export type Ingredients = { readonly [name: string]: Ingredient<unknown> };
/** The drawn ingredients by their names. */
export type DrawnIngredients<I extends Ingredients> = {
  readonly [N in keyof I]: NonNullable<ReturnType<I[N]>>;
};

type SourcedType = "money" | "text" | "day";

/** Draws a value of a type. It may be literal or looked up elsewhere. */
export const anyTaskValue = <T extends SourcedType>(takes: T): DrawFunction<ValuesByType[T]> =>
  Object.assign((draw: DrawContext): ValuesByType[T] => draw.value(takes), { takes });

/**
 * Draws a value of a type, which is literal or looked up elsewhere. `isAcceptable` rejects values that make no sense
 * here.
 */
export const taskValue = <T extends SourcedType>(
  takes: T,
  isAcceptable: (value: ValuesByType[T]["value"]) => boolean = () => true,
): Ingredient<ValuesByType[T]["value"]> =>
  Object.assign(
    (draw: DrawContext) => {
      const drawn: Value<ValuesByType[T]["value"]> = draw.value(takes);
      return isAcceptable(drawn.value) ? drawn : undefined;
    },
    { takes },
  );

/** Draws a person whom the task may name; `among` limits the ids. */
export const someone =
  (among?: (draw: DrawContext) => readonly number[]): Ingredient<Person> =>
  (draw) =>
    draw.person(among?.(draw));

/** Draws anything. By default the sentence shows the value unchanged, and the code is its literal. */
export const customIngredient =
  <T>(
    pick: (draw: DrawContext) => T | undefined,
    toWords: (value: T) => string = String,
    code: (value: T) => string = jsLiteral,
  ): Ingredient<T> =>
  (draw) => {
    const value = pick(draw);
    return value === undefined ? undefined : { value, words: toWords(value), code: code(value) };
  };

/** Draws one of several values. */
export const oneOf = <T extends string | number>(
  among: readonly T[],
  toWords?: (value: T) => string,
): Ingredient<T> => customIngredient(({ rng }) => rng.pick(among), toWords);

/** Draws a whole number from `low` to `high`, both included. */
export const integerBetween = (low: number, high: number, toWords?: (value: number) => string) =>
  customIngredient(({ rng }) => rng.integer(low, high), toWords);

/** Draws an amount of cents between `low` and `high`, in steps. */
export const amountBetween = (low: number, high: number, step = 1): Ingredient<number> =>
  customIngredient(
    ({ rng }) => step * rng.integer(low / step, high / step),
    moneyInWords,
    dollarLiteral,
  );

/** Draws all ingredients; undefined when one of them finds nothing. */
export function drawIngredients<I extends Ingredients>(
  from: I,
  draw: DrawContext,
): DrawnIngredients<I> | undefined {
  const all: { [name: string]: Drawn<unknown> } = {};
  for (const [name, ingredient] of Object.entries(from)) {
    const one = ingredient(draw);
    if (!one) return undefined;
    all[name] = one;
  }
  return all as DrawnIngredients<I>;
}

/** Returns the drawn values that may have to be looked up by the solution. */
export const lookedUpValues = (drawn: { readonly [name: string]: unknown }): Value<unknown>[] =>
  Object.values(drawn).filter(isLookedUp);

const isLookedUp = (one: unknown): one is Value<unknown> =>
  typeof one === "object" && one !== null && "cells" in one && "code" in one;

/** Returns the type of value that one of the ingredients needs, if any does. */
export const takenValueType = (from: {
  readonly [name: string]: DrawFunction<unknown>;
}): { readonly takes?: SourcedType } => {
  const takes = Object.values(from).find((one) => one.takes)?.takes;
  return takes ? { takes } : {};
};

/** Returns the words of each drawn ingredient by its name. */
export const wordsOfDrawn = (drawn: { readonly [name: string]: Drawn<unknown> }) =>
  Object.fromEntries(Object.entries(drawn).map(([name, { words }]) => [name, words]));
