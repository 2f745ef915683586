/**
 * Whether a change of structure changed a part of the Everyday world's goals: a hash of what each part says, means and does,
 * beside that of a baseline. Where `world.ts` sees the tasks that were drawn, this sees every clause, field, action, relation,
 * source, fact and deed, and names the ones that differ.
 *
 *   npx tsx bench/refactor/parts.ts                 every part; half a minute
 *   npx tsx bench/refactor/parts.ts shop            parts whose name begins so: shop/orders/clause since
 *   npx tsx bench/refactor/parts.ts shop --print    what differs, hashed or not: the texts themselves, to be compared by eye
 *   npx tsx bench/refactor/parts.ts --write         makes baseline-parts.json (of the commit that a change begins from)
 *
 * What is drawn is drawn from several seeds, for a split of training and one of testing, in the world of seed 1. Meaning is
 * recorded on rows: which a clause holds for, a field's values, what an action permits and changes.
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { Rng } from "../../src/core/index.ts";
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
/** Of a collection's rows, enough to see what a part means. */
const ROWS = 120;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: "boolean", default: false },
    print: { type: "boolean", default: false },
  },
});
const [wanted = ""] = positionals;

const world = new WorldInstance(await loadDefinition(builtInWorlds.everyday!.url.href), 1);
const base = world.copyPopulation();
const scratch = () => makeScratch(base);

/** A draw of its own for each split and seed, with the state that its setups are written to. */
function draws<T>(name: string, record: (draw: DrawContext) => T): T[] {
  return SPLITS.flatMap((split) =>
    Array.from({ length: DRAWS }, (_, i) => {
      const rng = new Rng(i).child(name).child(split);
      const people = peopleOf(base, split);
      const request = { rng, split, people, language: LANGUAGE, scratch, paraphrase: 0 };
      return record(makeDrawContext(startAttempt(request), name));
    }),
  );
}

const NOUN = "⟨noun⟩";
const spoken = (forms: readonly ((noun: string) => string)[]) => forms.map((form) => form(NOUN));
const rowsOf = ({ table, includes: holds }: Collection, db: Reader = base) =>
  db.all(table).filter((row) => holds(row, db));
const spread = <T>(rows: readonly T[]) =>
  rows.filter((_, i) => i % Math.max(1, Math.floor(rows.length / ROWS)) === 0);
/** As text in which neither the order of properties counts nor whether nothing is written as an empty list. */
const whole = (value: unknown) =>
  JSON.stringify(value, (_, inner) => {
    if (typeof inner === "function") return "function";
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    const told = Object.entries(inner).filter(([, it]) => !(Array.isArray(it) && it.length === 0));
    return Object.fromEntries(told.sort(([a], [b]) => (a < b ? -1 : 1)));
  });

/** Rows of the kind that an action or a relation is for; of people everybody. */
function idsOf(kind: string, db: Reader = base): number[] {
  const all = allParts.flatMap(({ collections = [] }) => collections);
  const rows = all.filter((c) => c.kind === kind).flatMap((c) => rowsOf(c, db));
  return spread([...new Set(rows.map(({ id }) => id))]);
}

/** A state with the setups of what was drawn. */
function ready({ setup, uses = [] }: Pick<Effect, "setup" | "uses">): Scratch {
  const state = scratch();
  for (const prepare of [...uses.map((value) => value.setup), setup]) prepare?.(state);
  return state;
}

/** In rows that are written the order of columns counts: checks come in it. */
const orderly = (state: Scratch) => JSON.stringify(state.changes());

function portraitOfEffect(kind: string, effect: Effect | undefined) {
  if (!effect) return "none";
  const before = ready(effect);
  const permitted = idsOf(kind, before).filter((id) => effect.permits?.(before, id) ?? true);
  const changes = permitted.slice(0, 3).map((id) => {
    const after = ready(effect);
    effect.apply(after, id);
    return orderly(after);
  });
  return [spoken(effect.frames), permitted, changes, effect.call("x"), effect.uses ?? []];
}

