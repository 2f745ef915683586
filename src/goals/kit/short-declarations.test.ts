/** Tests short declarations: what the actions of a list share, things that are found first, superlatives and titles. */
import { expect, test } from "vitest";
import { Rng } from "../../core/index.ts";
import { defineTable, type Reader } from "../../world/index.ts";
import type { DrawContext, Value } from "../parts.ts";
import {
  actions,
  deeds,
  deedWithOne,
  deedWithValue,
  defineCollection,
  nouns,
  source,
  sources,
  superlatives,
  titleBy,
} from "./index.ts";

type Jar = { id: number; label: string; size: number; open: boolean; lid: string };
const jars = defineTable<Jar>("shelf.jars");
const ROWS: readonly Jar[] = [1, 2, 3].map((id) => {
  return { id, label: `jar ${id}`, size: 10 * id, open: id === 1, lid: "red" };
});
const db = { get: (_: unknown, id: number) => ROWS[id - 1], all: () => ROWS } as unknown as Reader;

const literalValue = <T>(value: T, code: string): Value<T> => ({
  ...{ value, words: `<${code}>`, code, cells: [], apps: [] },
});
const draw = {
  ...{ rng: new Rng(1), db },
  value: () => literalValue("hello", "v"),
  variable: (stem: string) => `${stem}1`,
} as unknown as DrawContext;

const findFirstJar = () => literalValue(ROWS[0]!, "j1");
const findNoJar = (): Value<Jar> | undefined => undefined;

const declared = actions<Jar>(
  {
    kind: { jars: "close stain", "open-jars": "stain seal" },
    ...{ app: "shelf", table: jars, difficult: "stain", otherApps: { notes: "seal" } },
    when: ({ id }) => id < 3,
  },
  ({ changesTo, actionWithFound, sets }) => ({
    close: changesTo("open", false, { api: "close" })`Close # | b | c | d | e`,
    stain: changesTo("lid", "blue", { api: "stain", when: ({ id }) => id > 1 })`
      Stain # | b | c | d | e`,
    seal: actionWithFound(findFirstJar, ({ code }) => sets("lid", code, { api: "seal" }))`
      Seal # beside $ | b | c | d | e`,
  }),
);

test("a list of actions says which of them apply to each kind, and what they share", () => {
  expect(declared.map((one) => [one.kind, one.name, one.app, one.difficulty])).toEqual([
    ["jars", "close", "shelf", 1],
    ["jars", "stain", "shelf", 2],
    ["open-jars", "stain", "shelf", 2],
    ["open-jars", "seal", "notes", 2],
  ]);
  const permitted = declared.map((one) =>
    [1, 2, 3, 9].filter((id) => one.draw(draw)!.permits!(db, id)),
  );
  expect(permitted).toEqual([[1], [2], [2], [1, 2]]);
  const seal = declared[3]!.draw(draw)!;
  expect([seal.frames[0]("it"), seal.uses!.length]).toEqual(["Seal it beside <j1>", 1]);
  const on = { kind: { jars: "smash" }, app: "shelf", table: jars };
  expect(() => actions<Jar>(on, () => ({}))).toThrow(
    'the actions of the kind "jars" include "smash"',
  );
});

test("superlatives are declared among the clauses of a column, and a title can be a property", () => {
  const shelf = defineCollection<Jar>({
    ...{ kind: "jars", app: "shelf", table: jars, list: "jars" },
    nouns: nouns`a | b | c | d | e`,
    columns: ({ number }) => ({
      size: number(
        (row) => row.size,
        { item: "size", noun: "size" },
        superlatives`largest / smallest | b / c | d / e | f / g | h / i`,
      ),
    }),
    title: titleBy<Jar>("label", (label) => `find(${label})`, "jar 8 | jar 9")`
      the jar $ | b | c | d | e`,
  });
  expect(shelf.clauses).toEqual([]);
  expect(shelf.fields[0]!.superlatives!.least[0]).toBe("smallest");
  expect(shelf.title!.nameOf(ROWS[1] as never)).toBe("jar 2");
  expect(shelf.title!.missing).toEqual(["jar 8", "jar 9"]);
  expect(shelf.title!.cells("jar 2", "out")).toEqual(["var out=find(jar 2);print(out)"]);
});

test("sources and deeds can be about a thing that is found first", () => {
  const readLabel = (one: Value<Jar>) => ({ value: one.value.label, words: "it", code: "l(j1)" });
  const [label, missing] = sources("shelf", {
    label: source.text("t", findFirstJar, readLabel),
    missing: source.text("t", findNoJar, readLabel),
  });
  expect(label!.draw(draw)).toMatchObject({ value: "jar 1", code: "t1" });
  expect(missing!.draw(draw)).toBeUndefined();
  const [empty, note] = deeds("shelf", {
    empty: deedWithOne(findFirstJar, ({ code }) => ({
      apply: () => {},
      cells: [`empty(${code})`],
    }))`
      Empty $ | b | c | d | e`,
    note: deedWithValue("text", ({ code }) => ({ apply: () => {}, cells: [`note(${code})`] }))`
      Note $ | b | c | d | e`,
  });
  expect([empty!.takes, note!.takes]).toEqual([undefined, "text"]);
  expect(empty!.draw(draw)).toMatchObject({ cells: ["empty(j1)"], uses: [{ code: "j1" }] });
  expect(note!.draw(draw)!.sentences[0]).toBe("Note <v>");
});
