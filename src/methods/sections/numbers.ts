/** Configuration fields for numbers with bounds, and for numbers that follow a schedule over iterations. */
import { z } from "zod";

/** Returns a field for an integer from `low` to `high`. */
export const integer = (low: number, high: number) => z.number().int().min(low).max(high);
/** Returns a field for a number from `low` to `high`. */
export const number = (low: number, high: number) => z.number().min(low).max(high);
/** Returns a field for a number from 0 to 1. */
export const share = () => number(0, 1);

/** The help text for the values of a scheduled number. */
export const SCHEDULE =
  'or a schedule of it as JSON: {"shape":"linear","from":1,"to":0,"over":100}, the same with "cosine", or {"shape":"steps","values":[1,2],"every":10}';

/**
 * Returns a field for a number, or for a schedule of the number over iterations (`scheduledValue` in
 * `src/algo/schedule.ts`).
 */
export function scheduledNumber(low: number, high: number) {
  const value = number(low, high);
  const line = z.strictObject({
    shape: z.enum(["linear", "cosine"]),
    from: value,
    to: value,
    over: integer(1, 1_000_000),
  });
  const steps = z.strictObject({
    shape: z.literal("steps"),
    values: z.array(value).min(1).max(1000),
    every: integer(1, 1_000_000),
  });
  return z.union([value, line, steps]);
}
