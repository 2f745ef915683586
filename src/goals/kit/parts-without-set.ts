/**
 * Parts that are not about a set of rows: relations between kinds, sources of values, facts about a whole app, and
 * single deeds.
 */
import type { Reader, Table, TableRow, Writer } from "../../world/index.ts";
import type { Deed, DrawContext, Fact, Relation, Source, Value, ValuesByType } from "../parts.ts";
import { distinctIds, storeAndPrint } from "./code.ts";
import { drawThenMake } from "./draw-then-make.ts";
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

/** How a relation leads from a set to the things that belong to it. */
export type RelationMeaning = {
  /** Phrases for what belongs to each of several things. */
  readonly wordsForEach?: NounFrames;
} & ({ readonly map: Relation["map"] } | { readonly relatedIds: RelatedIds }) &
  (
    | { readonly cells: Relation["cells"] }
    /** Writes an expression for the list of distinct keys, from the variable that holds the list of keys. */
    | { readonly code: (from: string) => string }
  );
/** Returns the ids that belong to one thing. An id that belongs to several things is used only once. */
type RelatedIds = (id: number, db: Reader) => number | null | undefined | readonly number[];

type PartsByName<T> = { readonly [name: string]: T };
type WithoutName<T> = Omit<T, "name" | "app">;

/**
 * Makes a relation that has no name yet: `` relationBetween("songs", "artists", { ... })`the artists of # | ...` ``.
 */
export function relationBetween(
  from: string,
  to: string,
  way: RelationMeaning,
): NeedsPhrase<WithoutName<Relation>>;
export function relationBetween(
  join: Pick<Relation, "from" | "to"> & RelationMeaning,
): NeedsPhrase<WithoutName<Relation>>;
export function relationBetween(
  ...given: [string, string, RelationMeaning] | [Pick<Relation, "from" | "to"> & RelationMeaning]
): NeedsPhrase<WithoutName<Relation>> {
  const [from, to, way] = given.length === 3 ? given : [given[0].from, given[0].to, given[0]];
  return phraseTag((phrase) => ({
    from,
    to,
    words: phraseNounFrames(phrase),
    ...(way.wordsForEach ? { wordsForEach: way.wordsForEach } : {}),
    map: "map" in way ? way.map : mapEachId(way.relatedIds),
    cells: "cells" in way ? way.cells : (keys, out) => [storeAndPrint(out, way.code(keys))],
  }));
}

/** Relates a thing to the id in one of its columns, such as an order to its payee. */
export const referencedIn =
  <R extends TableRow>(table: Table<R>, column: keyof R & string): RelatedIds =>
  (id, db) =>
    db.get(table, id)?.[column] as number | null | undefined;

/**
 * Relates a thing to the rows whose column holds its id, such as a payee to orders, or to another column of these rows.
 */
export const rowsReferencing =
  <R extends TableRow>(
    table: Table<R>,
    column: keyof R & string,
    also: Partial<R> = {},
    other: keyof R & string = "id",
  ): RelatedIds =>
  (id, db) =>
    db.where(table, { ...also, [column]: id } as Partial<R>).map((row) => row[other] as number);

/** Gives the relations of an app their names. */
export const relations = (app: string, all: PartsByName<WithoutName<Relation>>): Relation[] =>
  Object.entries(all).map(([name, one]) => ({ name, app, ...one }));

const mapEachId =
  (of: RelatedIds): Relation["map"] =>
  (db, ids) =>
    distinctIds(ids.flatMap((id) => of(id, db) ?? []));

/** A value that an agent can find: the value, the noun for it in a sentence, and an expression for it. */
export interface FoundValue<T> {
  readonly value: T;
  readonly words: string;
  readonly code: string;
  /** Cells that run before the expression. */
  readonly cells?: readonly string[];
  /** Values that the expression uses. */
  readonly uses?: readonly Value<unknown>[];
}

/** Makes a value that the solution looks up in `app` and leaves in a variable. */
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
type ValueOfSource<T extends SourceType> = ValuesByType[T]["value"];

/** A declared source, which has no name and no app yet. */
export interface SourceSpec {
  readonly type: SourceType;
  readonly draw: (draw: DrawContext, app: string) => Value<never> | undefined;
}

/**
 * Makes a source from a function that finds the value, or from one that finds a thing and one that reads the value
 * there.
 */
interface DefineSource<T> {
  <F>(
    stem: string,
    find: (draw: DrawContext) => F | undefined,
    tell: (found: F, draw: DrawContext) => FoundValue<T> | undefined,
  ): SourceSpec;
  (stem: string, find: (draw: DrawContext) => FoundValue<T> | undefined): SourceSpec;
}

