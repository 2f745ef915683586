/** Pagination of the kit's own lists: `{ items, more }`, with pages counted from 1. */
import { z } from "zod";

/** The parameter `page` of a paginated list, counted from 1. */
export const pageParam = z.int().min(1).default(1).describe("which page, from 1");

/** One page of a list. The caller may change the array `items`. */
export interface Page<T> {
  readonly items: T[];
  /** True when a later page has items. */
  readonly more: boolean;
}

/** Returns one page of a list; pages are counted from 1. A page after the last one is empty. */
export function takePage<T>(items: readonly T[], page: number, size: number): Page<T> {
  return { items: items.slice((page - 1) * size, page * size), more: items.length > page * size };
}

/** Returns the schema of the result of a paginated list. */
export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), more: z.boolean() });
}
