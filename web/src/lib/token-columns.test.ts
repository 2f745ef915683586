import { describe, expect, test } from "vitest";
import type { TokenColumns } from "../../../src/spec/studio/index.ts";
import { buildColourScale, COLOUR_STEPS, COLUMN_NAMES, readColumn } from "./token-columns.ts";

const unrecordedRow: TokenColumns = {
  ids: [7, 8, 9],
  texts: null,
  mask: [0, 1, 1],
  sampled: [0, -0.5, -2],
  recorded: null,
};
const recordedRow: TokenColumns = {
  ...unrecordedRow,
  recorded: {
    advantage: 0.25,
    old: [null, -0.5, -2],
    current: [null, -0.25, -3],
    ratio: [null, 1.25, 0.5],
    clipped: null,
    entropy: [null, 0, 1],
  },
};

describe("columns of token values", () => {
  test("are null if nothing was recorded", () => {
    const known = COLUMN_NAMES.filter((name) => readColumn(name, unrecordedRow) !== null);
    expect(known).toEqual(["sampled", "mask"]);
    expect(readColumn("clipped", recordedRow)).toBeNull();
  });

  test("have null for tokens that are not actions", () => {
    expect(readColumn("sampled", unrecordedRow)).toEqual([null, -0.5, -2]);
    expect(readColumn("advantage", recordedRow)).toEqual([null, 0.25, 0.25]);
    expect(readColumn("change", recordedRow)).toEqual([null, 0.25, -1]);
    expect(readColumn("gap", recordedRow)).toEqual([null, 0, 0]);
  });

  test("contain an advantage for each token if these were recorded", () => {
    const recorded = { ...recordedRow.recorded!, advantages: [null, 1, -1] };
    expect(readColumn("advantage", { ...recordedRow, recorded })).toEqual([null, 1, -1]);
  });
});

describe("colour scales of tokens", () => {
  test("for ratios, have steps on both sides of the middle, by the ratio's logarithm", () => {
    const { step, low, high } = buildColourScale("ratio", [null, 1, 2, 0.5]);
    expect([step(1), step(2), step(0.5), step(null), step(9)]).toEqual([
      0,
      COLOUR_STEPS,
      -COLOUR_STEPS,
      0,
      COLOUR_STEPS,
    ]);
    expect(low).toBeCloseTo(0.5);
    expect(high).toBeCloseTo(2);
  });

  test("for log-probs and entropies, have steps on only one side", () => {
    const { step, high } = buildColourScale("sampled", [-4, -2, 0]);
    expect(high).toBe(-2);
    expect([step(0), step(-1), step(-4)]).toEqual([0, 3, COLOUR_STEPS]);
    expect(buildColourScale("entropy", [0, 1, 2]).high).toBe(1);
  });

  test("for flags, have two steps; a missing value has step 0", () => {
    expect([buildColourScale("mask", []).step(1), buildColourScale("mask", []).step(0)]).toEqual([
      COLOUR_STEPS,
      0,
    ]);
    expect(buildColourScale("change", []).step(0)).toBe(0);
  });
});
