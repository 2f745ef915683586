import { expect, test } from "vitest";
import {
  formatValue,
  requireInteger,
  requireKnownFields,
  requireOneOf,
  requireSeed,
  requireText,
} from "./index.ts";

test("any value is formatted on one line", () => {
  const round: { self?: unknown } = {};
  round.self = round;
  const values = [undefined, null, Number.NaN, -1.5, 3n, "a\nb", { scenarios: 3 }, () => 1, round];
  expect(values.map(formatValue)).toEqual([
    "nothing",
    "null",
    "NaN",
    "-1.5",
    "3n",
    '"a\\nb"',
    '{"scenarios":3}',
    "a function",
    "an object",
  ]);
  expect(formatValue("x".repeat(100))).toHaveLength(63);
});

test("only whole numbers within the bounds are accepted", () => {
  for (const value of [1, 2, 9]) requireInteger("count", value, 1, 9);
  for (const value of [0, 10, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "3", null, { n: 3 }]) {
    expect(() => requireInteger("count", value, 1, 9)).toThrow(
      `count: expected a whole number from 1 to 9, got ${formatValue(value)}`,
    );
  }
  expect(() => requireInteger("count", {}, 1, 9, "all")).toThrow(
    "count: expected a whole number from 1 to 9 (or nothing: all), got {}",
  );
  requireSeed("seed", 2 ** 32 - 1);
  expect(() => requireSeed("seed", 2 ** 32)).toThrow("seed: expected a whole number from 0 to");
});

test("a misspelt name or field is rejected with the nearest valid one", () => {
  requireOneOf("style", "careful", ["careful", "hasty"]);
  expect(() => requireOneOf("style", "carefull", ["careful", "hasty"])).toThrow(
    'style: expected careful, hasty, got "carefull" (did you mean careful?)',
  );
  requireText("code", "");
  expect(() => requireText("code", 3)).toThrow("code: expected a string, got 3");
  requireKnownFields("options", { seed: 1 }, ["seed", "workers"]);
  expect(() => requireKnownFields("options", { sed: 1 }, ["seed", "workers"])).toThrow(
    'options: expected seed, workers, got "sed" (did you mean seed?)',
  );
  for (const value of [undefined, null, 3, [1]]) {
    expect(() => requireKnownFields("options", value, ["seed"])).toThrow(
      `options: expected an object with seed, got ${formatValue(value)}`,
    );
  }
});
