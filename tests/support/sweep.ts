/**
 * A sweep is one test over many cases. `npm test` and `npm run test:slow` run a tenth of the cases, drawn with a seed
 * that changes every day. `npm run test:all` runs all of them. The environment variable BOWLINE_SWEEP is `whole` for
 * all cases, or another seed.
 */
import { Rng } from "../../src/core/index.ts";

const DAY_MS = 86_400_000;
const setting = process.env["BOWLINE_SWEEP"] ?? String(Math.floor(Date.now() / DAY_MS));

/** Whether every case of every sweep runs. */
export const isWhole = setting === "whole";

/** Draws `share` of the cases and at least one, in their order. A whole sweep returns all of them. */
export function drawCases<T>(cases: readonly T[], share = 0.1): T[] {
  if (isWhole) return [...cases];
  console.log(`sweep: BOWLINE_SWEEP=${setting} draws these cases again; whole runs all cases`);
  const count = Math.max(1, Math.ceil(cases.length * share));
  const drawn = new Set(new Rng(Number(setting)).shuffle(cases.map((_, i) => i)).slice(0, count));
  return cases.filter((_, i) => drawn.has(i));
}

/** Returns the number of cases for a property: `few`, or `many` in a whole sweep. */
export function sweepSize<T>(few: T, many: T): T {
  return isWhole ? many : few;
}
