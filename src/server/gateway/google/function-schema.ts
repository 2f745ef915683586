/**
 * Converts a schema in Google's form to JSON Schema. Google writes types in upper case, `nullable` instead of a type
 * `null`, and limits of lengths as texts. All else is the same, so what this file does not know stays as it is.
 */
import { type ExactJson, JsonNumber } from "../../../core/index.ts";

type Schema = Map<string, ExactJson>;

/** The limits that Google writes as texts, because they have 64 bits. */
const LIMITS = /^(?:min|max)(?:Items|Length|Properties)$/;
const SCHEMA_FIELDS = ["items", "additionalProperties", "not"];
const SCHEMA_LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];

export function toJsonSchema(schema: Schema): Schema {
  const isNullable = schema.get("nullable") === true;
  const entries = [...schema].flatMap(([key, value]): [string, ExactJson][] => {
    if (key === "nullable" || (key === "type" && value === "TYPE_UNSPECIFIED")) return [];
    if (key === "type" && typeof value === "string") {
      const type = value.toLowerCase();
      return [[key, isNullable ? [type, "null"] : type]];
    }
    return [[key, convertField(key, value)]];
  });
  return new Map(entries);
}

function convertField(key: string, value: ExactJson): ExactJson {
  if (LIMITS.test(key) && typeof value === "string" && /^\d+$/.test(value)) {
    return new JsonNumber(value.replace(/^0+(?=\d)/, ""));
  }
  if (key === "properties" && value instanceof Map) {
    return new Map([...value].map(([name, inner]) => [name, convertInner(inner)]));
  }
  if (SCHEMA_FIELDS.includes(key)) return convertInner(value);
  if (SCHEMA_LISTS.includes(key) && Array.isArray(value)) return value.map(convertInner);
  return value;
}

const convertInner = (value: ExactJson) => (value instanceof Map ? toJsonSchema(value) : value);
