/** Tests the JSON Schema of configurations. */
import { expect, test } from "vitest";
import { loop } from "../../methods/index.ts";
import { configJsonSchema } from "./config.ts";

test("a field that exists only sometimes says when, and a field that always exists says nothing of the kind", () => {
  const { properties } = configJsonSchema(loop, "engine") as {
    readonly properties: Readonly<Record<string, { readonly description?: string }>>;
  };
  expect(properties["url"]?.description).toMatch(/\(where name is tinker\)$/);
  expect(properties["name"]?.description).not.toContain("(where");
  expect(JSON.stringify(configJsonSchema(loop))).not.toContain("(where )");
});
