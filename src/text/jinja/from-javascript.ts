/** Turns the variables of a rendering into values of templates. */
import { JsonNumber } from "../../core/index.ts";
import { Dict, type Value } from "./python/values.ts";

/**
 * Turns plain data into a value. A number of JavaScript is an int if it is whole; a `JsonNumber` is what Python's
 * `json` reads from its source. Maps and objects become dicts; fields whose value is undefined are left out.
 */
export function fromJavaScript(value: unknown): Value {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (value instanceof JsonNumber) return readNumber(value.source);
  if (Array.isArray(value)) return value.map(fromJavaScript);
  if (typeof value === "object") {
    const entries = value instanceof Map ? [...value] : Object.entries(value);
    return new Dict(
      entries
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [key as string, fromJavaScript(item)] as const),
    );
  }
  throw new Error(`a template cannot be given a ${typeof value}`);
}

function readNumber(source: string): Value {
  return /[.eE]/.test(source) ? Number(source) : BigInt(source);
}
