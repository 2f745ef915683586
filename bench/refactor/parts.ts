/**
 * Checks that a change of structure did not change the parts of the Everyday world's goals: compares a hash of each
 * part with a baseline. `world.ts` covers drawn tasks, and this script covers every clause, field, action, relation,
 * source, fact and deed.
 *
 *   npx tsx bench/refactor/parts.ts                 compares every part, in half a minute
 *   npx tsx bench/refactor/parts.ts shop            compares parts whose name begins with this: shop/orders/clause since
 *   npx tsx bench/refactor/parts.ts shop --print    also prints the hashed texts
 *   npx tsx bench/refactor/parts.ts --write         writes baseline-parts.json, at the commit before the change
 *
 * Each part is drawn with several seeds, for a training and a test split, in the world of seed 1. The hash of a part
 * covers its words and its effect on rows: for which rows a clause holds, the values of a field, and what an action
 * permits and changes.
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { Rng, THIS_CALL } from "../../src/core/index.ts";
import type {
  Action,
  Collection,
  DrawContext,
  Effect,
  Parts,
  Relation,
} from "../../src/goals/index.ts";
import { makeDrawContext, startAttempt } from "../../src/goals/index.ts";
import { loadDefinition, WorldInstance } from "../../src/world/episode/index.ts";
import type { Reader, Scratch } from "../../src/world/index.ts";
import { makeScratch } from "../../src/world/state/index.ts";
import { builtInWorlds } from "../../src/worlds/index.ts";
import { LANGUAGE } from "../../worlds/everyday/language.ts";
import { allParts } from "../../worlds/everyday/parts/index.ts";
import { peopleOf } from "../../worlds/everyday/population.ts";
import { compareHashes, type Hashes, readBaseline, writeBaseline } from "./baseline.ts";

const BASELINE = "baseline-parts.json";
const SPLITS = ["train", "test-normal"] as const;
const DRAWS = 6;
/** How many rows of a collection a hash covers at most. */
const ROWS = 120;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: "boolean", default: false },
    print: { type: "boolean", default: false },
  },
});
const [partPrefix = ""] = positionals;

const world = new WorldInstance(
  await loadDefinition(builtInWorlds.everyday!.url.href, THIS_CALL),
  1,
);
const base = world.copyPopulation();
const copyPopulation = () => makeScratch(base);

/** Calls `record` with the context of a draw for each split and seed, and returns the results. */
function recordDraws<T>(name: string, record: (draw: DrawContext) => T): T[] {
  return SPLITS.flatMap((split) =>
    Array.from({ length: DRAWS }, (_, i) => {
      const rng = new Rng(i).child(name).child(split);
      const people = peopleOf(base, split);
      const request = {
        rng,
        split,
        people,
        language: LANGUAGE,
        scratch: copyPopulation,
        paraphrase: 0,
      };
      return record(makeDrawContext(startAttempt(request), name));
    }),
  );
}

const NOUN = "⟨noun⟩";
const fillInNoun = (forms: readonly ((noun: string) => string)[]) =>
  forms.map((form) => form(NOUN));
const listCollectionRows = ({ table, includes: holds }: Collection, db: Reader = base) =>
  db.all(table).filter((row) => holds(row, db));
const takeEvenlySpaced = <T>(rows: readonly T[]) =>
  rows.filter((_, i) => i % Math.max(1, Math.floor(rows.length / ROWS)) === 0);
/** Returns a value as JSON with sorted properties and without empty lists. */
const toSortedJson = (value: unknown) =>
  JSON.stringify(value, (_, inner) => {
    if (typeof inner === "function") return "function";
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner).filter(
      ([, it]) => !(Array.isArray(it) && it.length === 0),
    );
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  });

/** Lists the ids of rows of a kind. Actions and relations of this kind apply to these rows. */
function listRowIds(kind: string, db: Reader = base): number[] {
  const all = allParts.flatMap(({ collections = [] }) => collections);
  const rows = all.filter((c) => c.kind === kind).flatMap((c) => listCollectionRows(c, db));
  return takeEvenlySpaced([...new Set(rows.map(({ id }) => id))]);
}

/** Returns a copy of the world's state after the setups of a drawn effect. */
function prepareState({ setup, uses = [] }: Pick<Effect, "setup" | "uses">): Scratch {
  const state = copyPopulation();
  for (const prepare of [...uses.map((value) => value.setup), setup]) prepare?.(state);
  return state;
}

/** Returns the changes of a state as JSON, in which the order of columns is kept because checks follow it. */
const formatChanges = (state: Scratch) => JSON.stringify(state.changes());

function describeEffect(kind: string, effect: Effect | undefined) {
  if (!effect) return "none";
  const before = prepareState(effect);
  const permitted = listRowIds(kind, before).filter((id) => effect.permits?.(before, id) ?? true);
  const changes = permitted.slice(0, 3).map((id) => {
    const after = prepareState(effect);
    effect.apply(after, id);
    return formatChanges(after);
  });
  return [fillInNoun(effect.frames), permitted, changes, effect.call("x"), effect.uses ?? []];
}

