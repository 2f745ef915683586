/**
 * The fields of every method as one TypeScript type, so that an editor completes a field's path, refuses a misspelt one and
 * shows its meaning. It is written from the schema here, and held together with it: `vitest -u` writes it anew.
 */
import { expect, it } from "vitest";
import type { FieldInfo, JsonObject } from "../../core/index.ts";
import { type Method, methods } from "../../methods/index.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { configFields, configJsonSchema } from "./config.ts";
import type { Overrides } from "./overrides.ts";

it("has every field of every method as the schema has it", async () => {
  await expect(overridesText()).toMatchFileSnapshot("./overrides.ts");
});

it("refuses a misspelt field and a wrong type where they are written", () => {
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
 * Fields of the configuration by their paths, for \`resolveConfig({ overrides })\`. Written from the schema by
 * \`npx vitest run src/train/config/overrides.test.ts -u\`; not edited by hand.
 */
`;

/** The source of the interface \`Overrides\`. */
function overridesText(): string {
  const found = new Map<string, { info: FieldInfo; types: Set<string>; readers: string[] }>();
  for (const method of Object.values(methods)) {
    for (const info of configFields(method)) {
      const field = found.get(info.path) ?? { info, types: new Set<string>(), readers: [] };
      field.types.add(typeOf(info, method));
      field.readers.push(method.name);
      found.set(info.path, field);
    }
  }
  const fields = [...found].map(([path, { info, types, readers }]) => {
    const type = [...new Set([...types].flatMap((one) => one.split(" | ")))].join(" | ");
    return `  /** ${comment(info, readers)} */\n  readonly ${JSON.stringify(path)}?: ${type};\n`;
  });
  return `${HEADER}export type Overrides = {\n${fields.join("")}};\n`;
}

function typeOf(info: FieldInfo, method: Method): string {
  if (info.isGroup) return "boolean | object | null";
  return tsType(configJsonSchema(method, info.path) as JsonSchema);
}

function comment(
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

function tsType({ type, enum: values, anyOf, items }: JsonSchema): string {
  if (anyOf) return anyOf.map(tsType).join(" | ");
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (type === "integer") return "number";
  if (type === "array")
    return `readonly ${items?.type === "string" && !items.enum ? "string" : "unknown"}[]`;
  return type === "object" ? "object" : (type ?? "unknown");
}
