/**
 * What mail and calendar draw alike: above all actions whose phrases have a hole for what is drawn.
 * `$` is a value, somebody's name, one of some words.
 *
 *     label: picking(LABELS, (label) =>
 *       sets({ label }, { api: "label", args: `label:${js(label)}` }),
 *     )`Label # as "$" | Give the label "$" to # | ...`,
 */
import {
  type Action,
  type ActionSpec,
  type Draw,
  type Effect,
  type Forms,
  type frames,
  nouns,
  type Person,
  type Tagged,
  type Value,
  type ValueOf,
} from "../../../../goals/index.ts";
import type { TableRow } from "../../../../world/index.ts";
import { mentionable } from "../mentionable.ts";

/** What is done with what was drawn, short of its phrase; undefined where that does not fit. */
type Make<T, R extends TableRow> = (drawn: T, draw: Draw) => Tagged<ActionSpec<R>> | undefined;

const NOUN = "\uE001";

/** The hole is filled before the noun is known, for a noun may tell amounts. */
const filled = (all: Effect["frames"], words: string) =>
  all.map((frame) => {
    const text = frame(NOUN).replaceAll("$", () => words);
    return (noun: string) => text.replaceAll(NOUN, () => noun);
  }) as unknown as Effect["frames"];

/** Draws a value, which may be literal or looked up elsewhere. */
export const giving =
  <R extends TableRow, T extends NonNullable<Action["takes"]>>(
    takes: T,
    make: Make<ValueOf[T], R>,
  ): Tagged<ActionSpec<R>> =>
  (...phrase) => ({ takes, effect: effectOf((draw) => draw.value(takes), make, phrase) });

/** Draws somebody whom the solution has to look up. */
export const naming =
  <R extends TableRow>(make: Make<Value<Person>, R>): Tagged<ActionSpec<R>> =>
  (...phrase) => ({ difficulty: 2, effect: effectOf((draw) => draw.person(), make, phrase) });

/** Draws one of some words or numbers, which no code has to find. */
export const picking =
  <R extends TableRow, T extends string | number>(
    among: readonly T[],
    make: (one: T, draw: Draw) => Tagged<ActionSpec<R>>,
  ): Tagged<ActionSpec<R>> =>
  (...phrase) => ({
    effect: (draw, on) => {
      const one = draw.rng.pick(among);
      const effect = make(one, draw)(...phrase).effect(draw, on);
      return effect && { ...effect, frames: filled(effect.frames, String(one)) };
    },
  });

const effectOf =
  <R extends TableRow, T extends Value<unknown>>(
    from: (draw: Draw) => T | undefined,
    make: Make<T, R>,
    phrase: Parameters<typeof frames>,
  ): ActionSpec<R>["effect"] =>
  (draw, on) => {
    const value = from(draw);
    const effect = value && make(value, draw)?.(...phrase).effect(draw, on);
    return effect && { ...effect, frames: filled(effect.frames, value.words), uses: [value] };
  };

/** A row that fits, of people who may be named, with a title that stands in no other row's. */
export function soleOf<R>(
  { rng, split, people }: Draw,
  rows: readonly R[],
  of: { readonly title: (row: R) => string; readonly people: (row: R) => readonly number[] },
  fits: (row: R) => boolean,
): R | undefined {
  const mine = new Set(people.map(({ id }) => id));
  const titleOf = (row: R) => of.title(row).toLowerCase();
  const found = rows.filter(
    (row) =>
      mentionable(split, of.title(row)) && of.people(row).every((id) => mine.has(id)) && fits(row),
  );
  const alone = (one: R) => rows.filter((row) => titleOf(row).includes(titleOf(one))).length === 1;
  return rng.shuffle(found).slice(0, 12).find(alone);
}

/** Pairs of adjectives for the most and the least: `latest / earliest | last / first | ...`. */
export const ranked: Tagged<readonly [most: Forms, least: Forms]> = (...phrase) => {
  const pairs = nouns(...phrase);
  return [pairs.map(({ one }) => one), pairs.map(({ many }) => many)] as unknown as [Forms, Forms];
};

/** How a list API is asked for a person, and how an item is tested for one. */
export const asked = (arg: string) => (handle: string) => ({ args: `${arg}:${handle}` });
export const tested = (item: string) => (handle: string) => ({ test: `x.${item}===${handle}` });
