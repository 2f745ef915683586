/**
 * Sweeps: one test over many cases. `npm test` and `npm run test:slow` run a tenth of them, drawn by a seed that changes
 * every day; `npm run test:all` runs every case. BOWLINE_SWEEP chooses: `whole`, or the seed of another draw.
 */
import { Rng } from "../../src/core/index.ts";

const DAY_MS = 86_400_000;
const setting = process.env["BOWLINE_SWEEP"] ?? String(Math.floor(Date.now() / DAY_MS));

/** True when every case of every sweep runs. */
export const isWhole = setting === "whole";

/** Draws a tenth of the cases (`share` says another part), at least one, in their order; all of them in a whole sweep. */
export function drawCases<T>(cases: readonly T[], share = 0.1): T[] {
  if (isWhole) return [...cases];
  console.log(`sweep: BOWLINE_SWEEP=${setting} draws these cases again, BOWLINE_SWEEP=whole all`);
  const count = Math.max(1, Math.ceil(cases.length * share));
  const drawn = new Set(new Rng(Number(setting)).shuffle(cases.map((_, i) => i)).slice(0, count));
  return cases.filter((_, i) => drawn.has(i));
}

/** On how many cases a property is tried: few, or many in a whole sweep. */
export function sweepSize<T>(few: T, many: T): T {
  return isWhole ? many : few;
}
