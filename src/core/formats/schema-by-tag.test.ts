import { expect, test } from "vitest";
import { z } from "zod";
import { computed, defineFormat, formatSchema, listNamedFields } from "./format-table.ts";
import { schemaByTag } from "./schema-by-tag.ts";

const textFormat = defineFormat({
  name: "a text",
  unknown: "named",
  fields: { type: computed(z.literal("text"), "kind"), text: computed(z.string(), "words") },
});
const part = schemaByTag(
  "type",
  { text: formatSchema(textFormat), file: z.object({ type: z.literal("file"), size: z.number() }) },
  (got) => `expected a text or a file, got ${JSON.stringify(got)}`,
);
const schema = z.object({ parts: z.array(part) });

test("an object is read by the schema that its tag names, with its named fields", () => {
  const parsed = schema.parse({
    parts: [
      { type: "text", text: "a", lang: "en" },
      { type: "file", size: 1 },
    ],
  });
  expect(parsed.parts).toEqual([
    { type: "text", text: "a" },
    { type: "file", size: 1 },
  ]);
  expect(listNamedFields(parsed)).toEqual(["parts.0.lang"]);
});

test.each([
  [{ type: "text", text: 3 }, ["parts", 0, "text"], /expected string/],
  [{ type: "image" }, ["parts", 0, "type"], /expected a text or a file, got "image"/],
  [{ type: "toString" }, ["parts", 0, "type"], /got "toString"/],
  ["a", ["parts", 0], /expected a text or a file, got "a"/],
])("%j is refused with its place", (wrong, path, message) => {
  const [issue] = schema.safeParse({ parts: [wrong] }).error!.issues;
  expect(issue).toMatchObject({ path, message: expect.stringMatching(message) });
});
