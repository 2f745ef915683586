import { expect, test } from "vitest";
import {
  alternatives,
  interpolateValue,
  interpolateValues,
  type NeedsPhrase,
  superlatives,
} from "./phrases.ts";

type Given = Parameters<NeedsPhrase<unknown>>;
const given = (...phrase: Given): Given => phrase;

test("holes with names stand beside values that the template already has, each at its place", () => {
  const phrase = given`${"Ask"} $who for ${"a $"} | $who, $what ${"please"} | c | d | e${"!"}`;
  expect(alternatives(...interpolateValues(phrase, { who: "Ida", what: "tea" }))).toEqual([
    ...["Ask Ida for a $", "Ida, tea please", "c", "d", "e!"],
  ]);
  expect(alternatives(...interpolateValue(given`a ${"b"} $ | $ ${"c"} | d | e | $`, "x"))).toEqual([
    ...["a b x", "x c", "d", "e", "x"],
  ]);
});

test("a hole whose name has no value is refused, and the error lists the names", () => {
  expect(() => interpolateValues(given`to $whom`, { who: "Ida", what: "tea" })).toThrow(
    "a phrase has the hole $whom, but the values drawn for it are who, what",
  );
});

test("superlatives give the words for the most and those for the least", () => {
  expect(superlatives`latest / earliest | last / first | a / b | c / d | e / f`).toEqual([
    ["latest", "last", "a", "c", "e"],
    ["earliest", "first", "b", "d", "f"],
  ]);
});
