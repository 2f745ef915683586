/**
 * JSON Schema as short text for people and models: `integer >= 1`, `"food" | "rent"`, `{ id: integer, name: string
 * }[]`.
 *
 * The zod definitions of an API are read once, by `z.toJSONSchema`. Documentation and error messages use the same text,
 * so an error expects what the documentation promised.
 */
import { z } from "zod";
import type { ParameterNames } from "../dials/index.ts";

/** The part of JSON Schema that documentation and error messages show. */
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

export function toJsonSchema(type: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(type, { io, unrepresentable: "any" }) as JsonSchema;
}

/** Returns the JSON Schema of an API's parameters under the names that the agent sees. */
export function parameterSchema(
  params: z.ZodObject,
  names: ParameterNames | undefined,
): JsonSchema {
  const schema = toJsonSchema(params, "input");
  if (!names) return schema;
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { description } = field;
    return [
      names.toShown(name),
      description === undefined
        ? field
        : { ...field, description: names.renameInBackticks(description) },
    ] as const;
  });
  const required = (schema.required ?? []).map((name) => names.toShown(name));
  return { ...schema, properties: Object.fromEntries(properties), required };
}

/** Formats a type as documentation and error messages write it. */
export function formatType(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map(formatType).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.join(" | ");
  if (schema.type === "array") return formatListType(schema);
  if (schema.type === "object") return formatObjectType(schema);
  const name = typeof schema.type === "string" ? schema.type : "any";
  return [name, ...formatConstraints(schema)].join(" ");
}

function formatListType(schema: JsonSchema): string {
  const item = formatType(schema.items ?? {});
  const list = /[ |]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  return [list, ...formatConstraints(schema)].join(" ");
}

function formatObjectType(schema: JsonSchema): string {
  if (!schema.properties) return "object";
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties).map(
    ([name, field]) => `${name}${required.has(name) ? "" : "?"}: ${formatType(field)}`,
  );
  return `{ ${fields.join(", ")} }`;
}

/**
 * Formats the bounds of a type. The bounds that zod writes for every safe integer are left out, because they say
 * nothing.
 */
function formatConstraints(schema: JsonSchema): string[] {
  const formatBound = (sign: string, value: number | undefined, unit = "") =>
    value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER
      ? []
      : [`${sign} ${value}${unit}`];
  return [
    ...(schema.format
      ? [`(${schema.format})`]
      : schema.pattern
        ? [`matching ${schema.pattern}`]
        : []),
    ...formatBound(">=", schema.minimum),
    ...formatBound(">", schema.exclusiveMinimum),
    ...formatBound("<=", schema.maximum),
    ...formatBound("<", schema.exclusiveMaximum),
    ...formatBound(">=", schema.minLength, " characters"),
    ...formatBound("<=", schema.maxLength, " characters"),
    ...formatBound(">=", schema.minItems, " items"),
    ...formatBound("<=", schema.maxItems, " items"),
  ];
}
