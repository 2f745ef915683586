import { expect, test } from "vitest";
import { cutLine, formatChange, formatCompact, formatCount, formatDuration } from "./format.ts";

test("the formatters write times, counts, changes and long texts in few characters", () => {
  expect([0.4, 59.4, 60, 192, 5400].map(formatDuration)).toEqual([
    "0 s",
    "59 s",
    "1 min 0 s",
    "3 min 12 s",
    "1 h 30 min",
  ]);
  expect([7, 7.25, 950.4, 31_234, 1_234_567].map(formatCount)).toEqual([
    "7",
    "7.3",
    "950",
    "31.2k",
    "1.2M",
  ]);
  expect([1.3e-16, -1.3e-16, 1e-11].map(formatCompact)).toEqual(["0", "0", "1e-11"]);
  expect([0, 0.5, 1 / 3, 2e-6, 0.00012, 12_000].map(formatCompact)).toEqual([
    "0",
    "0.5",
    "0.333",
    "2e-6",
    "1.2e-4",
    "12.0k",
  ]);
  expect([formatChange(0.4, 0.75), formatChange(0.5, 0.48), formatChange(0.5, 0.5)]).toEqual([
    "+35.0",
    "−2.0",
    "±0.0",
  ]);
  expect(cutLine("a  long\nstory about it", 10)).toBe("a long st…");
});
