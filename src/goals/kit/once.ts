/** What has no set: relations between kinds, values that stand somewhere, numbers of a whole app, and single deeds. */
import type { Reader, Table, TableRow, Writer } from "../../world/index.ts";
import type { Deed, Draw, Fact, Relation, Source, Value, ValueOf } from "../parts.ts";
import { distinct, leaves } from "./code.ts";
import {
  type Drawn,
  type DrawnOf,
  drawAll,
  type Finds,
  found,
  given,
  type Ingredients,
  integer,
  lookedUp,
  oneOf,
  saidOf,
  someone,
  sum,
  taken,
  valueOfType,
} from "./ingredients.ts";
import {
  type Frames,
  forms,
  formsOf,
  framesOf,
  said,
  type Tagged,
  withValue,
  withValues,
} from "./phrases.ts";
import { withOne } from "./uses.ts";

/** How a relation goes from a set to the things that belong to it. */
export type Way = {
  /** Phrases for what belongs to each of several things. */
  readonly each?: Frames;
} & ({ readonly map: Relation["map"] } | { readonly of: Others }) &
  (
    | { readonly cells: Relation["cells"] }
    /** An expression for the list of distinct keys, from the variable of the list of keys. */
    | { readonly code: (from: string) => string }
  );
/** Of one thing; what several share is named once. */
type Others = (id: number, db: Reader) => number | null | undefined | readonly number[];

type Named<T> = { readonly [name: string]: T };
type Unnamed<T> = Omit<T, "name" | "app">;

/** A relation between two kinds that waits for its name and app: `` joins("songs", "artists", { ... })`the artists of # | ...` ``. */
export function joins(from: string, to: string, way: Way): Tagged<Unnamed<Relation>>;
export function joins(join: Pick<Relation, "from" | "to"> & Way): Tagged<Unnamed<Relation>>;
export function joins(
  ...given: [string, string, Way] | [Pick<Relation, "from" | "to"> & Way]
): Tagged<Unnamed<Relation>> {
  const [from, to, way] = given.length === 3 ? given : [given[0].from, given[0].to, given[0]];
  return said((phrase) => ({
    from,
    to,
    words: framesOf(phrase),
    ...(way.each ? { each: way.each } : {}),
    map: "map" in way ? way.map : mapOf(way.of),
    cells: "cells" in way ? way.cells : (keys, out) => [leaves(out, way.code(keys))],
  }));
}

/** What a column of the thing names: the payee of an order. */
export const its =
  <R extends TableRow>(table: Table<R>, column: keyof R & string): Others =>
  (id, db) =>
    db.get(table, id)?.[column] as number | null | undefined;

/** Rows whose column names the thing, or what another column of theirs names: the orders of a payee. */
export const having =
  <R extends TableRow>(
    table: Table<R>,
    column: keyof R & string,
    also: Partial<R> = {},
    other: keyof R & string = "id",
  ): Others =>
  (id, db) =>
    db.where(table, { ...also, [column]: id } as Partial<R>).map((row) => row[other] as number);

/** Relations of an app by their names. */
export const relations = (app: string, all: Named<Unnamed<Relation>>): Relation[] =>
  Object.entries(all).map(([name, one]) => ({ name, app, ...one }));

const mapOf =
  (of: Others): Relation["map"] =>
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

/** From what the app finds at once, or from what is found first, which may be a value, and then told. */
interface SourceOf<T> {
  <F>(
    stem: string,
    find: (draw: Draw) => F | undefined,
    tell: (found: F, draw: Draw) => Found<T> | undefined,
  ): SourceSpec;
  (stem: string, find: (draw: Draw) => Found<T> | undefined): SourceSpec;
}

function sourceOf<T extends Lookable>(type: T): SourceOf<ValueIn<T>> {
  type Told = Found<ValueIn<T>> | undefined;
  return (
    stem: string,
    find: (draw: Draw) => unknown,
    tell: (found: never, draw: Draw) => Told = (found) => found,
  ): SourceSpec => ({
    type,
    draw: (draw, app) => {
      const found = find(draw);
      const told = found === undefined ? undefined : tell(found as never, draw);
      if (!told) return undefined;
      const first = told === found ? [] : lookedUp({ found });
      const uses = [...first, ...(told.uses ?? [])];
      return looked(draw, app, stem, { ...told, uses }) as Value<never>;
    },
  });
}

/**
 * Where a value can be found instead of in the instruction, such as in a note, which is found first; the stem names the variable
 * that holds it.
 */
