import { expect, test } from "vitest";
import { findRowsToDraw, findScrollTop } from "./rows-in-sight.ts";

const box = { count: 1000, rowHeight: 20, height: 400 };

test("all rows in sight are drawn, at any scroll position", () => {
  for (let top = 0; top <= 1000 * 20 - 400; top += 7) {
    const { from, to } = findRowsToDraw({ ...box, top });
    expect(from).toBeLessThanOrEqual(Math.floor(top / 20));
    expect(to).toBeGreaterThanOrEqual(Math.ceil((top + 400) / 20));
    expect(to - from).toBeLessThanOrEqual(20 * 3 + 10 + 1);
  }
});

test("one screen of rows before and one after are drawn too, as far as the list has them", () => {
  expect(findRowsToDraw({ ...box, top: 0 })).toEqual({ from: 0, to: 50 });
  expect(findRowsToDraw({ ...box, top: 8000 })).toEqual({ from: 380, to: 450 });
  expect(findRowsToDraw({ ...box, top: 1e9 })).toEqual({ from: 980, to: 1000 });
  expect(findRowsToDraw({ ...box, count: 3, top: 0 })).toEqual({ from: 0, to: 3 });
  expect(findRowsToDraw({ ...box, count: 0, top: 0 })).toEqual({ from: 0, to: 0 });
});

test("scrolling to a row moves the list as little as possible", () => {
  const at = { ...box, top: 2000 };
  expect(findScrollTop(105, at)).toBeUndefined();
  expect(findScrollTop(99, at)).toBe(1980);
  expect(findScrollTop(120, at)).toBe(2020);
  expect(findScrollTop(0, { ...at, top: 0 }, 40)).toBeUndefined();
  expect(findScrollTop(999, at, 40)).toBe(19_600);
  expect(findScrollTop(90, at, 40)).toBe(1760);
});
