/**
 * Values that handlers return cross into the sandbox as JSON. A value that JSON would change without a word, such as a
 * Date, a Map or NaN, is a mistake of the handler and is refused with its path.
 */
import { z } from "zod";
import { formatValue } from "../../core/index.ts";
import { WrongReturnValue } from "./fault.ts";
import type { JsonSchema } from "./types.ts";

/** Returns true if every value that fits the type has a JSON form. Types such as `z.date()` and `z.any()` do not. */
export function describesOnlyJson(type: z.ZodType): boolean {
  try {
    return isClosedSchema(z.toJSONSchema(type, { io: "output" }) as JsonSchema);
  } catch {
    return false;
  }
}

/** Returns true if no part of a JSON Schema admits arbitrary values. */
function isClosedSchema(schema: JsonSchema): boolean {
  const { type, items, anyOf, properties = {}, additionalProperties } = schema;
  if (schema.const !== undefined || schema.enum) return true;
  if (anyOf) return anyOf.every(isClosedSchema);
  if (type === "array") return items !== undefined && isClosedSchema(items);
  if (type !== "object") return type !== undefined;
  const others = additionalProperties === undefined || additionalProperties === true;
  const hasOtherFields = others || (additionalProperties && !isClosedSchema(additionalProperties));
  return !hasOtherFields && Object.values(properties).every(isClosedSchema);
}

/** Throws a `WrongReturnValue`, which names the path, unless the value is the same after a way through JSON. */
export function requireJsonValue(
  value: unknown,
  path: readonly PropertyKey[] = [],
  parents: readonly object[] = [],
): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (typeof value !== "object" || !(Array.isArray(value) || isPlainObject(value)))
    throw new WrongReturnValue(path, `${EXPECTED}, got ${formatValue(value)}`);
  if (parents.includes(value))
    throw new WrongReturnValue(path, `${EXPECTED}, got an object that contains itself`);
  for (const [key, inner] of Object.entries(value)) {
    // A field without a value is left out of the JSON, as TypeScript expects of an optional field.
    if (inner === undefined && !Array.isArray(value)) continue;
    requireJsonValue(inner, [...path, key], [...parents, value]);
  }
}

const EXPECTED = "expected a value that JSON has";

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
