/** What a request brings along, read with sentences for what is wrong. */
import type { z } from "zod";
import type { StudioCall } from "./http.ts";
import { StudioError } from "./studio-error.ts";

/** Throws 400 for what is no whole number in these bounds. */
export function readWholeNumber(
  { query }: Pick<StudioCall, "query">,
  name: string,
  { defaultValue, min = 0, max }: { defaultValue: number; min?: number; max: number },
): number {
  const text = query.get(name);
  if (text === null) return defaultValue;
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new StudioError(
    400,
    `${name}: expected a whole number from ${min} to ${max}, got ${JSON.stringify(text)}`,
  );
}

/** `?checks=1`: also what is hidden of test splits. */
export function requestsHiddenChecks({ query }: Pick<StudioCall, "query">): boolean {
  return query.get("checks") === "1";
}

/** The body as `schema` reads it; throws 400 that names the field. */
export async function parseBody<T>(call: StudioCall, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await call.json());
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new StudioError(400, `${path.length > 0 ? path.join(".") : "the body"}: ${message}`);
}
