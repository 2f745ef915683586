/** Numbers with bounds, and numbers that follow a schedule over iterations. */
import { z } from "zod";

export const integer = (low: number, high: number) => z.number().int().min(low).max(high);
export const number = (low: number, high: number) => z.number().min(low).max(high);
export const share = () => number(0, 1);

export const SCHEDULE =
  'or a schedule of it as JSON: {"shape":"linear","from":1,"to":0,"over":100}, "cosine" likewise, or {"shape":"steps","values":[1,2],"every":10}';

/** A number, or how it moves over iterations: `valueAt` of `src/algo/schedule.ts`. */
export function scheduled(low: number, high: number) {
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
