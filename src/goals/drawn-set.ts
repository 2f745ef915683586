/**
 * Draws a set: its noun phrase, its meaning on tables, and the code cells that collect it.
 *
 * Every clause must matter: the set would differ without it (`withoutClause`). A ranking has no ties at its edge, and
 * no set is empty. If a draw breaks a rule, the attempt is given up, and the composer tries again.
 */
import type { DemonstrationStyle } from "../spec/index.ts";
import type { Reader, TableRow } from "../world/index.ts";
import {
  type Claims,
  joinClaims,
  makeCollectionClaims,
  makeKeysClaim,
  qualifiedName,
} from "./claims.ts";
import {
  type Attempt,
  applySetup,
  makeDrawContext,
  NothingToDraw,
  newVariableName,
  requireDrawn,
} from "./draw.ts";
import {
  contextSentence,
  countedNouns,
  introduce,
  joinNounAndClauses,
  nounsOfAll,
  nounsOfTop,
  pickNoun,
  pronounsOf,
  sameNounThroughout,
  singularNoun,
  withoutChoice,
} from "./noun-phrases.ts";
import type { Clause, Collection, Field, Filter, Relation, Value } from "./parts.ts";
import { kindOfSet, type SetShape } from "./shapes.ts";
import {
  ALSO_NOUNS,
  countRelativeClauses,
  EXCEPT_NOUNS,
  orderClauses,
  sayPronoun,
  saysOneIsEnough,
  TWO_GROUPS_SENTENCES,
} from "./words.ts";

/** Returns a cell in a style. A hasty cell is what an agent writes that mistakes the first page for the whole list. */
export type StyledCell = (style: DemonstrationStyle) => string;
export type IdsInState = (db: Reader) => readonly number[];

export interface DrawnSet {
  readonly kind: string;
  /** The noun phrase with a determiner: `all mails in my inbox from Amara Okafor`, `my note "Soup"`. */
  readonly noun: string;
  /** The noun phrase with the definite article. In the field `any`, it means "any one of them". */
  readonly the: string;
  readonly any: string;
  /** A sentence that comes first and says what the noun phrases refer to; absent when they need none. */
  readonly context?: string;
  /** The plural without a determiner; absent for things that are named or reached by a relation. */
  readonly many?: string;
  /** What stands after "the number of" (`those with a reminder`), and after a number (`of them with a reminder`). */
  readonly counted?: string;
  readonly afterNumber?: string;
  /** True when the set is a single thing, which is called `it` instead of `them`. */
  readonly isSingle: boolean;
  readonly ids: IdsInState;
  /** For each clause, the set without this clause. */
  readonly withoutClause: readonly IdsInState[];
  readonly cells: readonly StyledCell[];
  /** The variable that holds the keys. The variable `items` holds the items of the list API. */
  readonly keys: string;
  readonly items?: string;
  readonly collection?: Collection;
  /** True when the set names something that does not exist. */
  readonly isMissing: boolean;
  readonly claims: Claims;
}

export interface SetLimits {
  readonly least: number;
  readonly most: number;
}

/**
 * Limits on the size of a set. Sets whose things are acted on one by one are small; sets that are only counted may be
 * larger.
 */
export const ACTION_LIMITS: SetLimits = { least: 1, most: 9 };
export const COUNTING_LIMITS: SetLimits = { least: 2, most: 80 };

export function drawSet(
  attempt: Attempt,
  path: string,
  shape: SetShape,
  limits: SetLimits,
  missing = false,
  inline = false,
): DrawnSet {
  const set = drawShape(attempt, path, shape, missing, inline);
  if (missing) return set;
  const ids = set.ids(attempt.db);
  if (ids.length < limits.least || ids.length > limits.most) throw new NothingToDraw();
  if (set.withoutClause.some((dropped) => equalIds(dropped(attempt.db), ids)))
    throw new NothingToDraw();
  return set;
}

export function equalIds(a: readonly number[], b: readonly number[]): boolean {
  const other = new Set(b);
  return a.length === b.length && a.every((id) => other.has(id));
}

/** With `inline`, the noun phrases say everything, because another sentence contains them. */
function drawShape(
  attempt: Attempt,
  path: string,
  shape: SetShape,
  missing: boolean,
  inline: boolean,
): DrawnSet {
  switch (shape.type) {
    case "whole":
      return drawFromCollection(attempt, path, shape.collection, []);
    case "filtered":
      return drawFromCollection(attempt, path, shape.collection, shape.clauses, undefined, inline);
    case "top":
      return drawFromCollection(attempt, path, shape.collection, shape.clauses, shape, inline);
    case "titled":
      return drawTitled(attempt, path, shape.collection, missing);
    case "related":
      return drawRelated(attempt, path, shape, missing, inline);
    case "combined":
      return drawCombined(attempt, path, shape);
  }
}

