import { expect, test } from "vitest";
import {
  requireFields,
  requireInteger,
  requireOneOf,
  requireSeed,
  requireText,
  shown,
} from "./index.ts";

test("a value is shown on one line, whatever it is", () => {
  const round: { self?: unknown } = {};
  round.self = round;
  const values = [undefined, null, Number.NaN, -1.5, 3n, "a\nb", { scenarios: 3 }, () => 1, round];
  expect(values.map(shown)).toEqual([
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
  expect(shown("x".repeat(100))).toHaveLength(63);
});

test("whole numbers within bounds pass, nothing else does", () => {
  for (const value of [1, 2, 9]) requireInteger("count", value, 1, 9);
  for (const value of [0, 10, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "3", null, { n: 3 }]) {
    expect(() => requireInteger("count", value, 1, 9)).toThrow(
      `count: expected a whole number from 1 to 9, got ${shown(value)}`,
    );
  }
  expect(() => requireInteger("count", {}, 1, 9, "all")).toThrow(
    "count: expected a whole number from 1 to 9 (or nothing: all), got {}",
  );
  requireSeed("seed", 2 ** 32 - 1);
  expect(() => requireSeed("seed", 2 ** 32)).toThrow("seed: expected a whole number from 0 to");
});

test("names are told apart from near misses", () => {
  requireOneOf("style", "careful", ["careful", "hasty"]);
  expect(() => requireOneOf("style", "carefull", ["careful", "hasty"])).toThrow(
    'style: expected careful, hasty, got "carefull" (did you mean careful?)',
  );
  requireText("code", "");
  expect(() => requireText("code", 3)).toThrow("code: expected a text, got 3");
  requireFields("options", { seed: 1 }, ["seed", "workers"]);
  expect(() => requireFields("options", { sed: 1 }, ["seed", "workers"])).toThrow(
    'options: expected seed, workers, got "sed" (did you mean seed?)',
  );
  for (const value of [undefined, null, 3, [1]]) {
    expect(() => requireFields("options", value, ["seed"])).toThrow(
      `options: expected an object with seed, got ${shown(value)}`,
    );
  }
});
