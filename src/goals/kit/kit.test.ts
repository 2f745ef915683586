/**
 * Tests what declarations produce: phrases, clauses with their code, fields, actions, and errors that name the mistake.
 */
import { describe, expect, test } from "vitest";
import { Rng } from "../../core/index.ts";
import { defineTable, type Reader } from "../../world/index.ts";
import type { Clause, DrawContext, Value } from "../parts.ts";
import {
  aboutFound,
  actions,
  alternatives,
  atLeast,
  atLeastOrAtMost,
  atMost,
  declareColumns,
  deeds,
  defineCollection,
  drawFindable,
  drawnActionWithFound,
  drawnDeed,
  drawnDeedWithValue,
  nounFrames,
  nouns,
  relationBetween,
  relations,
  source,
  sources,
  wordList,
} from "./index.ts";
import { phraseAlternatives, phraseTag } from "./phrases.ts";

type Jar = { id: number; label: string; cents: number; filled: string | null; person: number };
const jars = defineTable<Jar>("pantry.jars");
const ROWS: readonly Jar[] = Array.from({ length: 12 }, (_, i) => ({
  id: i + 1,
  label: ["plum", "fig", "pear"][i % 3]!,
  cents: 150 + 100 * i,
  filled: i < 8 ? `2026-04-0${i + 1}` : null,
  person: 1 + (i % 4),
}));
const db = { get: (_: unknown, id: number) => ROWS[id - 1], all: () => ROWS } as unknown as Reader;

const literalValue = <T>(value: T, code: string): Value<T> => ({
  ...{ value, words: `<${code}>`, code, cells: [], apps: [] },
});

function drawFrom(seed: number): DrawContext {
  const names = new Map<string, number>();
  return {
    rng: new Rng(seed),
    split: "train",
    db,
    people: [],
    person: (among) =>
      among?.includes(2) ? literalValue({ id: 2, name: "Ida" }, "h1") : (undefined as never),
    value: (type) => literalValue(type === "money" ? 250 : "hello", "v") as never,
    variable: (stem) => {
      names.set(stem, (names.get(stem) ?? 0) + 1);
      return `${stem}${names.get(stem)}`;
    },
  };
}

const WORDS = alternatives`a | b | c | d | e`;

describe("phrases of goals", () => {
  test("phrases are split at bars, their lines are joined, and holes are filled only when there is a value for them", () => {
    expect(alternatives`one | two
      words | $2 less | number #4 | five`).toEqual([
      ...["one", "two words", "$2 less", "number #4", "five"],
    ]);
    const around = nounFrames`Send # | Post # | Mail # now | Have # sent | For $2, send #`;
    expect(around.map((frame) => frame("all jars"))).toContain("For $2, send all jars");
    const clause = phraseTag((phrase) =>
      phraseAlternatives(phrase, "$3"),
    )`of $ | at $ | for $ | with $ | by $`;
    expect(clause).toEqual(["of $3", "at $3", "for $3", "with $3", "by $3"]);
  });

  test("phrases can be given as a plain text, for phrases that differ in only one word", () => {
    const pantryPhrase = (what: string) =>
      ["In the pantry,", "Now", "Then", "Please", "Just"]
        .map((start) => `${start} ${what}`)
        .join("|");
    expect(nounFrames(pantryPhrase("open #"))[0]("the jar")).toBe("In the pantry, open the jar");
  });

  test("phrases keep interpolated values unchanged", () => {
    const name = "#1 | the $best";
    expect(nounFrames`Put # in ${name} | b | c | d | e`[0]("it")).toBe(`Put it in ${name}`);
  });

  test("phrases must have at least five alternatives, none of them empty", () => {
    expect(() => alternatives`one | two`).toThrow("at least five alternatives, got 2: one | two");
    expect(() => alternatives`a | b | c | d | `).toThrow("at least five");
  });

  test("phrases have a form for one thing and a form for several", () => {
    expect(nouns`jar(s) of mine | a / bs | c | d | e`.slice(0, 2)).toEqual([
      { one: "jar of mine", many: "jars of mine" },
      { one: "a", many: "bs" },
    ]);
    expect(wordList(" a kite |\n a map ")).toEqual(["a kite", "a map"]);
  });
});

