/** Reads the query and the body of a request, with error messages that say what was expected. */
import type { z } from "zod";
import type { StudioCall } from "./http.ts";
import { StudioError } from "./studio-error.ts";

/** Reads a query parameter. Throws 400 unless it is a whole number from `min` to `max`. */
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

/** Whether the request has `?checks=1`, which shows the checks of test splits. */
export function requestsHiddenChecks({ query }: Pick<StudioCall, "query">): boolean {
  return query.get("checks") === "1";
}

/** Parses the body with `schema`. Throws 400 and names the wrong field. */
export async function parseBody<T>(call: StudioCall, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await call.json());
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new StudioError(400, `${path.length > 0 ? path.join(".") : "the body"}: ${message}`);
}

/** A part of a list: at most `limit` items from `offset`. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

const MAX_PAGE_LIMIT = 1000;

/** Reads `offset` and `limit` of a page. Throws 400 if one is not a whole number in range. */
export function readPage(query: URLSearchParams): Page {
  return {
    offset: readCount(query, "offset", 0, Number.MAX_SAFE_INTEGER),
    limit: readCount(query, "limit", 200, MAX_PAGE_LIMIT),
  };
}

function readCount(
  query: URLSearchParams,
  name: string,
  defaultValue: number,
  max: number,
): number {
  const text = query.get(name);
  if (text === null) return defaultValue;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (value >= 0 && value <= max) return value;
  throw new StudioError(400, `${name}: expected a whole number from 0 to ${max}`);
}
