/**
 * JSON Schema as short text for people and models: `integer >= 1`, `"food" | "rent"`, `{ id: integer, name: string }[]`.
 *
 * The zod definitions of an API are read once through `z.toJSONSchema`; documentation and error messages both speak
 * this text, so what an error says was expected is what the documentation promised.
 */
import { z } from "zod";
import type { ParameterNames } from "../dials/index.ts";

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export function jsonSchema(type: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(type, { io, unrepresentable: "any" }) as JsonSchema;
}

/** The schema of an API's parameters under the names that the agent sees. */
export function parameterSchema(
  params: z.ZodObject,
  names: ParameterNames | undefined,
): JsonSchema {
  const schema = jsonSchema(params, "input");
  if (!names) return schema;
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { description } = field;
    return [
      names.show(name),
      description === undefined ? field : { ...field, description: names.showQuoted(description) },
    ] as const;
  });
  const required = (schema.required ?? []).map((name) => names.show(name));
  return { ...schema, properties: Object.fromEntries(properties), required };
}

/** The text of a type, as documentation and error messages write it. */
export function typeText(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map(typeText).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.join(" | ");
  if (schema.type === "array") return listText(schema);
  if (schema.type === "object") return objectText(schema);
  const name = typeof schema.type === "string" ? schema.type : "any";
  return [name, ...constraints(schema)].join(" ");
}

function listText(schema: JsonSchema): string {
  const item = typeText(schema.items ?? {});
  const list = /[ |]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  return [list, ...constraints(schema)].join(" ");
}

function objectText(schema: JsonSchema): string {
  if (!schema.properties) return "object";
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties).map(
    ([name, field]) => `${name}${required.has(name) ? "" : "?"}: ${typeText(field)}`,
  );
  return `{ ${fields.join(", ")} }`;
}

/** The bounds that zod writes for every safe integer say nothing and are left out. */
function constraints(schema: JsonSchema): string[] {
  const bound = (sign: string, value: number | undefined, unit = "") =>
    value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER
      ? []
      : [`${sign} ${value}${unit}`];
  return [
    ...(schema.format
      ? [`(${schema.format})`]
      : schema.pattern
        ? [`matching ${schema.pattern}`]
        : []),
    ...bound(">=", schema.minimum),
    ...bound(">", schema.exclusiveMinimum),
    ...bound("<=", schema.maximum),
    ...bound("<", schema.exclusiveMaximum),
    ...bound(">=", schema.minLength, " characters"),
    ...bound("<=", schema.maxLength, " characters"),
    ...bound(">=", schema.minItems, " items"),
    ...bound("<=", schema.maxItems, " items"),
  ];
}