function* collectionParts(path: string, it: Collection): Generator<[string, () => unknown]> {
  const rows = rowsOf(it);
  const { clauses, fields, title, table, includes: _, allowsWhole, ...others } = it;
  // The baseline was written when `allowsWhole` was called `whole`.
  const rest = { ...others, whole: allowsWhole };
  yield [path, () => [rest, table.name, rows.map(({ id }) => id), clauses.map((c) => c.name)]];
  for (const { name, excludes, draw: drawn } of clauses) {
    const record = (draw: DrawContext) => {
      const filter = drawn(draw, rows as never);
      if (!filter) return "none";
      const { holds, ...told } = filter;
      const kept = rows.filter((row) => holds(row as never, base)).map(({ id }) => id);
      return [told, kept, draw.rng.integer(0, 1e6)];
    };
    yield [`${path}/clause ${name}`, () => [excludes ?? [], draws(`${path}.${name}`, record)]];
  }
  for (const { value, ...told } of fields) {
    const seen = () => spread(rows).map((row) => value(row as never, base));
    yield [`${path}/field ${told.name}`, () => [told, seen()]];
  }
  if (!title) return;
  const names = () => spread(rows).map((row) => title.nameOf(row));
  const told = (name: string) => [title.nouns(name), title.cells(name, "out")];
  yield [`${path}/title`, () => [title.missing, names(), [...names(), ...title.missing].map(told)]];
}

function portraitOfAction({ draw: drawn, ...told }: Action): unknown {
  const record = (draw: DrawContext) => [
    portraitOfEffect(told.kind, drawn(draw)),
    draw.rng.integer(0, 1e6),
  ];
  return [told, draws(`action.${told.name}`, record)];
}

function portraitOfRelation({ words, wordsForEach, map, cells, ...told }: Relation): unknown {
  const ids = idsOf(told.from);
  const seen = [ids, ids.slice(0, 2), ids.slice(2, 7)].map((some) => map(base, some));
  return [told, spoken(words), wordsForEach && spoken(wordsForEach), seen, cells("from1", "to1")];
}

function* parts(app: string, it: Parts): Generator<[string, () => unknown]> {
  const named = (all: readonly { name: string }[] = []) => all.map(({ name }) => name);
  const order = Object.entries(it).map(([what, all]) => [what, named(all)]);
  yield [`${app}/order`, () => order.sort()];
  for (const one of it.collections ?? []) yield* collectionParts(`${app}/${one.name}`, one);
  for (const one of it.relations ?? [])
    yield [`${app}/relation ${one.name}`, () => portraitOfRelation(one)];
  for (const one of it.actions ?? [])
    yield [`${app}/action ${one.kind} ${one.name}`, () => portraitOfAction(one)];
  for (const { draw: drawn, ...told } of it.sources ?? []) {
    const record = (draw: DrawContext) => [drawn(draw) ?? "none", draw.rng.integer(0, 1e6)];
    yield [`${app}/source ${told.name}`, () => [told, draws(`source.${told.name}`, record)]];
  }
  for (const { value, ...told } of it.facts ?? [])
    yield [`${app}/fact ${told.name}`, () => [told, value(base)]];
  for (const { draw: drawn, ...told } of it.deeds ?? []) {
    const record = (draw: DrawContext) => {
      const deed = drawn(draw);
      if (!deed) return "none";
      const state = ready(deed);
      const permitted = deed.permits?.(state) ?? true;
      if (permitted) deed.apply(state);
      return [deed, permitted, orderly(state), draw.rng.integer(0, 1e6)];
    };
    yield [`${app}/deed ${told.name}`, () => [told, draws(`deed.${told.name}`, record)]];
  }
}

const appOf = ({ collections = [], actions = [], deeds = [] }: Parts) =>
  [...collections, ...actions, ...deeds][0]!.app;
const found: { [part: string]: string } = {};
for (const it of allParts) {
  for (const [name, portrait] of parts(appOf(it), it)) {
    if (!name.startsWith(wanted)) continue;
    const text = whole(portrait());
    found[name] = createHash("sha256").update(text).digest("hex").slice(0, 12);
    if (values.print) console.log(`${name}\n  ${text}`);
  }
}
if (values.write) writeBaseline(BASELINE, found);
else compareHashes(readBaseline<Hashes>(BASELINE, {}), found, wanted, "parts");
