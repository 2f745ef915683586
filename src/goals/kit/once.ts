/** What has no set: relations between kinds, values that stand somewhere, numbers of a whole app, and single deeds. */
import type { Reader, Table, TableRow, Writer } from "../../world/index.ts";
import type { Deed, DrawContext, Fact, Relation, Source, Value, ValuesByType } from "../parts.ts";
import { distinctIds, storeAndPrint } from "./code.ts";
import {
  amountBetween,
  anyTaskValue,
  customIngredient,
  type DrawFunction,
  type Drawn,
  type DrawnIngredients,
  drawIngredients,
  type Ingredients,
  integerBetween,
  lookedUpValues,
  oneOf,
  someone,
  takenValueType,
  taskValue,
  wordsOfDrawn,
} from "./ingredients.ts";
import {
  alternatives,
  interpolateValue,
  interpolateValues,
  type NeedsPhrase,
  type NounFrames,
  phraseAlternatives,
  phraseNounFrames,
  phraseTag,
} from "./phrases.ts";
import { drawThenMake } from "./uses.ts";

/** How a relation goes from a set to the things that belong to it. */
export type RelationMeaning = {
  /** Phrases for what belongs to each of several things. */
  readonly wordsForEach?: NounFrames;
} & ({ readonly map: Relation["map"] } | { readonly relatedIds: RelatedIds }) &
  (
    | { readonly cells: Relation["cells"] }
    /** An expression for the list of distinct keys, from the variable of the list of keys. */
    | { readonly code: (from: string) => string }
  );
/** Of one thing; what several share is named once. */
type RelatedIds = (id: number, db: Reader) => number | null | undefined | readonly number[];

type PartsByName<T> = { readonly [name: string]: T };
type Unnamed<T> = Omit<T, "name" | "app">;

/** A relation between two kinds that waits for its name and app: `` joins("songs", "artists", { ... })`the artists of # | ...` ``. */
export function relationBetween(
  from: string,
  to: string,
  way: RelationMeaning,
): NeedsPhrase<Unnamed<Relation>>;
export function relationBetween(
  join: Pick<Relation, "from" | "to"> & RelationMeaning,
): NeedsPhrase<Unnamed<Relation>>;
export function relationBetween(
  ...given: [string, string, RelationMeaning] | [Pick<Relation, "from" | "to"> & RelationMeaning]
): NeedsPhrase<Unnamed<Relation>> {
  const [from, to, way] = given.length === 3 ? given : [given[0].from, given[0].to, given[0]];
  return phraseTag((phrase) => ({
    from,
    to,
    words: phraseNounFrames(phrase),
    ...(way.wordsForEach ? { each: way.wordsForEach } : {}),
    map: "map" in way ? way.map : mapEachId(way.relatedIds),
    cells: "cells" in way ? way.cells : (keys, out) => [storeAndPrint(out, way.code(keys))],
  }));
}

/** What a column of the thing names: the payee of an order. */
export const referencedIn =
  <R extends TableRow>(table: Table<R>, column: keyof R & string): RelatedIds =>
  (id, db) =>
    db.get(table, id)?.[column] as number | null | undefined;

/** Rows whose column names the thing, or what another column of theirs names: the orders of a payee. */
export const rowsReferencing =
  <R extends TableRow>(
    table: Table<R>,
    column: keyof R & string,
    also: Partial<R> = {},
    other: keyof R & string = "id",
  ): RelatedIds =>
  (id, db) =>
    db.where(table, { ...also, [column]: id } as Partial<R>).map((row) => row[other] as number);

/** Relations of an app by their names. */
export const relations = (app: string, all: PartsByName<Unnamed<Relation>>): Relation[] =>
  Object.entries(all).map(([name, one]) => ({ name, app, ...one }));

const mapEachId =
  (of: RelatedIds): Relation["map"] =>
  (db, ids) =>
    distinctIds(ids.flatMap((id) => of(id, db) ?? []));

/** A value that an agent can find: what it is, how a sentence calls it, an expression for it. */
export interface FoundValue<T> {
  readonly value: T;
  readonly words: string;
  readonly code: string;
  /** Cells that run before. */
  readonly cells?: readonly string[];
  /** Values that the code names. */
  readonly uses?: readonly Value<unknown>[];
}

/** A value that the solution looks up in `app` and leaves in a variable. */
export function lookedUpValue<T>(
  draw: DrawContext,
  app: string,
  stem: string,
  found: FoundValue<T>,
): Value<T> {
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
    cells: [...before, ...cells, storeAndPrint(name, code)],
    apps: [...new Set([app, ...uses.flatMap(({ apps }) => apps)])],
    ...(setups.length > 0 ? { setup } : {}),
  };
}

type SourceType = Source["type"];
type ValueIn<T extends SourceType> = ValuesByType[T]["value"];

/** One entry of a list of sources. */
export interface SourceSpec {
  readonly type: SourceType;
  readonly draw: (draw: DrawContext, app: string) => Value<never> | undefined;
}

/** From what the app finds at once, or from what is found first, which may be a value, and then told. */
interface SourceOf<T> {
  <F>(
    stem: string,
    find: (draw: DrawContext) => F | undefined,
    tell: (found: F, draw: DrawContext) => FoundValue<T> | undefined,
  ): SourceSpec;
  (stem: string, find: (draw: DrawContext) => FoundValue<T> | undefined): SourceSpec;
}