type Ranking = Pick<Extract<SetShape, { type: "top" }>, "field" | "end">;

function drawFromCollection(
  attempt: Attempt,
  path: string,
  collection: Collection,
  clauses: readonly Clause<never>[],
  rank?: Ranking,
  inline = false,
): DrawnSet {
  const filters = drawFilters(attempt, path, collection, clauses);
  const count = rank ? makeDrawContext(attempt, `${path}.n`).rng.integer(1, 3) : 0;
  const selectIds = (kept: readonly Filter<TableRow>[]) => (db: Reader) => {
    const rows = filterRows(collection, kept, db);
    return rank ? topIds(rows, rank, count, db) : rows.map(({ id }) => id);
  };
  if (rank) refuseTies(attempt.db, collection, filters, rank, count);
  const phrases = orderClauses(filters.map(({ words }) => ({ text: attempt.wording.pick(words) })));
  const noun = pickNoun(attempt, collection.nouns, phrases[0]?.text);
  const all = joinNounAndClauses(noun.many, phrases)!;
  const needsContext = !inline && filters.length > 0 && countRelativeClauses(all) > 1;
  const context = needsContext
    ? contextSentence(attempt, noun.many, phrases, rank !== undefined)
    : undefined;
  const many = context?.many ?? all;
  const [items, keys] = [newVariableName(attempt, "i"), newVariableName(attempt, "s")];
  const listCells = (
    kept: readonly Filter<TableRow>[],
    order?: Parameters<typeof collectCell>[4],
  ) => [
    ...valueCells(kept.flatMap(({ uses }) => uses ?? [])),
    collectCell(collection, kept, items, keys, order),
  ];
  return {
    kind: collection.kind,
    ...(rank
      ? nounsOfTop(
          attempt,
          rank,
          count,
          context ? undefined : singularNoun(collection.kind, noun.one, phrases),
          many,
        )
      : nounsOfAll(attempt, many)),
    ...(context ? { context: context.sentence } : {}),
    ...(rank ? {} : { many, ...countedNouns(many, context?.clause) }),
    isSingle: rank !== undefined && count === 1,
    ids: selectIds(filters),
    withoutClause: filters.map((filter) => selectIds(filters.filter((other) => other !== filter))),
    cells: listCells(filters, rank && { ...rank, count }),
    keys,
    items,
    collection,
    isMissing: false,
    claims: makeCollectionClaims(
      collection,
      filters.map((filter, i) => [clauses[i]!.name, filter]),
      keys,
      (kept) => carefulCells(listCells(kept)),
      (kept, db) => filterRows(collection, kept, db).map(({ id }) => id),
    ),
  };
}

function listedRows(collection: Collection, db: Reader): TableRow[] {
  return db.all(collection.table).filter((row) => collection.includes(row, db));
}

/** Returns the rows of a collection that pass all filters. */
function filterRows(
  collection: Collection,
  filters: readonly Filter<TableRow>[],
  db: Reader,
): TableRow[] {
  return listedRows(collection, db).filter((row) => filters.every(({ holds }) => holds(row, db)));
}

function drawFilters(
  attempt: Attempt,
  path: string,
  collection: Collection,
  clauses: readonly Clause<never>[],
): Filter<TableRow>[] {
  let rows = listedRows(collection, attempt.db);
  // Clauses take their values from rows that may be mentioned. They may be true of other rows too.
  return (clauses as unknown as readonly Clause<TableRow>[]).map((clause) => {
    const own = rows.filter((row) => attempt.language.canMention(row, attempt.split));
    if (own.length === 0) throw new NothingToDraw();
    const filter = requireDrawn(
      clause.draw(makeDrawContext(attempt, `${path}.${clause.name}`), own),
    );
    for (const { setup } of filter.uses ?? []) applySetup(attempt, setup);
    rows = rows.filter((row) => filter.holds(row, attempt.db));
    return filter;
  });
}

/**
 * Returns the first `count` ids in a ranking. The order of ties does not matter, because a tie at the edge is refused
 * elsewhere.
 */
function topIds(
  rows: readonly TableRow[],
  { field, end }: Ranking,
  count: number,
  db: Reader,
): number[] {
  return sortRows(rows, field, end, db)
    .slice(0, count)
    .map(({ id }) => id);
}

