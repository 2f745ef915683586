import { expect, test } from "vitest";
import { z } from "zod";
import {
  computed,
  defineFormat,
  describeFormat,
  formatSchema,
  harmless,
  harmlessIf,
  listNamedFields,
  named,
  namedUnless,
  refused,
} from "./format-table.ts";

const part = defineFormat({
  name: "a part",
  unknown: "named",
  fields: { text: computed(z.string(), "the text") },
});
const table = defineFormat({
  name: "a request",
  unknown: "named",
  fields: {
    parts: computed(z.array(formatSchema(part)).nullish(), "what was said"),
    size: computed(z.number().default(3), "how large the answer is"),
    comment: harmless("nobody reads it"),
    dropout: harmlessIf(z.literal(0), "0", "only training has dropout"),
    bias: refused("biases are not computed"),
    speed: named("the answer comes as fast as it can"),
  },
});
const schema = formatSchema(table);

test("the result has only the computed fields, with their defaults", () => {
  const parsed = schema.parse({ parts: [{ text: "a" }], comment: 1, dropout: 0, bias: null });
  expect(parsed).toEqual({ parts: [{ text: "a" }], size: 3 });
  expect(listNamedFields(parsed)).toEqual([]);
  // @ts-expect-error A field that is not computed cannot be read.
  parsed.comment;
});

test("named and unknown fields are listed with their paths, unless they are null", () => {
  const parsed = schema.parse({
    parts: [{ text: "a" }, { text: "b", lang: "en" }],
    speed: 2,
    x: 1,
    y: null,
  });
  expect(listNamedFields(parsed)).toEqual(["speed", "x", "parts.1.lang"]);
  expect(Object.keys(parsed)).toEqual(["parts", "size"]);
});

test.each([
  [{ bias: true }, "bias", /biases are not computed \(got true\)/],
  [{ dropout: 0.1 }, "dropout", /expected 0, got 0.1: only training has dropout/],
  [{ size: "large" }, "size", /expected number/],
])("%j is refused", (input, path, message) => {
  const [issue] = schema.safeParse(input).error!.issues;
  expect(issue).toMatchObject({ path: [path], message: expect.stringMatching(message) });
});

test("a table may refuse unknown fields that are not null", () => {
  const strict = formatSchema({ ...table, unknown: "refused" });
  expect(strict.safeParse({ x: 1 }).error!.issues).toMatchObject([{ path: ["x"] }]);
  expect(strict.safeParse({ x: null }).success).toBe(true);
});

test("a rule for a prefix holds for all fields without a rule of their own or of a longer prefix", () => {
  const prefixed = defineFormat({
    name: "keys",
    unknown: "refused",
    fields: {
      "a.b": computed(z.number().optional(), "a number"),
      "a.*": harmless("a is about the author"),
      "a.c.*": refused("c is not computed"),
    },
  });
  const schema = formatSchema(prefixed);
  expect(schema.parse({ "a.b": 1, "a.x": 2, "a.c": 3 })).toEqual({ "a.b": 1 });
  const issues = schema.safeParse({ "a.c.d": 1, "b.a": 1 }).error!.issues;
  expect(issues.map(({ path }) => path)).toEqual([["a.c.d"], ["b.a"]]);
});

test("the description has a row for each field, and one for all other fields", () => {
  expect(describeFormat(table).map(({ field, treatment }) => `${field}: ${treatment}`)).toEqual([
    "parts: computed",
    "size: computed",
    "comment: harmless: any value",
    "dropout: harmless: 0",
    "bias: refused",
    "speed: named",
    "any other field: named",
  ]);
});

test("a field that is named may have values that change nothing", () => {
  const penalties = defineFormat({
    name: "penalties",
    unknown: "named",
    fields: { penalty: namedUnless(z.literal(0), "0", "there are none") },
  });
  const parse = (penalty: unknown) => listNamedFields(formatSchema(penalties).parse({ penalty }));
  expect([parse(0), parse(null), parse(0.5), parse("0")]).toEqual([
    [],
    [],
    ["penalty"],
    ["penalty"],
  ]);
  expect(describeFormat(penalties)[0]!.treatment).toBe("named, unless 0");
});