function defineSource<T extends SourceType>(type: T): DefineSource<ValueOfSource<T>> {
  type FoundResult = FoundValue<ValueOfSource<T>> | undefined;
  return (
    stem: string,
    find: (draw: DrawContext) => unknown,
    tell: (found: never, draw: DrawContext) => FoundResult = (found) => found,
  ): SourceSpec => ({
    type,
    draw: (draw, app) => {
      const found = find(draw);
      const value = found === undefined ? undefined : tell(found as never, draw);
      if (!value) return undefined;
      const first = value === found ? [] : lookedUpValues({ found });
      const uses = [...first, ...(value.uses ?? [])];
      return lookedUpValue(draw, app, stem, { ...value, uses }) as Value<never>;
    },
  });
}

/**
 * Makes sources, which are places where a value is found instead of in the instruction, such as a note. The stem names
 * the variable that holds the value.
 */
export const source = {
  money: defineSource("money"),
  text: defineSource("text"),
  day: defineSource("day"),
};

/** Gives the sources of an app their names. */
export const sources = (app: string, specs: DeclaredParts<SourceSpec>): Source[] =>
  Object.entries(resolveDeclared(specs)).map(([name, { type, draw }]) => ({
    name,
    type,
    app,
    draw: (from) => draw(from, app),
  }));

/**
 * Makes a fact, which is a number about a whole app; money is in dollars: `` fact("money", value, code)`my balance |
 * ...` ``.
 */
export const fact = (
  unit: Fact["unit"],
  value: (db: Reader) => number,
  code: string,
): NeedsPhrase<WithoutName<Fact>> =>
  phraseTag((phrase) => ({ unit, words: phraseAlternatives(phrase), value, code }));

/** Gives the facts of an app their names. */
export const facts = (app: string, all: DeclaredParts<WithoutName<Fact>>): Fact[] =>
  Object.entries(resolveDeclared(all)).map(([name, one]) => ({ name, app, ...one }));

type DrawnDeed = NonNullable<ReturnType<Deed["draw"]>>;

/**
 * What a drawn deed does, without its sentence. `call` is its only cell. `extraWords` fill further holes of the
 * sentence.
 */
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

/** Makes a deed from what was drawn before: `` drawnDeed({ apply, call })`Create a list | ...` ``. */
export const drawnDeed = (what: DeedMeaning): NeedsPhrase<DrawnDeed> =>
  phraseTag((phrase) => completeDeed(what, {}, phraseAlternatives(phrase)));

/**
 * Makes a deed that needs a value, which is literal or looked up elsewhere. The value is drawn before anything else.
 */
export function drawnDeedWithValue<T extends SourceType>(
  takes: T,
  draw: (value: ValuesByType[T], draw: DrawContext) => DrawnDeed | undefined,
): WithoutName<Deed> {
  return { takes, draw: drawThenMake((from) => from.value(takes), draw) };
}

/** Makes a deed with one thing that is drawn first and stands for `$` in the sentence. */
export const deedWithOne =
  <V extends Drawn<unknown>>(
    from: DrawFunction<V>,
    make: (one: V, draw: DrawContext) => DeedMeaning | undefined,
  ): NeedsPhrase<WithoutName<Deed>> =>
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

/** Makes a deed with a value, which stands for `$` in the sentence and may be literal or looked up elsewhere. */
export const deedWithValue = <T extends SourceType>(
  takes: T,
  make: (value: ValuesByType[T], draw: DrawContext) => DeedMeaning | undefined,
): NeedsPhrase<WithoutName<Deed>> => deedWithOne(anyTaskValue(takes), make);

/**
 * Makes a deed with several ingredients, each with a hole: `` deed({ name: oneOf(NAMES) }, ...)`Add a list "$name" |
 * ...` ``.
 */
export const deed =
  <I extends Ingredients>(
    from: I,
    make: (drawn: DrawnIngredients<I>, draw: DrawContext) => DeedMeaning | undefined,
  ): NeedsPhrase<WithoutName<Deed>> =>
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

/** Gives the deeds of an app their names. */
export const deeds = (app: string, all: DeclaredParts<Deed["draw"] | WithoutName<Deed>>): Deed[] =>
  Object.entries(resolveDeclared(all)).map(([name, one]) => ({
    name,
    app,
    ...(typeof one === "function" ? { draw: one } : one),
  }));

/** The functions that declare parts without a set. */
const partsKit = () => ({
  ...{ source, fact, storeAndPrint: storeAndPrint, drawThenMake: drawThenMake },
  ...{
    drawnDeed: drawnDeed,
    drawnDeedWithValue: drawnDeedWithValue,
    deedWithOne: deedWithOne,
    deedWithValue: deedWithValue,
    deed,
    customIngredient: customIngredient,
    taskValue: taskValue,
    integerBetween: integerBetween,
    oneOf,
    someone,
    amountBetween: amountBetween,
  },
});

/** Parts by their names, or a function that makes them with the kit. */
type DeclaredParts<T> = PartsByName<T> | ((kit: ReturnType<typeof partsKit>) => PartsByName<T>);

const resolveDeclared = <T>(all: DeclaredParts<T>): PartsByName<T> =>
  typeof all === "function" ? all(partsKit()) : all;
