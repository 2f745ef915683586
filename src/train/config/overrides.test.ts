/**
 * The type `Overrides` lists the fields of every method, so that an editor completes a field's path, rejects a misspelt
 * one and shows its meaning. This test generates the type from the schema and fails when they differ; `vitest -u`
 * writes it anew.
 */
import { expect, it } from "vitest";
import type { FieldInfo, JsonObject } from "../../core/index.ts";
import { type Method, methods } from "../../methods/index.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { configFields, configJsonSchema } from "./config.ts";
import type { Overrides } from "./overrides.ts";

it("the type Overrides has every field of every method with the schema's type and description", async () => {
  await expect(writeOverridesType()).toMatchFileSnapshot("./overrides.ts");
});

it("the compiler rejects an override with a misspelt field or a wrong type, and so does resolveConfig", () => {
  const right: Overrides = { "algo.groupSize": 4, "algo.stragglers": true, "run.minutes": null };
  expect(resolveConfig({ overrides: right }).algo).toMatchObject({ groupSize: 4 });
  // @ts-expect-error: no such field
  expect(() => resolveConfig({ overrides: { "algo.gruopSize": 4 } })).toThrow(/algo\.groupSize/);
  // @ts-expect-error: a number
  expect(() => resolveConfig({ overrides: { "algo.groupSize": "six" } })).toThrow(/got "six"/);
  // @ts-expect-error: no such option
  expect(() => resolveConfig({ recipie: "smoke" })).toThrow(/did you mean recipe/);
});

const HEADER = `/**
 * The fields of the configuration by their paths, for \`resolveConfig({ overrides })\`. This file is generated from the schema:
 * \`npx vitest run src/train/config/overrides.test.ts -u\` writes it. Do not edit it by hand.
 */
`;

/** Returns the TypeScript source of the type \`Overrides\`. */
function writeOverridesType(): string {
  const found = new Map<string, { info: FieldInfo; types: Set<string>; readers: string[] }>();
  for (const method of Object.values(methods)) {
    for (const info of configFields(method)) {
      const field = found.get(info.path) ?? { info, types: new Set<string>(), readers: [] };
      field.types.add(fieldTypeText(info, method));
      field.readers.push(method.name);
      found.set(info.path, field);
    }
  }
  const fields = [...found].map(([path, { info, types, readers }]) => {
    const type = [...new Set([...types].flatMap((one) => one.split(" | ")))].join(" | ");
    return `  /** ${fieldComment(info, readers)} */\n  readonly ${JSON.stringify(path)}?: ${type};\n`;
  });
  return `${HEADER}export type Overrides = {\n${fields.join("")}};\n`;
}

function fieldTypeText(info: FieldInfo, method: Method): string {
  if (info.isGroup) return "boolean | object | null";
  return schemaTypeText(configJsonSchema(method, info.path) as JsonSchema);
}

function fieldComment(
  { description, expected, isGroup, default: standard, where }: FieldInfo,
  readers: string[],
): string {
  const value = isGroup ? (standard === null ? "off" : "on") : JSON.stringify(standard);
  const parts = [
    description,
    `${isGroup ? expected : expected[0]!.toUpperCase() + expected.slice(1)}; default ${value}`,
    ...(where.length > 0 ? [`exists where ${where.join(" and ")}`] : []),
    ...(readers.length < Object.keys(methods).length ? [`read by ${readers.join(", ")}`] : []),
  ];
  return `${parts.join(". ")}.`.replaceAll("*/", "*\\/");
}

type JsonSchema = JsonObject & {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
};

function schemaTypeText({ type, enum: values, anyOf, items }: JsonSchema): string {
  if (anyOf) return anyOf.map(schemaTypeText).join(" | ");
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (type === "integer") return "number";
  if (type === "array")
    return `readonly ${items?.type === "string" && !items.enum ? "string" : "unknown"}[]`;
  return type === "object" ? "object" : (type ?? "unknown");
}