function* describeCollection(
  path: string,
  collection: Collection,
): Generator<[string, () => unknown]> {
  const rows = listCollectionRows(collection);
  const { clauses, fields, title, table, includes: _, allowsWhole, ...others } = collection;
  // The baseline was written when `allowsWhole` was called `whole`.
  const rest = { ...others, whole: allowsWhole };
  yield [path, () => [rest, table.name, rows.map(({ id }) => id), clauses.map((c) => c.name)]];
  for (const { name, excludes, draw: drawn } of clauses) {
    const record = (draw: DrawContext) => {
      const filter = drawn(draw, rows as never);
      if (!filter) return "none";
      const { holds, ...otherFields } = filter;
      const kept = rows.filter((row) => holds(row as never, base)).map(({ id }) => id);
      return [otherFields, kept, draw.rng.integer(0, 1e6)];
    };
    yield [
      `${path}/clause ${name}`,
      () => [excludes ?? [], recordDraws(`${path}.${name}`, record)],
    ];
  }
  for (const { value, ...otherFields } of fields) {
    const listValues = () => takeEvenlySpaced(rows).map((row) => value(row as never, base));
    yield [`${path}/field ${otherFields.name}`, () => [otherFields, listValues()]];
  }
  if (!title) return;
  const listNames = () => takeEvenlySpaced(rows).map((row) => title.nameOf(row));
  const describeName = (name: string) => [title.nouns(name), title.cells(name, "out")];
  yield [
    `${path}/title`,
    () => [title.missing, listNames(), [...listNames(), ...title.missing].map(describeName)],
  ];
}

function describeAction({ draw: drawn, ...otherFields }: Action): unknown {
  const record = (draw: DrawContext) => [
    describeEffect(otherFields.kind, drawn(draw)),
    draw.rng.integer(0, 1e6),
  ];
  return [otherFields, recordDraws(`action.${otherFields.name}`, record)];
}

function describeRelation({ words, wordsForEach, map, cells, ...otherFields }: Relation): unknown {
  const ids = listRowIds(otherFields.from);
  const relatedIds = [ids, ids.slice(0, 2), ids.slice(2, 7)].map((some) => map(base, some));
  return [
    otherFields,
    fillInNoun(words),
    wordsForEach && fillInNoun(wordsForEach),
    relatedIds,
    cells("from1", "to1"),
  ];
}

function* describeParts(app: string, parts: Parts): Generator<[string, () => unknown]> {
  const listNames = (all: readonly { name: string }[] = []) => all.map(({ name }) => name);
  const order = Object.entries(parts).map(([what, all]) => [what, listNames(all)]);
  yield [`${app}/order`, () => order.sort()];
  for (const one of parts.collections ?? []) yield* describeCollection(`${app}/${one.name}`, one);
  for (const one of parts.relations ?? [])
    yield [`${app}/relation ${one.name}`, () => describeRelation(one)];
  for (const one of parts.actions ?? [])
    yield [`${app}/action ${one.kind} ${one.name}`, () => describeAction(one)];
  for (const { draw: drawn, ...otherFields } of parts.sources ?? []) {
    const record = (draw: DrawContext) => [drawn(draw) ?? "none", draw.rng.integer(0, 1e6)];
    yield [
      `${app}/source ${otherFields.name}`,
      () => [otherFields, recordDraws(`source.${otherFields.name}`, record)],
    ];
  }
  for (const { value, ...otherFields } of parts.facts ?? [])
    yield [`${app}/fact ${otherFields.name}`, () => [otherFields, value(base)]];
  for (const { draw: drawn, ...otherFields } of parts.deeds ?? []) {
    const record = (draw: DrawContext) => {
      const deed = drawn(draw);
      if (!deed) return "none";
      const state = prepareState(deed);
      const permitted = deed.permits?.(state) ?? true;
      if (permitted) deed.apply(state);
      return [deed, permitted, formatChanges(state), draw.rng.integer(0, 1e6)];
    };
    yield [
      `${app}/deed ${otherFields.name}`,
      () => [otherFields, recordDraws(`deed.${otherFields.name}`, record)],
    ];
  }
}

const findAppName = ({ collections = [], actions = [], deeds = [] }: Parts) =>
  [...collections, ...actions, ...deeds][0]!.app;
const hashes: { [part: string]: string } = {};
for (const parts of allParts) {
  for (const [name, describe] of describeParts(findAppName(parts), parts)) {
    if (!name.startsWith(partPrefix)) continue;
    const text = toSortedJson(describe());
    hashes[name] = createHash("sha256").update(text).digest("hex").slice(0, 12);
    if (values.print) console.log(`${name}\n  ${text}`);
  }
}
if (values.write) writeBaseline(BASELINE, hashes);
else compareHashes(readBaseline<Hashes>(BASELINE, {}), hashes, partPrefix, "parts");
