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

/** The same with utility by counts. */
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
const rng = () => new Rng(1);
const item = (id: string, about: string, fields: Partial<MemoryItem> = {}): MemoryItem => ({
  id,
  about,
  text: id,
  value: 0,
  uses: 0,
  successes: 0,
  ...fields,
});
const store = (...items: MemoryItem[]) => ({ made: items.length, items });
const episode = {
  instruction: "pay Ann",
  text: "t",
  earned: 1,
  passed: true,
  used: [] as string[],
};

describe("similarity", () => {
  test("the query itself scores 1, unrelated texts 0, rare words count more", () => {
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

  test("is a function of the words, their case and order left out, and at most about 1 for shorter texts", () => {
    const word = fc.constantFrom("pay", "ann", "bob", "song", "list", "7");
    const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), (query, texts) => {
        const shuffled = (value: string) => splitWords(value).toReversed().join(", ").toUpperCase();
        expect(computeSimilarities(shuffled(query), texts.map(shuffled))).toEqual(
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

describe("recall", () => {
  test("takes the most useful of the nearest", () => {
    const known = store(
      item("a", "pay Ann", { value: 0.1 }),
      item("b", "pay Bob", { value: 0.9 }),
      item("far", "play songs", { value: 1 }),
    );
    expect(recallItems(known, "pay Ann", OPTIONS, rng()).map(({ id }) => id)).toEqual(["b"]);
    expect(
      recallItems(known, "pay Ann", { ...OPTIONS, candidates: 1 }, rng()).map(({ id }) => id),
    ).toEqual(["a"]);
    expect(
      recallItems(known, "pay Ann", { ...OPTIONS, minimumSimilarity: 0.9 }, rng()).map(
        ({ id }) => id,
      ),
    ).toEqual(["a"]);
    expect(recallItems(known, "zzz", OPTIONS, rng())).toEqual([]);
  });

  test("by counts, an item that was never used is worth one half", () => {
    const known = store(
      item("bad", "pay Ann", { uses: 4, successes: 1 }),
      item("new", "pay Ann now", { value: 0 }),
    );
    const options = COUNTS;
    expect(recallItems(known, "pay Ann", options, rng()).map(({ id }) => id)).toEqual(["new"]);
  });

  test("explores at the stated share, by its stream alone", () => {
    const known = store(item("a", "pay Ann", { value: 1 }), item("b", "pay Bob"));
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

describe("update", () => {
  test("what was earned moves the value of the items that were used: Q + a (R - Q)", () => {
    const known = store(item("a", "x", { value: 0.25 }), item("b", "y", { value: 0.25 }));
    const { items } = updateItems(known, { ...episode, used: ["a"], earned: 1 }, OPTIONS);
    expect(items.map(({ value }) => value)).toEqual([0.625, 0.25, 1]);
    expect(items[0]).toMatchObject({ uses: 1, successes: 1 });
  });

  test("the same text about the same task is one item", () => {
    const once = updateItems(NO_ITEMS, episode, OPTIONS);
    const twice = updateItems(once, { ...episode, earned: 0 }, OPTIONS);
    expect(twice.items).toEqual([{ ...once.items[0]!, value: 0.5 }]);
  });

  test("the oldest leave when there are too many, and ids are never used again", () => {
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

  test("by counts, only a success becomes an item, and what helped too rarely is forgotten", () => {
    const options = COUNTS;
    expect(updateItems(NO_ITEMS, { ...episode, passed: false }, options).items).toEqual([]);
    const known = store(item("a", "x", { uses: 2, successes: 1 }));
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