const pantry = defineCollection<Jar>({
  kind: "jars",
  app: "pantry",
  table: jars,
  list: { api: "jars", args: "open:false" },
  nouns: nouns`jar(s) | b | c | d | e`,
  columns: ({ choice, drawnClause, day, withOrWithout, withProperty, money, person }) => ({
    label: choice((row) => row.label, { arg: "label", item: "label", noun: "label" })`
      labelled $ | b | c | d | e`,
    price: money(
      (row) => row.cents,
      { item: "price", noun: "price", superlatives: [WORDS, WORDS] },
      atLeast("dear", { excludes: ["cheap"] })`for $ or more | b | c | d | e`,
      atMost("cheap")`for $ or less | b | c | d | e`,
    ),
    filled: day(
      (row) => row.filled,
      { item: "filled" },
      atLeast("since", { arg: "from" })`filled on $ or later | b | c | d | e`,
    ),
    plain: withProperty((row) => row.id > 3, { test: "x.id>3" })`a | b | c | d | e`,
    even: withOrWithout(
      (row) => row.id % 2 === 0,
      (yes) => ({ args: `even:${yes}` }),
    )`even | b | c | d | e``odd | b | c | d | e`,
    from: person(
      (row) => row.person,
      (handle) => ({ args: `from:${handle}` }),
      { excludes: ["label"] },
    )`from $ | b | c | d | e`,
    never: drawnClause(() => undefined),
  }),
  clauses: "since label dear cheap plain even from never",
});

const findClause = (name: string) =>
  pantry.clauses.find((one) => one.name === name) as unknown as Clause<Jar>;
const drawFilter = (name: string, seed = 1) => findClause(name).draw(drawFrom(seed), ROWS)!;
const keptRowIds = (name: string, seed?: number) =>
  ROWS.filter((row) => drawFilter(name, seed).holds(row, db)).length;

describe("columns of a collection", () => {
  test("columns give clauses and fields in the order in which the collection names them", () => {
    expect(pantry.list).toEqual({ api: "pantry.jars", args: "open:false" });
    expect(pantry.clauses.map(({ name }) => name).join(" ")).toBe(
      "since label dear cheap plain even from never",
    );
    expect(pantry.fields.map(({ name }) => name)).toEqual(["label", "price"]);
    expect(findClause("dear").excludes).toEqual(["cheap"]);
    expect(findClause("never").draw(drawFrom(1), ROWS)).toBeUndefined();
  });

  test("columns show money as dollars in words, code and fields, but as cents in rows", () => {
    for (const seed of [1, 2, 3]) {
      const { words, code } = drawFilter("dear", seed);
      const dollars = Number(/x\.price>=([\d.]+)/.exec(code.test!)![1]);
      expect(words[0]).toBe(`for $${dollars} or more`);
      expect(keptRowIds("dear", seed)).toBe(
        ROWS.filter(({ cents }) => cents >= 100 * dollars).length,
      );
    }
    const price = pantry.fields[1]!;
    expect([price.unit, price.value(ROWS[0] as never, db), price.code]).toEqual([
      ...["money", 1.5, "x.price"],
    ]);
  });

  test("columns leave out rows without a value, and write days in words", () => {
    const { words, code, holds } = drawFilter("since");
    expect(words[0]).toMatch(/^filled on \d+ April 2026 or later$/);
    expect(code.args).toMatch(/^from:"2026-04-0\d"$/);
    expect(holds(ROWS[11]!, db)).toBe(false);
  });

  test("columns can be a choice, a property, a property or its absence, or a person", () => {
    expect(drawFilter("label").code.args).toBe(`label:"${drawFilter("label").words[0].slice(9)}"`);
    expect(keptRowIds("label")).toBe(4);
    expect(keptRowIds("plain")).toBe(9);
    const sides = [1, 2, 3, 4, 5, 6].map((seed) => drawFilter("even", seed));
    expect(new Set(sides.map(({ words }) => words[0]))).toEqual(new Set(["even", "odd"]));
    for (const { words, code } of sides) expect(code.args).toBe(`even:${words[0] === "even"}`);
    expect(drawFilter("from")).toMatchObject({ code: { args: "from:h1" } });
    expect(drawFilter("from").words[0]).toBe("from <h1>");
    expect(keptRowIds("from")).toBe(3);
  });

  test("columns refuse an unknown clause, and the error lists the known ones", () => {
    const declared = { kind: "jars", app: "pantry", table: jars, list: "jars" } as const;
    const collectionWithUnknownClause = () =>
      defineCollection<Jar>({
        ...declared,
        nouns: nouns`a | b | c | d | e`,
        columns: {},
        clauses: "colour",
      });
    expect(collectionWithUnknownClause).toThrow(
      'the collection jars lists "colour" in its clauses; its columns have none',
    );
  });
});