function sortRows(
  rows: readonly TableRow[],
  field: Field<never>,
  end: "most" | "least",
  db: Reader,
): TableRow[] {
  const value = (field as unknown as Field<TableRow>).value;
  const sign = end === "most" ? -1 : 1;
  const values = new Map(rows.map((row) => [row, value(row, db)]));
  return rows.toSorted((a, b) => {
    const [x, y] = [values.get(a)!, values.get(b)!];
    return x === y ? 0 : x < y ? -sign : sign;
  });
}

function refuseTies(
  db: Reader,
  collection: Collection,
  filters: readonly Filter<TableRow>[],
  { field, end }: Ranking,
  count: number,
): void {
  const order = sortRows(filterRows(collection, filters, db), field, end, db).map((row) =>
    (field as unknown as Field<TableRow>).value(row, db),
  );
  if (order.length <= count || order[count - 1] === order[count]) throw new NothingToDraw();
}

/**
 * Writes the cell that reads all pages, keeps the items that pass the tests, and leaves the items and their keys in
 * variables.
 */
function collectCell(
  { list, key }: Collection,
  filters: readonly Filter<TableRow>[],
  items: string,
  keys: string,
  rank?: Ranking & { readonly count: number },
): StyledCell {
  const args = [list.args, ...filters.map(({ code }) => code.args)].filter(Boolean);
  const tests = filters.flatMap(({ code }) => (code.test ? [`(${code.test})`] : []));
  const filter = tests.length > 0 ? `${items}=${items}.filter(x=>${tests.join("&&")});` : "";
  const order = rank ? `${rankCode(items, rank)};` : "";
  const end = `${filter}${order}var ${keys}=${items}.map(x=>x.${key});print(${keys})`;
  return (style) => {
    if (style === "hasty") {
      return `var ${items}=apis.${list.api}({${args.join(",")}}).items;${end}`;
    }
    const all = [...args, "size:20", "page:p++"].join(",");
    return `var ${items}=[],p=1,r;do{r=apis.${list.api}({${all}});${items}.push(...r.items)}while(r.more);${end}`;
  };
}

/**
 * Writes the code that ranks items. The values are computed first, so that code which calls APIs runs only once for
 * each item.
 */
function rankCode(
  items: string,
  { field, end, count }: Ranking & { readonly count: number },
): string {
  const sign = end === "most" ? ["1", "-1"] : ["-1", "1"];
  return `${items}=${items}.map(x=>({x,v:${field.code}})).sort((a,b)=>a.v<b.v?${sign[0]}:${sign[1]}).slice(0,${count}).map(({x})=>x)`;
}

/** Returns cells in the form in which a careful agent writes them. */
export const carefulCells = (cells: readonly StyledCell[]): string[] =>
  cells.map((cell) => cell("careful"));

export function valueCells(values: readonly Value<unknown>[]): StyledCell[] {
  return values.flatMap(({ cells }) => cells.map((cell) => () => cell));
}

/** Draws one row and its title. A person may be drawn only when the task may name this person. */
function drawTitled(
  attempt: Attempt,
  path: string,
  collection: Collection,
  missing: boolean,
): DrawnSet {
  const { rng } = makeDrawContext(attempt, `${path}.title`);
  const title = requireDrawn(collection.title);
  const name = missing ? rng.pick(title.missing) : drawExistingTitle(attempt, path, collection);
  const ids = (db: Reader) =>
    listedRows(collection, db)
      .filter((row) => title.nameOf(row as never) === name)
      .map(({ id }) => id);
  if (ids(attempt.db).length !== (missing ? 0 : 1)) throw new NothingToDraw();
  const keys = newVariableName(attempt, "s");
  const cells = title.cells(name, keys);
  return {
    kind: collection.kind,
    ...sameNounThroughout(attempt.wording.pick(title.nouns(name))),
    isSingle: true,
    ids,
    withoutClause: [],
    cells: cells.map((cell) => () => cell),
    keys,
    collection,
    isMissing: missing,
    claims: makeKeysClaim(`title of collection ${qualifiedName(collection)}`, cells, keys, ids),
  };
}

function drawExistingTitle(attempt: Attempt, path: string, collection: Collection): string {
  const title = collection.title!;
  const own = new Set(attempt.people.map(({ id }) => id));
  const rows = listedRows(collection, attempt.db).filter(
    (row) =>
      attempt.language.canMention(row, attempt.split) &&
      (collection.kind !== "people" || own.has(row.id)),
  );
  const names = rows.map((row) => title.nameOf(row as never));
  const once = names.filter((name) => names.indexOf(name) === names.lastIndexOf(name));
  if (once.length === 0) throw new NothingToDraw();
  return makeDrawContext(attempt, `${path}.title`).rng.pick(once);
}

