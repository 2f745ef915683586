/** Parameters that many APIs have, each with its text for the documentation. */
import { z } from "zod";
import { pageParam } from "../api/page.ts";

/** The parameters of a list whose callers choose the size of its pages. */
export const pagingParams = {
  page: pageParam,
  size: z.int().min(1).max(20).default(5).describe("items a page"),
};

/** A parameter for words to search for. */
export const queryParam = z.string().min(1).max(100).describe("words to look for; case is ignored");

/** A parameter for the id of a row. */
export function idParam(what: string) {
  return z.int().min(1).describe(`id of the ${what}`);
}

/** A parameter for a short text on one line, such as a name or a title. */
export function shortTextParam(what: string) {
  return z.string().trim().min(1).max(100).describe(what);
}

/** A parameter for a longer text, which is stored unchanged. */
export function longTextParam(what: string) {
  return z.string().min(1).max(2000).describe(what);
}

/** A parameter for a day of the calendar in ISO form. */
export function dayParam(what: string) {
  return z.iso.date().describe(`${what}, such as "2026-03-14"`);
}

/** A parameter for true or false, such as a filter: `booleanParam("only done ones, or only open ones")`. */
export function booleanParam(what: string) {
  return z.boolean().describe(what);
}
