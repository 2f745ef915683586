/** What has no set: relations between kinds, values that stand somewhere, numbers of a whole app, and single deeds. */
import type { Reader, Writer } from "../../world/index.ts";
import type { Deed, Draw, Fact, Relation, Source, Value, ValueOf } from "../parts.ts";
import { distinct, leaves } from "./code.ts";
import { type Frames, formsOf, framesOf, said, type Tagged, withValue } from "./phrases.ts";
import { withOne } from "./uses.ts";

/** From a set to the things that belong to it. */
export type Join = Pick<Relation, "from" | "to"> & {
  /** Phrases for what belongs to each of several things. */
  readonly each?: Frames;
} & (
    | { readonly map: Relation["map"] }
    /** Of one thing; what several share is named once. */
    | { readonly of: (id: number, db: Reader) => number | null | undefined | readonly number[] }
  ) &
  (
    | { readonly cells: Relation["cells"] }
    /** An expression for the list of distinct keys, from the variable of the list of keys. */
    | { readonly code: (from: string) => string }
  );

type Named<T> = { readonly [name: string]: T };
type Unnamed<T> = Omit<T, "name" | "app">;

/** A relation that waits for its name and app: `` joins({ ... })`the artists of # | ...` ``. */
export const joins = (join: Join): Tagged<Unnamed<Relation>> =>
  said((phrase) => ({
    from: join.from,
    to: join.to,
    words: framesOf(phrase),
    ...(join.each ? { each: join.each } : {}),
    map: "map" in join ? join.map : mapOf(join.of),
    cells: "cells" in join ? join.cells : (from, to) => [leaves(to, join.code(from))],
  }));

/** Relations of an app by their names. */
export const relations = (app: string, all: Named<Unnamed<Relation>>): Relation[] =>
  Object.entries(all).map(([name, one]) => ({ name, app, ...one }));

const mapOf =
  (
    of: (id: number, db: Reader) => number | null | undefined | readonly number[],
  ): Relation["map"] =>
  (db, ids) =>
    distinct(ids.flatMap((id) => of(id, db) ?? []));

/** A value that an agent can find: what it is, how a sentence calls it, an expression for it. */
export interface Found<T> {
  readonly value: T;
  readonly words: string;
  readonly code: string;
  /** Cells that run before. */
  readonly cells?: readonly string[];
  /** Values that the code names. */
  readonly uses?: readonly Value<unknown>[];
}

/** A value that the solution looks up in `app` and leaves in a variable. */
export function looked<T>(draw: Draw, app: string, stem: string, found: Found<T>): Value<T> {
  const { value, words, code, cells = [], uses = [] } = found;
  const name = draw.variable(stem);
  const before = uses.flatMap((used) => used.cells);
  const setups = uses.flatMap(({ setup: prepare }) => prepare ?? []);
  const setup = (db: Writer) => {
    for (const prepare of setups) prepare(db);
  };
  return {
    value,
    words,
    code: name,
    cells: [...before, ...cells, leaves(name, code)],
    apps: [...new Set([app, ...uses.flatMap(({ apps }) => apps)])],
    ...(setups.length > 0 ? { setup } : {}),
  };
}

type Lookable = Source["type"];
type ValueIn<T extends Lookable> = ValueOf[T]["value"];

/** One entry of a list of sources. */
export interface SourceSpec {
  readonly type: Lookable;
  readonly draw: (draw: Draw, app: string) => Value<never> | undefined;
}

type Finds<T> = (draw: Draw) => T | undefined;

const sourceOf =
  <T extends Lookable>(type: T) =>
  (stem: string, find: Finds<Found<ValueIn<T>>>): SourceSpec => ({
    type,
    draw: (draw, app) => {
      const found = find(draw);
      return found && (looked(draw, app, stem, found) as Value<never>);
    },
  });

/** Where a value can be found instead of in the instruction; the stem names the variable that holds it. */
export const source = { money: sourceOf("money"), text: sourceOf("text"), day: sourceOf("day") };

const toldOf =
  <T extends Lookable>(type: T) =>
  <V extends Value<unknown>>(
    stem: string,
    find: Finds<V>,
    tells: (one: V, draw: Draw) => Found<ValueIn<T>> | undefined,
  ): SourceSpec =>
    sourceOf(type)(stem, withOne(find, tells));

/** The same for what stands in one thing, such as a note, which is found first. */
export const toldBy = { money: toldOf("money"), text: toldOf("text"), day: toldOf("day") };

/** Sources of an app by their names. */
export function sources(app: string, specs: { readonly [name: string]: SourceSpec }): Source[] {
  return Object.entries(specs).map(([name, { type, draw }]) => ({
    name,
    type,
    app,
    draw: (from) => draw(from, app),
  }));
}

/** A number about an app as a whole, money in dollars: `` fact("money", value, code)`my balance | ...` ``. */
export const fact = (
  unit: Fact["unit"],
  value: (db: Reader) => number,
  code: string,
): Tagged<Unnamed<Fact>> => said((phrase) => ({ unit, words: formsOf(phrase), value, code }));

/** Facts of an app by their names. */
export const facts = (app: string, all: Named<Unnamed<Fact>>): Fact[] =>
  Object.entries(all).map(([name, one]) => ({ name, app, ...one }));

type Done = NonNullable<ReturnType<Deed["draw"]>>;

/** A deed as it is drawn: `` done({ apply, cells })`Create a list | ...` ``. */
export const done = (what: Omit<Done, "sentences">): Tagged<Done> =>
  said((phrase) => ({ sentences: formsOf(phrase), ...what }));

/** A deed that needs a value, which may be literal or looked up elsewhere. It is drawn before anything else. */
export function doneWith<T extends Lookable>(
  takes: T,
  draw: (value: ValueOf[T], draw: Draw) => Done | undefined,
): Unnamed<Deed> {
  return { takes, draw: withOne((from) => from.value(takes), draw) };
}

/** What a deed does with what was drawn, short of its sentence; undefined where that does not fit. */
type Doing<V> = (one: V, draw: Draw) => Omit<Done, "sentences"> | undefined;

const sentencesOf =
  <V extends Value<unknown>>(
    find: Finds<V>,
    make: Doing<V>,
    phrase: Parameters<Tagged<unknown>>,
  ): Deed["draw"] =>
  (from) =>
    withOne(find, (one: V, draw) => {
      const what = make(one, draw);
      return what && done(what)(...withValue(phrase, one.words));
    })(from);

/** A deed with one thing that is found first, whose words are `$`. */
export const doing =
  <V extends Value<unknown>>(find: Finds<V>, make: Doing<V>): Tagged<Unnamed<Deed>> =>
  (...phrase) => ({ draw: sentencesOf(find, make, phrase) });

/** A deed with a value `$`, which may be literal or looked up elsewhere. */
export const doingWith =
  <T extends Lookable>(takes: T, make: Doing<ValueOf[T]>): Tagged<Unnamed<Deed>> =>
  (...phrase) => ({ takes, draw: sentencesOf((from) => from.value(takes), make, phrase) });

/** Deeds of an app by their names. */
export const deeds = (app: string, all: Named<Deed["draw"] | Unnamed<Deed>>): Deed[] =>
  Object.entries(all).map(([name, one]) => ({
    name,
    app,
    ...(typeof one === "function" ? { draw: one } : one),
  }));
