/**
 * Actions that draw one thing, whose phrase has a hole for it: `$` is a value, somebody's name, one of some words, a thing
 * that is found by its name.
 *
 *     label: picking(LABELS, (label) => sets({ label }, { api: "label", args: `label:${js(label)}` }))`Label # as "$" | ...`
 */
import type { TableRow } from "../../world/index.ts";
import type { Person } from "../language.ts";
import type { Action, Draw, Value, ValueOf } from "../parts.ts";
import type { ActionSpec } from "./actions.ts";
import { type Tagged, withValue } from "./phrases.ts";
import { withOne } from "./uses.ts";

/** What is done with what was drawn, short of its phrase; undefined where that does not fit. */
type Make<T, R extends TableRow> = (drawn: T, draw: Draw) => Tagged<ActionSpec<R>> | undefined;

const effectOf =
  <R extends TableRow, T extends Value<unknown>>(
    from: (draw: Draw) => T | undefined,
    make: Make<T, R>,
    phrase: Parameters<Tagged<unknown>>,
  ): ActionSpec<R>["effect"] =>
  (draw, on) =>
    withOne(from, (value) =>
      make(value, draw)?.(...withValue(phrase, value.words)).effect(draw, on),
    )(draw);

/** Draws a value, which may be literal or looked up elsewhere. */
export const giving =
  <R extends TableRow, T extends NonNullable<Action["takes"]>>(
    takes: T,
    make: Make<ValueOf[T], R>,
  ): Tagged<ActionSpec<R>> =>
  (...phrase) => ({ takes, effect: effectOf((draw) => draw.value(takes), make, phrase) });

/** Draws one thing that the solution has to look up: difficulty 2. */
export const finding =
  <R extends TableRow, T extends Value<unknown>>(
    find: (draw: Draw) => T | undefined,
    make: Make<T, R>,
  ): Tagged<ActionSpec<R>> =>
  (...phrase) => ({ difficulty: 2, effect: effectOf(find, make, phrase) });

/** Draws somebody whom the solution has to look up, whoever it is or one of `among`. */
export const naming = <R extends TableRow>(
  make: Make<Value<Person>, R>,
  among?: (draw: Draw) => readonly number[],
): Tagged<ActionSpec<R>> => finding((draw) => draw.person(among?.(draw)), make);

/** Draws one of some words or numbers, which no code has to find. */
export const picking =
  <R extends TableRow, T extends string | number>(
    among: readonly T[],
    make: (one: T, draw: Draw) => Tagged<ActionSpec<R>>,
  ): Tagged<ActionSpec<R>> =>
  (...phrase) => ({
    effect: (draw, on) => {
      const one = draw.rng.pick(among);
      return make(one, draw)(...withValue(phrase, String(one))).effect(draw, on);
    },
  });
