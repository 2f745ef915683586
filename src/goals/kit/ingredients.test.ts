/** Tests ingredients of actions and deeds, conditions on rows, columns given by name, and code that reads pages. */
import { expect, test } from "vitest";
import { Rng } from "../../core/index.ts";
import { defineTable, type Reader } from "../../world/index.ts";
import type { Clause, DrawContext, Value } from "../parts.ts";
import {
  actions,
  allItemsExpression,
  amountBetween,
  atLeast,
  deed,
  deeds,
  defineCollection,
  drawnOnlyIfMixed,
  jsLiteral,
  matchingValue,
  nouns,
  oneOf,
  propertyOnAllPages,
  readAllPages,
  referencedIn,
  relationBetween,
  relations,
  rowsReferencing,
  someone,
  source,
  sources,
  standaloneClause,
  taskValue,
} from "./index.ts";
import { toPredicate } from "./row-condition.ts";

type Jar = { id: number; label: string; cents: number; person: number | null };
const jars = defineTable<Jar>("pantry.jars");
const ROWS: readonly Jar[] = [1, 2, 3, 4].map((id) => ({
  ...{ id, label: id < 4 ? "fig" : "plum", cents: 100 * id, person: id === 2 ? 7 : null },
}));
const db = {
  get: (_: unknown, id: number) => ROWS[id - 1],
  where: (_: unknown, match: Partial<Jar>) =>
    ROWS.filter((row) => toPredicate<Jar>(match)(row, db)),
} as unknown as Reader;
const literalValue = <T>(value: T, words: string, code: string): Value<T> => ({
  ...{ value, words, code, cells: [], apps: [] },
});
const makeDraw = (people: readonly number[] = [7]) =>
  ({
    ...{ rng: new Rng(1), split: "train", db, people: [] },
    person: () =>
      people.length > 0 ? literalValue({ id: 7, name: "Ida" }, "Ida", "h1") : undefined,
    value: () => literalValue(250, "$2.50", "v1"),
    variable: (stem: string) => `${stem}1`,
  }) as unknown as DrawContext;

test("each ingredient fills the hole with its name, and a value that is looked up includes its cells", () => {
  const [give] = actions({ kind: "jars", app: "pantry", table: jars }, ({ actionWith, sets }) => ({
    give: actionWith(
      { friend: someone(), price: taskValue("money"), as: oneOf(["gift", "gift"]) },
      ({ friend, price, as }) =>
        sets(
          { person: friend.value.id },
          { api: "give", args: `to:${friend.code},at:${price.code},as:${as.code}` },
        ),
    )`Give # to $friend as a $as, worth $price | b | c | d | e`,
  }));
  const effect = give!.draw(makeDraw())!;
  expect(effect.frames[0]("it")).toBe("Give it to Ida as a gift, worth $2.50");
  expect(effect.call("x")).toBe('apis.pantry.give({id:x,to:h1,at:v1,as:"gift"})');
  expect([give!.takes, effect.uses!.map(({ code }) => code)]).toEqual(["money", ["h1", "v1"]]);
  expect(give!.draw(makeDraw([]))).toBeUndefined();
});

test("a hole without an ingredient is refused, and the error lists the ingredients", () => {
  const actionWithUnknownHole = () =>
    deed({ price: amountBetween(500, 500) }, () => ({
      apply: () => {},
      call: "",
    }))`$cost | b | c | d | e`;
  const [one] = deeds("pantry", { one: actionWithUnknownHole() });
  expect(() => one!.draw(makeDraw())).toThrow(
    "a phrase has the hole $cost, but the values drawn for it are price",
  );
  const [two] = deeds("pantry", {
    two: deed({ price: amountBetween(500, 500, 50) }, ({ price }) => ({
      ...{ apply: () => {}, call: `pay(${price.code})` },
    }))`Pay $price | b | c | d | e`,
  });
  expect(two!.draw(makeDraw())).toMatchObject({ cells: ["pay(5)"], uses: [] });
  expect(two!.draw(makeDraw())!.sentences[0]).toBe("Pay $5");
});

