import { expect, test } from "vitest";
import { compact, count, cut, duration, points } from "./words.ts";

test("numbers for people", () => {
  expect([0.4, 59.4, 60, 192, 5400].map(duration)).toEqual([
    "0 s",
    "59 s",
    "1 min 0 s",
    "3 min 12 s",
    "1 h 30 min",
  ]);
  expect([7, 7.25, 950.4, 31_234, 1_234_567].map(count)).toEqual([
    "7",
    "7.3",
    "950",
    "31.2k",
    "1.2M",
  ]);
  expect([0, 0.5, 1 / 3, 2e-6, 0.00012, 12_000].map(compact)).toEqual([
    "0",
    "0.5",
    "0.333",
    "2e-6",
    "1.2e-4",
    "12.0k",
  ]);
  expect([points(0.4, 0.75), points(0.5, 0.48), points(0.5, 0.5)]).toEqual([
    "+35.0",
    "−2.0",
    "±0.0",
  ]);
  expect(cut("a  long\nstory about it", 10)).toBe("a long st…");
});
