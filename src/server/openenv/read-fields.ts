/** Reads JSON of clients through the format tables. */
import type { z } from "zod";
import type { ComputedFields } from "../../core/index.ts";
import { errorMessage, type FieldRule, type FormatTable, formatSchema } from "../../core/index.ts";
import { HttpRefusal, readJsonText } from "../http/index.ts";
import { OpenEnvError } from "./openenv-error.ts";

/** Returns the value of a JSON text. Throws `INVALID_JSON`, also for brackets that are nested too deep. */
export function parseJsonText(text: string | Uint8Array): unknown {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  try {
    return JSON.parse(readJsonText(bytes));
  } catch (error) {
    const message =
      error instanceof HttpRefusal ? error.message : `Invalid JSON: ${errorMessage(error)}`;
    throw new OpenEnvError("INVALID_JSON", message);
  }
}

/** One schema for each table, because reading builds it. */
const schemas = new WeakMap<FormatTable, z.ZodType>();

/** Returns the computed fields of an object. Throws `VALIDATION_ERROR` with one entry for each wrong field. */
export function readFields<F extends Readonly<Record<string, FieldRule>>>(
  table: FormatTable<F>,
  value: unknown,
): ComputedFields<F> {
  const schema = schemas.get(table) ?? formatSchema(table);
  schemas.set(table, schema);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data as ComputedFields<F>;
  const errors = parsed.error.issues.map(({ code, path, message }) => ({
    type: code,
    loc: path.map((part) => (typeof part === "symbol" ? String(part) : part)),
    msg: message,
  }));
  throw new OpenEnvError("VALIDATION_ERROR", `${table.name}: ${errorMessage(parsed.error)}`, {
    errors,
  });
}
