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
import type { Draw, Value, ValueOf } from "../parts.ts";
import { moneyWords } from "../words.ts";
import { dollars, js } from "./code.ts";

/** Something drawn: what it is, how a sentence says it, an expression for it. */
export type Drawn<T> = Pick<Value<T>, "value" | "words" | "code">;

/** How it is drawn. */
export interface Ingredient<T> {
  (draw: Draw): Drawn<T> | undefined;
  /** The value that it asks for, which may be literal or come from a source. */
  readonly takes?: Given;
}

/** An ingredient of which more is known than that it is drawn. */
export type Finds<V> = ((draw: Draw) => V | undefined) & { readonly takes?: Given };

/** Ingredients by their names. */
export type Ingredients = { readonly [name: string]: Ingredient<unknown> };
/** What was drawn, by the same names. */
export type DrawnOf<I extends Ingredients> = {
  readonly [N in keyof I]: NonNullable<ReturnType<I[N]>>;
};

type Given = "money" | "text" | "day";

/** A value that may be literal or looked up elsewhere. */
export const valueOfType = <T extends Given>(takes: T): Finds<ValueOf[T]> =>
  Object.assign((draw: Draw): ValueOf[T] => draw.value(takes), { takes });

/** The same; `fits` refuses those that make no sense here. */
export const given = <T extends Given>(
  takes: T,
  fits: (value: ValueOf[T]["value"]) => boolean = () => true,
): Ingredient<ValueOf[T]["value"]> =>
  Object.assign(
    (draw: Draw) => {
      const drawn: Value<ValueOf[T]["value"]> = draw.value(takes);
      return fits(drawn.value) ? drawn : undefined;
    },
    { takes },
  );

/** Somebody whom the task may name, or one of those. */
export const someone =
  (among?: (draw: Draw) => readonly number[]): Ingredient<Person> =>
  (draw) =>
    draw.person(among?.(draw));

/** Anything: how a sentence says it, and its literal, where these are not as it is. */
export const found =
  <T>(
    pick: (draw: Draw) => T | undefined,
    says: (value: T) => string = String,
    code: (value: T) => string = js,
  ): Ingredient<T> =>
  (draw) => {
    const value = pick(draw);
    return value === undefined ? undefined : { value, words: says(value), code: code(value) };
  };

/** One of some values. */
export const oneOf = <T extends string | number>(
  among: readonly T[],
  says?: (value: T) => string,
): Ingredient<T> => found(({ rng }) => rng.pick(among), says);

/** A whole number between two, both included. */
export const integer = (low: number, high: number, says?: (value: number) => string) =>
  found(({ rng }) => rng.integer(low, high), says);

/** An amount of cents between two, in steps. */
export const sum = (low: number, high: number, step = 1): Ingredient<number> =>
  found(({ rng }) => step * rng.integer(low / step, high / step), moneyWords, dollars);

/** All of them; undefined where one finds nothing. */
export function drawAll<I extends Ingredients>(from: I, draw: Draw): DrawnOf<I> | undefined {
  const all: { [name: string]: Drawn<unknown> } = {};
  for (const [name, ingredient] of Object.entries(from)) {
    const one = ingredient(draw);
    if (!one) return undefined;
    all[name] = one;
  }
  return all as DrawnOf<I>;
}

/** Those that the solution has to look up, or that may come from elsewhere. */
export const lookedUp = (drawn: { readonly [name: string]: unknown }): Value<unknown>[] =>
  Object.values(drawn).filter(isLookedUp);

const isLookedUp = (one: unknown): one is Value<unknown> =>
  typeof one === "object" && one !== null && "cells" in one && "code" in one;

/** The value that one of them asks for, if any does. */
export const taken = (from: {
  readonly [name: string]: Finds<unknown>;
}): { readonly takes?: Given } => {
  const takes = Object.values(from).find((one) => one.takes)?.takes;
  return takes ? { takes } : {};
};

/** How a sentence says each of them. */
export const saidOf = (drawn: { readonly [name: string]: Drawn<unknown> }) =>
  Object.fromEntries(Object.entries(drawn).map(([name, { words }]) => [name, words]));