export const source = { money: sourceOf("money"), text: sourceOf("text"), day: sourceOf("day") };

/** Sources of an app by their names. */
export const sources = (app: string, specs: Declared<SourceSpec>): Source[] =>
  Object.entries(declared(specs)).map(([name, { type, draw }]) => ({
    name,
    type,
    app,
    draw: (from) => draw(from, app),
  }));

/** A number about an app as a whole, money in dollars: `` fact("money", value, code)`my balance | ...` ``. */
export const fact = (
  unit: Fact["unit"],
  value: (db: Reader) => number,
  code: string,
): Tagged<Unnamed<Fact>> => said((phrase) => ({ unit, words: formsOf(phrase), value, code }));

/** Facts of an app by their names. */
export const facts = (app: string, all: Declared<Unnamed<Fact>>): Fact[] =>
  Object.entries(declared(all)).map(([name, one]) => ({ name, app, ...one }));

type Done = NonNullable<ReturnType<Deed["draw"]>>;

/** What is done with what a deed drew, short of its sentence: `call` is its only cell, `as` more words by their holes. */
type Doing = Omit<Done, "sentences" | "cells"> & {
  readonly as?: { readonly [name: string]: string };
} & ({ readonly call: string } | Pick<Done, "cells">);

function finished(
  { as: _, ...what }: Doing,
  drawn: { readonly [name: string]: Drawn<unknown> },
  sentences: Done["sentences"],
): Done {
  const { call, cells, ...others } = { call: "", cells: undefined, ...what };
  const uses = [...lookedUp(drawn), ...(what.uses ?? [])];
  return { ...others, sentences, cells: cells ?? [call], uses };
}

/** A deed as it is drawn: `` done({ apply, call })`Create a list | ...` ``. */
export const done = (what: Doing): Tagged<Done> =>
  said((phrase) => finished(what, {}, formsOf(phrase)));

/** A deed that needs a value, which may be literal or looked up elsewhere. It is drawn before anything else. */
export function doneWith<T extends Lookable>(
  takes: T,
  draw: (value: ValueOf[T], draw: Draw) => Done | undefined,
): Unnamed<Deed> {
  return { takes, draw: withOne((from) => from.value(takes), draw) };
}

/** A deed with one thing that is drawn first, whose words are `$`. */
export const doing =
  <V extends Drawn<unknown>>(
    from: Finds<V>,
    make: (one: V, draw: Draw) => Doing | undefined,
  ): Tagged<Unnamed<Deed>> =>
  (...phrase) => ({
    ...taken({ from }),
    draw: (draw) => {
      const one = from(draw);
      const what = one && make(one, draw);
      return what && finished(what, { one }, forms(...withValue(phrase, one.words)));
    },
  });

/** A deed with a value `$`, which may be literal or looked up elsewhere. */
export const doingWith = <T extends Lookable>(
  takes: T,
  make: (value: ValueOf[T], draw: Draw) => Doing | undefined,
): Tagged<Unnamed<Deed>> => doing(valueOfType(takes), make);

/** A deed that draws ingredients, each with a hole of its name: `` deed({ name: oneOf(NAMES) }, ...)`Add a list "$name" | ...` ``. */
export const deed =
  <I extends Ingredients>(
    from: I,
    make: (drawn: DrawnOf<I>, draw: Draw) => Doing | undefined,
  ): Tagged<Unnamed<Deed>> =>
  (...phrase) => ({
    ...taken(from),
    draw: (draw) => {
      const drawn = drawAll(from, draw);
      const what = drawn && make(drawn, draw);
      if (!what) return undefined;
      const words = { ...saidOf(drawn), ...what.as };
      return finished(what, drawn, forms(...withValues(phrase, words)));
    },
  });

/** Deeds of an app by their names. */
export const deeds = (app: string, all: Declared<Deed["draw"] | Unnamed<Deed>>): Deed[] =>
  Object.entries(declared(all)).map(([name, one]) => ({
    name,
    app,
    ...(typeof one === "function" ? { draw: one } : one),
  }));

/** What lists of single things are declared with. */
const onceKit = () => ({
  ...{ source, fact, leaves, withOne },
  ...{ done, doneWith, doing, doingWith, deed, found, given, integer, oneOf, someone, sum },
});

/** By their names, at once or from what the kit hands over. */
type Declared<T> = Named<T> | ((kit: ReturnType<typeof onceKit>) => Named<T>);

const declared = <T>(all: Declared<T>): Named<T> =>
  typeof all === "function" ? all(onceKit()) : all;