const jarActions = actions(
  { kind: "jars", app: "pantry", table: jars, key: "jar" },
  ({ sets, removesRow, drawnAction, difficulty2, drawnActionWithValue }) => ({
    relabel: drawnAction(({ rng }) => {
      const label = rng.pick(["quince"]);
      const when = (row: Jar) => row.label !== label;
      return sets({ label }, { when, api: "relabel", args: `label:"${label}"` })`
        Label # as ${label} | b | c | d | e`;
    }),
    discard:
      difficulty2(
        removesRow({ call: "for(const y of look(x))drop(y)" })`Discard # | b | c | d | e`,
      ),
    price: drawnActionWithValue(
      "money",
      (sum) =>
        sets({ cents: sum.value }, { api: "price", args: `to:${sum.code}` })`
        Price # at ${sum.words} | b | c | d | e`,
    ),
  }),
);

test("each action of a list has its change, its call and its phrases", () => {
  const [relabel, discard, price] = jarActions.map((action) => action.draw(drawFrom(1))!);
  expect(relabel!.frames[0]("it")).toBe("Label it as quince");
  expect(relabel!.call("x")).toBe('apis.pantry.relabel({jar:x,label:"quince"})');
  expect(relabel!.permits!(db, 1)).toBe(true);
  expect(relabel!.permits!(db, 99)).toBe(false);
  const written: unknown[] = [];
  const writer = { ...db, update: (...all: unknown[]) => void written.push(all) } as never;
  relabel!.apply(writer, 3);
  expect(written).toEqual([[jars, 3, { label: "quince" }]]);
  expect(discard!.call("x")).toBe("for(const y of look(x))drop(y)");
  expect(discard!.permits).toBeUndefined();
  expect(jarActions.map(({ difficulty, takes }) => [difficulty, takes])).toEqual([
    ...[
      [1, undefined],
      [2, undefined],
      [1, "money"],
    ],
  ]);
  expect(price!.uses!.map(({ code }) => code)).toEqual(["v"]);
});

