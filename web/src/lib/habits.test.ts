import { expect, test } from "vitest";
import { formatHabitChange, formatHabitName, formatHabitValue } from "./habits.ts";

test("names of habits are shown as words", () => {
  expect(formatHabitName("errors_per_turn")).toBe("errors per turn");
});

test("values of habits have three significant digits", () => {
  expect([3.0888, 0.021582, 0, 159.36, 20_812.4, null].map(formatHabitValue)).toEqual([
    "3.09",
    "0.0216",
    "0",
    "159",
    "20812",
    "–",
  ]);
});

test("a change of a habit has a sign, and is shown as a dash if one value is missing", () => {
  expect(formatHabitChange(3.0888, 3.5)).toBe("+0.41");
  expect(formatHabitChange(1, 0.25)).toBe("−0.75");
  expect(formatHabitChange(2, 2)).toBe("±0");
  expect(formatHabitChange(null, 2)).toBe("–");
  expect(formatHabitChange(100, 1500)).toBe("+1400");
});
