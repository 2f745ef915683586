/** Parameters that many APIs have, each with the words that documentation has for it. */
import { z } from "zod";
import { pageParam } from "../api/page.ts";

/** Of a list whose caller chooses the size of its pages. */
export const pagingParams = {
  page: pageParam,
  size: z.int().min(1).max(20).default(5).describe("items a page"),
};

/** Words to look for. */
export const queryParam = z.string().min(1).max(100).describe("words to look for; case is ignored");

/** The id of a row. */
export function idParam(what: string) {
  return z.int().min(1).describe(`id of the ${what}`);
}

/** A short text on one line: a name, a title. */
export function shortTextParam(what: string) {
  return z.string().trim().min(1).max(100).describe(what);
}

/** A longer text, as it is. */
export function longTextParam(what: string) {
  return z.string().min(1).max(2000).describe(what);
}

/** A day of the calendar, ISO. */
export function dayParam(what: string) {
  return z.iso.date().describe(`${what}, such as "2026-03-14"`);
}

/** A filter that is true or false: `either("only done ones, or only open ones")`. */
export function booleanParam(what: string) {
  return z.boolean().describe(what);
}
