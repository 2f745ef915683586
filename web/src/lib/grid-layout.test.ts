import { describe, expect, it } from "vitest";
import {
  classifyGroup,
  computeGridLayout,
  describeGroup,
  findCell,
  findCellOrigin,
  MARGIN,
  moveByKey,
} from "./grid-layout.ts";

describe("the grid of groups", () => {
  it("names the outcome of a group", () => {
    expect(classifyGroup({ size: 0, passed: 0 })).toBe("none");
    expect(classifyGroup({ size: 4, passed: 0 })).toBe("wrong");
    expect(classifyGroup({ size: 4, passed: 4 })).toBe("right");
    expect(describeGroup({ size: 4, passed: 1 })).toBe("1 of 4 passed, mixed");
  });

  it("finds every cell at the position of this cell, at any width", () => {
    const counts = [40, 0, 625, 3];
    for (const width of [120, 350, 1400]) {
      const layout = computeGridLayout(counts, width);
      for (const [row, count] of counts.entries()) {
        for (let column = 0; column < count; column++) {
          const { x, y } = findCellOrigin(layout, { row, column });
          expect(x + layout.side).toBeLessThanOrEqual(Math.max(width, MARGIN + 9));
          expect(findCell(layout, counts, x + 1, y + 1)).toEqual({ row, column });
        }
      }
    }
  });

  it("finds no cell to the left of the cells, after the end of a row, or below all rows", () => {
    const counts = [2];
    const layout = computeGridLayout(counts, 600);
    expect(findCell(layout, counts, MARGIN - 1, 2)).toBeUndefined();
    expect(findCell(layout, counts, MARGIN + 2 * layout.step + 1, 2)).toBeUndefined();
    expect(findCell(layout, counts, MARGIN, layout.height + 1)).toBeUndefined();
    expect(findCell(computeGridLayout([], 600), [], MARGIN, 0)).toBeUndefined();
  });

  it("moves by keys, skips empty rows and stays inside the grid", () => {
    const counts = [5, 0, 7];
    const layout = { perLine: 3 };
    const go = (row: number, column: number, key: string) =>
      moveByKey(layout, counts, { row, column }, key);
    expect(go(0, 4, "ArrowRight")).toEqual({ row: 0, column: 4 });
    expect(go(0, 0, "ArrowLeft")).toEqual({ row: 0, column: 0 });
    expect(go(0, 1, "ArrowDown")).toEqual({ row: 0, column: 4 });
    expect(go(0, 4, "ArrowDown")).toEqual({ row: 2, column: 1 });
    expect(go(2, 1, "ArrowUp")).toEqual({ row: 0, column: 4 });
    expect(go(2, 6, "ArrowDown")).toEqual({ row: 2, column: 6 });
    expect(go(0, 1, "ArrowUp")).toEqual({ row: 0, column: 1 });
    expect(go(0, 3, "End")).toEqual({ row: 0, column: 4 });
    expect(go(2, 3, "PageUp")).toEqual({ row: 0, column: 0 });
    expect(go(0, 3, "x")).toBeUndefined();
  });
});
