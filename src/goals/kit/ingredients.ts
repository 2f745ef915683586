/**
 * Ingredients: what an action or a deed draws before it can be said. Each has a name, which is a hole in the phrase.
 *
 *     share: drawing({ friend: someone(), role: oneOf(ROLES) }, ({ friend, role }) =>
 *       adds(shares, ({ id }) => ({ list: id, person: friend.value.id, role: role.value }), {
 *         api: "share", args: `person:${friend.code},role:${role.code}`,
 *       }),
 *     )`Share # with $friend in the role $role | ...`
 *
 * They are drawn in their order; one that finds nothing fitting ends the draw. What a solution has to look up comes with its
 * cells, so nothing but the drawn code has to be written where it is used.
 */
import type { Person } from "../language.ts";
import type { DrawContext, Value, ValuesByType } from "../parts.ts";
import { moneyInWords } from "../words.ts";
import { dollarLiteral, jsLiteral } from "./code.ts";

/** Something drawn: what it is, how a sentence says it, an expression for it. */
export type Drawn<T> = Pick<Value<T>, "value" | "words" | "code">;

/** How it is drawn. */
export interface Ingredient<T> {
  (draw: DrawContext): Drawn<T> | undefined;
  /** The value that it asks for, which may be literal or come from a source. */
  readonly takes?: SourcedType;
}

/** An ingredient of which more is known than that it is drawn. */
export type DrawFunction<V> = ((draw: DrawContext) => V | undefined) & {
  readonly takes?: SourcedType;
};

/** Ingredients by their names. */
export type Ingredients = { readonly [name: string]: Ingredient<unknown> };
/** What was drawn, by the same names. */
export type DrawnIngredients<I extends Ingredients> = {
  readonly [N in keyof I]: NonNullable<ReturnType<I[N]>>;
};

type SourcedType = "money" | "text" | "day";

/** A value that may be literal or looked up elsewhere. */
export const anyTaskValue = <T extends SourcedType>(takes: T): DrawFunction<ValuesByType[T]> =>
  Object.assign((draw: DrawContext): ValuesByType[T] => draw.value(takes), { takes });

/** The same; `fits` refuses those that make no sense here. */
export const taskValue = <T extends SourcedType>(
  takes: T,
  fits: (value: ValuesByType[T]["value"]) => boolean = () => true,
): Ingredient<ValuesByType[T]["value"]> =>
  Object.assign(
    (draw: DrawContext) => {
      const drawn: Value<ValuesByType[T]["value"]> = draw.value(takes);
      return fits(drawn.value) ? drawn : undefined;
    },
    { takes },
  );

/** Somebody whom the task may name, or one of those. */
export const someone =
  (among?: (draw: DrawContext) => readonly number[]): Ingredient<Person> =>
  (draw) =>
    draw.person(among?.(draw));

/** Anything: how a sentence says it, and its literal, where these are not as it is. */
export const customIngredient =
  <T>(
    pick: (draw: DrawContext) => T | undefined,
    says: (value: T) => string = String,
    code: (value: T) => string = jsLiteral,
  ): Ingredient<T> =>
  (draw) => {
    const value = pick(draw);
    return value === undefined ? undefined : { value, words: says(value), code: code(value) };
  };

/** One of some values. */
export const oneOf = <T extends string | number>(
  among: readonly T[],
  says?: (value: T) => string,
): Ingredient<T> => customIngredient(({ rng }) => rng.pick(among), says);

/** A whole number between two, both included. */
export const integerBetween = (low: number, high: number, says?: (value: number) => string) =>
  customIngredient(({ rng }) => rng.integer(low, high), says);

/** An amount of cents between two, in steps. */
export const amountBetween = (low: number, high: number, step = 1): Ingredient<number> =>
  customIngredient(
    ({ rng }) => step * rng.integer(low / step, high / step),
    moneyInWords,
    dollarLiteral,
  );

/** All of them; undefined where one finds nothing. */
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

/** Those that the solution has to look up, or that may come from elsewhere. */
export const lookedUpValues = (drawn: { readonly [name: string]: unknown }): Value<unknown>[] =>
  Object.values(drawn).filter(isLookedUp);

const isLookedUp = (one: unknown): one is Value<unknown> =>
  typeof one === "object" && one !== null && "cells" in one && "code" in one;

/** The value that one of them asks for, if any does. */
export const takenValueType = (from: {
  readonly [name: string]: DrawFunction<unknown>;
}): { readonly takes?: SourcedType } => {
  const takes = Object.values(from).find((one) => one.takes)?.takes;
  return takes ? { takes } : {};
};

/** How a sentence says each of them. */
export const wordsOfDrawn = (drawn: { readonly [name: string]: Drawn<unknown> }) =>
  Object.fromEntries(Object.entries(drawn).map(([name, { words }]) => [name, words]));