test("setsToDrawn allows only rows that meet its condition and have another value", () => {
  const [reprice] = actions({ kind: "jars", app: "pantry", table: jars }, ({ setsToDrawn }) => ({
    reprice: setsToDrawn("cents", taskValue("money"), {
      ...{ when: [{ label: "fig" }, { person: null }], api: "reprice", arg: "to" },
    })`Price # at $ | b | c | d | e`,
  }));
  const effect = reprice!.draw(makeDraw())!;
  expect([effect.frames[0]("it"), effect.call("x")]).toEqual([
    ...["Price it at $2.50", "apis.pantry.reprice({id:x,to:v1})"],
  ]);
  expect([1, 2, 3, 4].map((id) => effect.permits!(db, id))).toEqual([true, false, true, false]);
});

test("for a column given by its name, code reads the property of the same name from items", () => {
  const pantry = defineCollection({
    ...{ kind: "jars", app: "pantry", table: jars, list: "jars", includes: { person: null } },
    nouns: nouns`jar(s) | b | c | d | e`,
    columns: ({ money, text }) => ({
      label: text("label", { noun: "label" }),
      price: money("cents", { item: "price" }, atLeast("dear")`for $ or more | b | c | d | e`),
    }),
  });
  expect(ROWS.filter((row) => pantry.includes(row, db)).map(({ id }) => id)).toEqual([1, 3, 4]);
  expect([pantry.fields[0]!.code, pantry.fields[0]!.value(ROWS[3]!, db)]).toEqual([
    ...["x.label", "plum"],
  ]);
  const dear = pantry.clauses[0] as unknown as Clause<Jar>;
  expect(dear.draw(makeDraw(), ROWS)!.code.test).toMatch(/^x\.price>=\d$/);
});

test("drawnOnlyIfMixed draws a clause only when it is true of some but not all rows", () => {
  const label = matchingValue<Jar, string>(
    (_, all) => all.at(-1)!.label,
    (row, one) => row.label === one,
    (one) => ({ args: `label:${one}` }),
    { toWords: (one) => one.toUpperCase() },
  )`of $ | b | c | d | e`;
  const clause = standaloneClause("label", drawnOnlyIfMixed(label));
  expect(clause.draw(makeDraw(), ROWS)).toMatchObject({
    code: { args: `label:${jsLiteral("plum")}` },
  });
  expect(clause.draw(makeDraw(), ROWS)!.words[0]).toBe("of PLUM");
  expect(clause.draw(makeDraw(), ROWS.slice(0, 3))).toBeUndefined();
});

test("relations by a column, sources in things that are found first, and loops over pages give the right code", () => {
  const [owners, owned] = relations("pantry", {
    owners: relationBetween("jars", "people", {
      relatedIds: referencedIn(jars, "person"),
      cells: propertyOnAllPages("pantry.owners", "jar:k", "handle"),
    })`the owners of # | b | c | d | e`,
    owned: relationBetween("people", "jars", {
      relatedIds: rowsReferencing(jars, "person", { label: "fig" }),
      code: (from) => `${from}.flatMap(k=>${allItemsExpression("pantry.jars", "of:k")})`,
    })`the jars of # | b | c | d | e`,
  });
  expect([owners!.map(db, [1, 2]), owned!.map(db, [7])]).toEqual([[7], [2]]);
  expect(owners!.cells("a", "b")).toEqual([
    "var b=[];for(const k of a){let p=1,r;do{r=apis.pantry.owners({jar:k,size:20,page:p++});b.push(...r.items.map(x=>x.handle))}while(r.more)}b=[...new Set(b)];print(b)",
  ]);
  expect(readAllPages("a", "pantry.jars", "", ".map(x=>x.id)")).toBe(
    "var a=[],p=1,r;do{r=apis.pantry.jars({size:20,page:p++});a.push(...r.items.map(x=>x.id))}while(r.more);",
  );
  const [price, none] = sources("pantry", {
    price: source.money(
      "m",
      () => ROWS[1],
      ({ cents }) => ({ value: cents, words: "its price", code: "p()" }),
    ),
    none: source.text(
      "t",
      (): undefined => undefined,
      () => ({ value: "", words: "", code: "" }),
    ),
  });
  expect(price!.draw(makeDraw())).toMatchObject({ value: 200, cells: ["var m1=p();print(m1)"] });
  expect(none!.draw(makeDraw())).toBeUndefined();
});
