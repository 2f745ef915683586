import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Rng } from "../../../core/index.ts";
import { type ItemOptions, type MemoryItem, NO_ITEMS, recallItems, updateItems } from "./items.ts";
import { computeSimilarities, splitWords } from "./similarity.ts";

const OPTIONS: ItemOptions = {
  utility: "q-values",
  items: 1,
  candidates: 2,
  minimumSimilarity: 0,
  capacity: 3,
  learningRate: 0.5,
  exploration: 0,
};

/** Options under which usefulness is measured by success counts. */
const COUNTS: ItemOptions = {
  utility: "success-counts",
  items: 1,
  candidates: 2,
  minimumSimilarity: 0,
  capacity: 3,
  exploration: 0,
  minimumUses: 3,
  minimumShare: 0.5,
};
const makeRng = () => new Rng(1);
const makeItem = (id: string, about: string, fields: Partial<MemoryItem> = {}): MemoryItem => ({
  id,
  about,
  text: id,
  value: 0,
  uses: 0,
  successes: 0,
  ...fields,
});
const makeStore = (...items: MemoryItem[]) => ({ made: items.length, items });
const episode = {
  instruction: "pay Ann",
  text: "t",
  earned: 1,
  passed: true,
  used: [] as string[],
};

describe("similarity of texts", () => {
  test("similarity is 1 for the query itself, 0 for unrelated texts, and rare words have more weight", () => {
    const [same, rare, common, none] = computeSimilarities("pay Ann now", [
      "pay Ann now",
      "Ann writes",
      "pay all",
      "x y",
    ]);
    expect(same).toBeCloseTo(1, 12);
    expect(none).toBe(0);
    const crowd = computeSimilarities("pay Ann", ["pay Bob", "pay Cyd", "pay Dee", "call Ann"]);
    expect(crowd[3]).toBeGreaterThan(crowd[0]!);
    expect(rare! + common!).toBeGreaterThan(0);
  });

  test("similarity depends on words but not on their case or order, and a text that is shorter than the query scores at most about 1", () => {
    const word = fc.constantFrom("pay", "ann", "bob", "song", "list", "7");
    const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), (query, texts) => {
        const shuffleWords = (value: string) =>
          splitWords(value).toReversed().join(", ").toUpperCase();
        expect(computeSimilarities(shuffleWords(query), texts.map(shuffleWords))).toEqual(
          computeSimilarities(query, texts).map((value) => expect.closeTo(value, 9)),
        );
        expect(
          computeSimilarities(query, texts).every((value) => value >= 0 && Number.isFinite(value)),
        ).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe("recall from memory", () => {
  test("recallItems takes the most useful items among those most similar to the task", () => {
    const known = makeStore(
      makeItem("a", "pay Ann", { value: 0.1 }),
      makeItem("b", "pay Bob", { value: 0.9 }),
      makeItem("far", "play songs", { value: 1 }),
    );
    expect(recallItems(known, "pay Ann", OPTIONS, makeRng()).map(({ id }) => id)).toEqual(["b"]);
    expect(
      recallItems(known, "pay Ann", { ...OPTIONS, candidates: 1 }, makeRng()).map(({ id }) => id),
    ).toEqual(["a"]);
    expect(
      recallItems(known, "pay Ann", { ...OPTIONS, minimumSimilarity: 0.9 }, makeRng()).map(
        ({ id }) => id,
      ),
    ).toEqual(["a"]);
    expect(recallItems(known, "zzz", OPTIONS, makeRng())).toEqual([]);
  });

  test("with success counts, an item that was never used has a usefulness of one half", () => {
    const known = makeStore(
      makeItem("bad", "pay Ann", { uses: 4, successes: 1 }),
      makeItem("new", "pay Ann now", { value: 0 }),
    );
    const options = COUNTS;
    expect(recallItems(known, "pay Ann", options, makeRng()).map(({ id }) => id)).toEqual(["new"]);
  });

  test("recallItems explores in the configured share of draws, which depends only on its random stream", () => {
    const known = makeStore(makeItem("a", "pay Ann", { value: 1 }), makeItem("b", "pay Bob"));
    const options = { ...OPTIONS, exploration: 0.5 };
    const draws = Array.from(
      { length: 400 },
      (_, i) => recallItems(known, "pay Ann", options, new Rng(i))[0]!.id,
    );
    const share = draws.filter((id) => id === "b").length / 400;
    expect(share).toBeGreaterThan(0.18);
    expect(share).toBeLessThan(0.32);
    expect(recallItems(known, "pay Ann", options, new Rng(7))).toEqual(
      recallItems(known, "pay Ann", options, new Rng(7)),
    );
  });
});

describe("updates of memory", () => {
  test("updateItems moves the value of used items towards the return: Q + a (R - Q)", () => {
    const known = makeStore(
      makeItem("a", "x", { value: 0.25 }),
      makeItem("b", "y", { value: 0.25 }),
    );
    const { items } = updateItems(known, { ...episode, used: ["a"], earned: 1 }, OPTIONS);
    expect(items.map(({ value }) => value)).toEqual([0.625, 0.25, 1]);
    expect(items[0]).toMatchObject({ uses: 1, successes: 1 });
  });

  test("memory keeps only one item for the same text about the same task", () => {
    const once = updateItems(NO_ITEMS, episode, OPTIONS);
    const twice = updateItems(once, { ...episode, earned: 0 }, OPTIONS);
    expect(twice.items).toEqual([{ ...once.items[0]!, value: 0.5 }]);
  });

  test("memory drops the oldest items beyond its capacity, and never reuses an id", () => {
    const all = ["a", "b", "c", "d"].reduce(
      (now, text) => updateItems(now, { ...episode, text }, OPTIONS),
      NO_ITEMS as ReturnType<typeof updateItems>,
    );
    expect(all.items.map(({ id, text }) => [id, text])).toEqual([
      ["m1", "b"],
      ["m2", "c"],
      ["m3", "d"],
    ]);
  });

  test("with success counts, memory adds only successes and drops items that helped too rarely", () => {
    const options = COUNTS;
    expect(updateItems(NO_ITEMS, { ...episode, passed: false }, options).items).toEqual([]);
    const known = makeStore(makeItem("a", "x", { uses: 2, successes: 1 }));
    const failed = updateItems(
      known,
      { ...episode, text: "", passed: false, used: ["a"] },
      options,
    );
    expect(failed.items).toEqual([]);
    const helped = updateItems(known, { ...episode, text: "", used: ["a"] }, options);
    expect(helped.items).toMatchObject([{ uses: 3, successes: 2 }]);
  });
});