/** Draws what belongs to any thing of a set, or to each of them if the shape says so. */
function drawRelated(
  attempt: Attempt,
  path: string,
  shape: Extract<SetShape, { type: "related" }>,
  missing: boolean,
  inline: boolean,
): DrawnSet {
  const limits = { least: 1, most: 12 };
  const source = drawSet(attempt, `${path}.of`, shape.of, limits, missing, inline);
  const context = inline || shape.of.type === "titled" ? undefined : introduce(attempt, source);
  const keys = newVariableName(attempt, "s");
  const { map, cells } = shape.each ? relationToShared(shape.relation) : shape.relation;
  if (shape.each) refuseEqualReadings(attempt.db, shape.relation, source);
  const through = (ids: IdsInState) => (db: Reader) => map(db, ids(db));
  const all = [...source.cells, ...cells(source.keys, keys).map((cell) => () => cell)];
  return {
    kind: shape.relation.to,
    ...sameNounThroughout(
      relatedNoun(attempt, shape, context ? { ...source, ...pronounsOf(source) } : source),
    ),
    ...(context ? { context } : {}),
    isSingle: false,
    ids: through(source.ids),
    withoutClause: source.withoutClause.map(through),
    cells: all,
    keys,
    isMissing: missing,
    claims: joinClaims(
      source.claims,
      makeKeysClaim(
        `relation ${qualifiedName(shape.relation)}`,
        carefulCells(all),
        keys,
        through(source.ids),
      ),
    ),
  };
}

function relatedNoun(
  { wording }: Attempt,
  { relation, each }: Extract<SetShape, { type: "related" }>,
  source: DrawnSet,
): string {
  if (each) return wording.pick(requireDrawn(relation.wordsForEach))(source.the);
  const form = wording.pick(relation.words);
  const noun = form(saysOneIsEnough(form) ? source.the : source.any);
  // "Pay the guests of any of the events" could be read as the guests of only one event.
  return source.isSingle
    ? sayPronoun(withoutChoice(noun, source.the))
    : noun.replace(/^the /, "all ");
}

/** Changes a relation to what belongs to any of several things into a relation to what belongs to each of them. */
export function relationToShared({ map, cells }: Relation): Pick<Relation, "map" | "cells"> {
  return {
    map: (db, ids) => {
      const [first = [], ...others] = ids.map((id) => map(db, [id]));
      return first.filter((id) => others.every((other) => other.includes(id)));
    },
    cells: (from, to) => {
      const [one, its] = [`${to}k`, `${to}v`];
      const look = cells(one, its).join(";");
      const keep = `${to}=${to}?${to}.filter(v=>${its}.includes(v)):${its}`;
      return [`var ${to};for(const k of ${from}){var ${one}=[k];${look};${keep}}print(${to})`];
    },
  };
}

/** Gives up when "any" and "each" mean the same rows, because the task would not show which of them was understood. */
function refuseEqualReadings(db: Reader, relation: Relation, source: DrawnSet): void {
  const ids = source.ids(db);
  if (equalIds(relationToShared(relation).map(db, ids), relation.map(db, ids)))
    throw new NothingToDraw();
}

function drawCombined(
  attempt: Attempt,
  path: string,
  { how, left, right }: Extract<SetShape, { type: "combined" }>,
): DrawnSet {
  const a = drawSet(attempt, `${path}.left`, left, { least: 2, most: 40 }, false, true);
  const b = drawSet(attempt, `${path}.right`, right, { least: 1, most: 40 }, false, true);
  const keys = newVariableName(attempt, "s");
  const combine = (x: IdsInState, y: IdsInState) => (db: Reader) => {
    const other = new Set(y(db));
    return x(db).filter((id) => other.has(id) === (how === "also"));
  };
  const noun = attempt.wording.pick(how === "also" ? ALSO_NOUNS : EXCEPT_NOUNS);
  const context = attempt.wording.pick(TWO_GROUPS_SENTENCES)(a.the, b.the);
  return {
    kind: kindOfSet(left),
    ...sameNounThroughout(noun),
    context,
    isSingle: false,
    ids: combine(a.ids, b.ids),
    withoutClause: [
      a.ids,
      ...(how === "also" ? [b.ids] : []),
      ...a.withoutClause.map((ids) => combine(ids, b.ids)),
      ...b.withoutClause.map((ids) => combine(a.ids, ids)),
    ],
    cells: [
      ...a.cells,
      ...b.cells,
      () =>
        `var ${keys}=${a.keys}.filter(x=>${how === "also" ? "" : "!"}${b.keys}.includes(x));print(${keys})`,
    ],
    keys,
    isMissing: false,
    claims: joinClaims(a.claims, b.claims),
  };
}