describe("parts that draw something first", () => {
  const bounds = defineCollection<Jar>({
    ...{ kind: "jars", app: "pantry", table: jars, list: "jars" },
    nouns: nouns`a | b | c | d | e`,
    columns: ({ day, withOrWithout, number }) => ({
      size: number(
        (row) => row.cents,
        { item: "size" },
        atLeastOrAtMost("size")`of $ | b | c | d | e`,
      ),
      filled: day(
        (row) => row.filled ?? "2026-01-01",
        { item: "filled" },
        atLeastOrAtMost("filled", { below: 0 })`from $ | b | c | d | e`,
      ),
      all: withOrWithout(
        (row) => row.cents > 0,
        (yes) => ({ args: `full:${yes}` }),
        { onlyIfMixed: true },
      )`full | b | c | d | e``empty | b | c | d | e`,
    }),
  });
  const drawEffect = (name: string, seed: number) =>
    (bounds.clauses.find((one) => one.name === name) as unknown as Clause<Jar>).draw(
      drawFrom(seed),
      ROWS,
    );

  test("atLeastOrAtMost says which bound was drawn, and its code agrees with its meaning", () => {
    const said = [1, 2, 3, 4, 5, 6].map((seed) => {
      const { words, code, holds } = drawEffect("size", seed)!;
      const [, sign, limit] = /x\.size([<>]=)(\d+)/.exec(code.test!)!;
      expect(words[0]).toBe(`of ${sign === "<=" ? "at most" : "at least"} ${limit}`);
      const isWithinLimit = ({ cents }: Jar) =>
        sign === "<=" ? cents <= +limit! : cents >= +limit!;
      expect(ROWS.filter((row) => holds(row, db))).toEqual(ROWS.filter(isWithinLimit));
      return sign;
    });
    expect(new Set(said)).toEqual(new Set(["<=", ">="]));
    expect(drawEffect("filled", 1)!.words[0]).toMatch(/^from \d+ April 2026 or later$/);
    expect(drawEffect("all", 1)).toBeUndefined();
  });

  test("a clause and an action can be about a thing that is found by its name", () => {
    const findJar = (draw: DrawContext) =>
      drawFindable(draw, "j", ROWS.slice(0, 1), ({ id, label }) => ({
        words: `the ${label} jar`,
        find: `named("${label}",${id})`,
      }));
    const [near] = declareColumns<Jar>(() => ({
      near: aboutFound(
        findJar,
        (row, _, one) => row.id > one.id,
        (key) => ({ args: `near:${key}` }),
      )`
        near $ | b | c | d | e`,
    })).near!.clauses("near");
    expect(near!.draw(drawFrom(1), ROWS)).toMatchObject({
      code: { args: "near:j1" },
      uses: [{ cells: ['var j1=named("plum",1);print(j1)'] }],
    });
    const [move] = actions({ kind: "jars", app: "pantry", table: jars }, ({ sets }) => ({
      move: drawnActionWithFound(
        findJar,
        (one) =>
          sets({ person: 1 }, { api: "move", args: `to:${one.code}` })`
          Put # beside ${one.words} | b | c | d | e`,
      ),
    }));
    const effect = move!.draw(drawFrom(1))!;
    expect([move!.difficulty, effect.frames[0]("it"), effect.call("x")]).toEqual([
      ...[2, "Put it beside the plum jar", "apis.pantry.move({id:x,to:j1})"],
    ]);
    expect(effect.uses).toHaveLength(1);
  });
});

test("relations, sources and deeds store what they find in variables", () => {
  const [owners] = relations("pantry", {
    owners: relationBetween({
      from: "jars",
      to: "people",
      relatedIds: (id, from) => from.get(jars, id)?.person,
      code: (from) => `own(${from})`,
    })`the owners of # | b | c | d | e`,
  });
  expect(owners!.map(db, [1, 5, 2])).toEqual([1, 2]);
  expect(owners!.cells("s1", "s2")).toEqual(["var s2=own(s1);print(s2)"]);
  const [price] = sources("pantry", {
    price: source.money("m", () => ({ value: 250, words: "the price", code: "p()" })),
  });
  expect(price!.draw(drawFrom(1))).toMatchObject({
    ...{ value: 250, code: "m1", cells: ["var m1=p();print(m1)"], apps: ["pantry"] },
  });
  const [plain, note] = deeds("pantry", {
    plain: () => drawnDeed({ apply: () => {}, cells: ["a()"] })`Do it | b | c | d | e`,
    note: drawnDeedWithValue(
      "text",
      (text) =>
        drawnDeed({
          apply: () => {},
          cells: [`n(${text.code})`],
        })`Note ${text.words} | b | c | d | e`,
    ),
  });
  expect([plain!.takes, note!.takes]).toEqual([undefined, "text"]);
  expect(note!.draw(drawFrom(1))).toMatchObject({ cells: ["n(v)"], uses: [{ code: "v" }] });
  expect(note!.draw(drawFrom(1))!.sentences[0]).toBe("Note <v>");
});

test("a value that is looked up through other values includes their setups", () => {
  const prepared: string[] = [];
  const plantedValue = (name: string) => ({
    ...literalValue(name, name),
    setup: () => prepared.push(name),
  });
  const [price] = sources("pantry", {
    price: source.money("m", () => ({
      ...{ value: 250, words: "the price", code: "p(a,b)" },
      uses: [plantedValue("a"), literalValue("plain", "c"), plantedValue("b")],
    })),
  });
  price!.draw(drawFrom(1))!.setup!(undefined as never);
  expect(prepared).toEqual(["a", "b"]);
});
