import { expect, test } from "vitest";
import { z } from "zod";
import { describesOnlyJson, requireJsonValue } from "./json-values.ts";

const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;

test.each<[unknown, string]>([
  [
    { on: [new Date(0)] },
    '"on.0": expected a value that JSON has, got a Date (1970-01-01T00:00:00.000Z)',
  ],
  [new Map(), '"": expected a value that JSON has, got a Map'],
  [{ a: { big: 1n } }, '"a.big": expected a value that JSON has, got 1n'],
  [cycle, '"self": expected a value that JSON has, got an object that contains itself'],
  [[Number.NaN], '"0": expected a value that JSON has, got NaN'],
  [[undefined], '"0": expected a value that JSON has, got nothing'],
  [{ run: () => 1 }, '"run": expected a value that JSON has, got a function'],
])("the returned value number %# is refused with its path", (value, message) => {
  expect(() => requireJsonValue(value)).toThrow(
    `its return value does not fit its type at ${message}`,
  );
});

test("a value that JSON keeps is accepted, also with the same object in two places", () => {
  const shared = Object.freeze({ id: 1 });
  requireJsonValue({ a: [shared, shared], b: null, c: "x", d: true, e: undefined, f: 1.5 });
});

test.each<[z.ZodType, boolean]>([
  [z.object({ id: z.number(), tags: z.array(z.enum(["a"])), at: z.string().nullable() }), true],
  [z.record(z.string(), z.number()), true],
  [z.union([z.literal(1), z.object({ a: z.boolean().optional() })]), true],
  [z.any(), false],
  [z.object({ at: z.date() }), false],
  [z.array(z.unknown()), false],
  [z.bigint(), false],
  [z.looseObject({ id: z.number() }), false],
  [z.record(z.string(), z.any()), false],
  [z.string().transform((text) => new Map([[text, 1]])), false],
])("whether a type admits only JSON is read from it: case %#", (type, expected) => {
  expect(describesOnlyJson(type)).toBe(expected);
});