function sourceOf<T extends SourceType>(type: T): SourceOf<ValueIn<T>> {
  type Told = FoundValue<ValueIn<T>> | undefined;
  return (
    stem: string,
    find: (draw: DrawContext) => unknown,
    tell: (found: never, draw: DrawContext) => Told = (found) => found,
  ): SourceSpec => ({
    type,
    draw: (draw, app) => {
      const found = find(draw);
      const told = found === undefined ? undefined : tell(found as never, draw);
      if (!told) return undefined;
      const first = told === found ? [] : lookedUpValues({ found });
      const uses = [...first, ...(told.uses ?? [])];
      return lookedUpValue(draw, app, stem, { ...told, uses }) as Value<never>;
    },
  });
}

/**
 * Where a value can be found instead of in the instruction, such as in a note, which is found first; the stem names the variable
 * that holds it.
 */
export const source = { money: sourceOf("money"), text: sourceOf("text"), day: sourceOf("day") };

/** Sources of an app by their names. */
export const sources = (app: string, specs: DeclaredParts<SourceSpec>): Source[] =>
  Object.entries(resolveDeclared(specs)).map(([name, { type, draw }]) => ({
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
): NeedsPhrase<Unnamed<Fact>> =>
  phraseTag((phrase) => ({ unit, words: phraseAlternatives(phrase), value, code }));

/** Facts of an app by their names. */
export const facts = (app: string, all: DeclaredParts<Unnamed<Fact>>): Fact[] =>
  Object.entries(resolveDeclared(all)).map(([name, one]) => ({ name, app, ...one }));

type DrawnDeed = NonNullable<ReturnType<Deed["draw"]>>;

/** What is done with what a deed drew, short of its sentence: `call` is its only cell, `as` more words by their holes. */
type DeedMeaning = Omit<DrawnDeed, "sentences" | "cells"> & {
  readonly extraWords?: { readonly [name: string]: string };
} & ({ readonly call: string } | Pick<DrawnDeed, "cells">);

function completeDeed(
  { extraWords: _, ...what }: DeedMeaning,
  drawn: { readonly [name: string]: Drawn<unknown> },
  sentences: DrawnDeed["sentences"],
): DrawnDeed {
  const { call, cells, ...others } = { call: "", cells: undefined, ...what };
  const uses = [...lookedUpValues(drawn), ...(what.uses ?? [])];
  return { ...others, sentences, cells: cells ?? [call], uses };
}

/** A deed as it is drawn: `` done({ apply, call })`Create a list | ...` ``. */
export const drawnDeed = (what: DeedMeaning): NeedsPhrase<DrawnDeed> =>
  phraseTag((phrase) => completeDeed(what, {}, phraseAlternatives(phrase)));

/** A deed that needs a value, which may be literal or looked up elsewhere. It is drawn before anything else. */
export function drawnDeedWithValue<T extends SourceType>(
  takes: T,
  draw: (value: ValuesByType[T], draw: DrawContext) => DrawnDeed | undefined,
): Unnamed<Deed> {
  return { takes, draw: drawThenMake((from) => from.value(takes), draw) };
}

/** A deed with one thing that is drawn first, whose words are `$`. */
export const deedWithOne =
  <V extends Drawn<unknown>>(
    from: DrawFunction<V>,
    make: (one: V, draw: DrawContext) => DeedMeaning | undefined,
  ): NeedsPhrase<Unnamed<Deed>> =>
  (...phrase) => ({
    ...takenValueType({ from }),
    draw: (draw) => {
      const one = from(draw);
      const what = one && make(one, draw);
      return (
        what && completeDeed(what, { one }, alternatives(...interpolateValue(phrase, one.words)))
      );
    },
  });

/** A deed with a value `$`, which may be literal or looked up elsewhere. */
export const deedWithValue = <T extends SourceType>(
  takes: T,
  make: (value: ValuesByType[T], draw: DrawContext) => DeedMeaning | undefined,
): NeedsPhrase<Unnamed<Deed>> => deedWithOne(anyTaskValue(takes), make);

/** A deed that draws ingredients, each with a hole of its name: `` deed({ name: oneOf(NAMES) }, ...)`Add a list "$name" | ...` ``. */
export const deed =
  <I extends Ingredients>(
    from: I,
    make: (drawn: DrawnIngredients<I>, draw: DrawContext) => DeedMeaning | undefined,
  ): NeedsPhrase<Unnamed<Deed>> =>
  (...phrase) => ({
    ...takenValueType(from),
    draw: (draw) => {
      const drawn = drawIngredients(from, draw);
      const what = drawn && make(drawn, draw);
      if (!what) return undefined;
      const words = { ...wordsOfDrawn(drawn), ...what.extraWords };
      return completeDeed(what, drawn, alternatives(...interpolateValues(phrase, words)));
    },
  });

/** Deeds of an app by their names. */
export const deeds = (app: string, all: DeclaredParts<Deed["draw"] | Unnamed<Deed>>): Deed[] =>
  Object.entries(resolveDeclared(all)).map(([name, one]) => ({
    name,
    app,
    ...(typeof one === "function" ? { draw: one } : one),
  }));

/** What lists of single things are declared with. */
const onceKit = () => ({
  ...{ source, fact, leaves: storeAndPrint, withOne: drawThenMake },
  ...{
    done: drawnDeed,
    doneWith: drawnDeedWithValue,
    doing: deedWithOne,
    doingWith: deedWithValue,
    deed,
    found: customIngredient,
    given: taskValue,
    integer: integerBetween,
    oneOf,
    someone,
    sum: amountBetween,
  },
});

/** By their names, at once or from what the kit hands over. */
type DeclaredParts<T> = PartsByName<T> | ((kit: ReturnType<typeof onceKit>) => PartsByName<T>);

const resolveDeclared = <T>(all: DeclaredParts<T>): PartsByName<T> =>
  typeof all === "function" ? all(onceKit()) : all;
