import { describe, expect, test } from "vitest";
import type { TokenColumns } from "../../../src/spec/studio/index.ts";
import { COLUMNS, columnOf, STEPS, scaleOf } from "./token-columns.ts";

const bare: TokenColumns = {
  ids: [7, 8, 9],
  texts: null,
  mask: [0, 1, 1],
  sampled: [0, -0.5, -2],
  recorded: null,
};
const full: TokenColumns = {
  ...bare,
  recorded: {
    advantage: 0.25,
    old: [null, -0.5, -2],
    current: [null, -0.25, -3],
    ratio: [null, 1.25, 0.5],
    clipped: null,
    entropy: [null, 0, 1],
  },
};

describe("columns", () => {
  test("that nothing recorded are null as a whole", () => {
    const known = COLUMNS.filter((name) => columnOf(name, bare) !== null);
    expect(known).toEqual(["sampled", "mask"]);
    expect(columnOf("clipped", full)).toBeNull();
  });

  test("are null in places that are no action", () => {
    expect(columnOf("sampled", bare)).toEqual([null, -0.5, -2]);
    expect(columnOf("advantage", full)).toEqual([null, 0.25, 0.25]);
    expect(columnOf("change", full)).toEqual([null, 0.25, -1]);
    expect(columnOf("gap", full)).toEqual([null, 0, 0]);
  });

  test("of advantages that differ by token are taken as they are", () => {
    const recorded = { ...full.recorded!, advantages: [null, 1, -1] };
    expect(columnOf("advantage", { ...full, recorded })).toEqual([null, 1, -1]);
  });
});

describe("colours", () => {
  test("go both ways from the middle, for ratios by their logarithm", () => {
    const { step, low, high } = scaleOf("ratio", [null, 1, 2, 0.5]);
    expect([step(1), step(2), step(0.5), step(null), step(9)]).toEqual([
      0,
      STEPS,
      -STEPS,
      0,
      STEPS,
    ]);
    expect(low).toBeCloseTo(0.5);
    expect(high).toBeCloseTo(2);
  });

  test("of log-probs and entropies go one way", () => {
    const { step, high } = scaleOf("sampled", [-4, -2, 0]);
    expect(high).toBe(-2);
    expect([step(0), step(-1), step(-4)]).toEqual([0, 3, STEPS]);
    expect(scaleOf("entropy", [0, 1, 2]).high).toBe(1);
  });

  test("of flags are all or nothing, and of nothing are none", () => {
    expect([scaleOf("mask", []).step(1), scaleOf("mask", []).step(0)]).toEqual([STEPS, 0]);
    expect(scaleOf("change", []).step(0)).toBe(0);
  });
});
