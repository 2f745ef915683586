import { describe, expect, it } from "vitest";
import {
  buildTable,
  computeMeanColumn,
  computeRange,
  describeLines,
  findMeaning,
  joinTables,
} from "./series.ts";

const phase = {
  steps: [0, 0, 4, 2],
  columns: { a: [1, null, 3, null], b: [null, 5, null, null], c: [null, null, null, null] },
};

describe("tables of metrics", () => {
  it("join the lines of a step, sort by step, and leave out steps without values", () => {
    expect(buildTable(phase, ["a", "b"])).toEqual({
      x: [0, 4],
      columns: [
        [1, 3],
        [5, null],
      ],
    });
    expect(buildTable(undefined, ["a"])).toEqual({ x: [], columns: [[]] });
  });

  it("can be joined on common steps, with gaps", () => {
    const one = { x: [1, 2], columns: [[10, 20]] };
    const two = { x: [2, 3], columns: [[7, 8]] };
    expect(joinTables([one, two])).toEqual({
      x: [1, 2, 3],
      columns: [
        [10, 20, null],
        [null, 7, 8],
      ],
    });
  });

  it("have a mean where enough columns have a value", () => {
    const columns = [
      [1, null, 3],
      [3, 4, null],
    ];
    expect(computeMeanColumn(columns)).toEqual([2, 4, 3]);
    expect(computeMeanColumn(columns, 2)).toEqual([2, null, null]);
    expect(computeMeanColumn([])).toEqual([]);
  });
});

describe("the texts of charts", () => {
  it("give the meaning of a metric, or otherwise that of the longest family to which its name belongs", () => {
    const glossary = { "reward/mean": "m", "reward/": "r", "reward/term/": "t" };
    expect(findMeaning("reward/mean", glossary)).toBe("m");
    expect(findMeaning("reward/dev", glossary)).toBe("r");
    expect(findMeaning("reward/term/x", glossary)).toBe("t");
    expect(findMeaning("kl/token", glossary)).toBe("");
  });

  it("describe a line by its first, last, lowest and highest value", () => {
    const lines = [
      { name: "reward", values: [0.5, null, 0.2, 0.9] },
      { name: "empty", values: [null, null, null, null] },
    ];
    expect(describeLines(lines, [1, 2, 3, 4], String)).toBe(
      "reward: first 0.5 at 1, last 0.9 at 4, lowest 0.2, highest 0.9.",
    );
    expect(describeLines([], [], String)).toBe("no values yet");
  });

  it("widen the given range to contain all values", () => {
    expect(computeRange([[0.2, 1.4, null]], [0, 1])).toEqual([0, 1.4]);
    expect(computeRange([[5]], undefined)).toBeNull();
  });
});
