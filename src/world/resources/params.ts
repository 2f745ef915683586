/** Parameters that many APIs have, each with the words that documentation has for it. */
import { z } from "zod";
import { pageParam } from "../api/page.ts";

/** Of a list whose caller chooses the size of its pages. */
export const paging = {
  page: pageParam,
  size: z.int().min(1).max(20).default(5).describe("items a page"),
};

/** Words to look for. */
export const query = z.string().min(1).max(100).describe("words to look for; case is ignored");

/** The id of a row. */
export function idOf(what: string) {
  return z.int().min(1).describe(`id of the ${what}`);
}

/** A short text on one line: a name, a title. */
export function line(what: string) {
  return z.string().trim().min(1).max(100).describe(what);
}

/** A longer text, as it is. */
export function prose(what: string) {
  return z.string().min(1).max(2000).describe(what);
}

/** A day of the calendar, ISO. */
export function day(what: string) {
  return z.iso.date().describe(`${what}, such as "2026-03-14"`);
}

/** A filter that is true or false: `either("only done ones, or only open ones")`. */
export function either(what: string) {
  return z.boolean().describe(what);
}
