/**
 * Draws values for clauses, so that a clause is true of a few rows and false of the others. A bound lies between two
 * different values. For money it is a whole dollar, if possible.
 */
import type { Rng } from "../../core/index.ts";

/**
 * The smallest number of rows that a clause may select. A single row would be one thing; the largest number keeps sets
 * small enough to act on.
 */
const MIN_SELECTED = 2;
const MAX_SELECTED = 8;

/** Draws how many of `size` rows the clause is to select; undefined when there are too few rows. */
function chooseCount(rng: Rng, size: number): number | undefined {
  const most = Math.min(MAX_SELECTED, size - 1);
  return most < MIN_SELECTED ? (most === 1 ? 1 : undefined) : rng.integer(MIN_SELECTED, most);
}

/** Draws an upper bound that only a few of the values do not exceed. */
export function drawUpperBound<T extends number | string>(
  rng: Rng,
  values: readonly T[],
): T | undefined {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const count = chooseCount(rng, sorted.length);
  const edge = count === undefined ? undefined : sorted[count - 1];
  return edge !== undefined && edge < sorted.at(-1)! ? edge : undefined;
}

/** Draws a lower bound that only a few of the values reach. */
export function drawLowerBound<T extends number | string>(
  rng: Rng,
  values: readonly T[],
): T | undefined {
  const sorted = values.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  const count = chooseCount(rng, sorted.length);
  const edge = count === undefined ? undefined : sorted[count - 1];
  return edge !== undefined && edge > sorted.at(-1)! ? edge : undefined;
}

/**
 * Draws an upper bound in cents that only a few of the values do not exceed. It is rounded up to a dollar if that
 * selects the same rows.
 */
export function drawUpperBoundCents(rng: Rng, values: readonly number[]): number | undefined {
  const edge = drawUpperBound(rng, values);
  if (edge === undefined) return undefined;
  const round = 100 * Math.ceil(edge / 100);
  return values.some((value) => value > edge && value <= round) ? edge : round;
}

/**
 * Draws a lower bound in cents that only a few of the values reach. It is rounded down to a dollar if that selects the
 * same rows.
 */
export function drawLowerBoundCents(rng: Rng, values: readonly number[]): number | undefined {
  const edge = drawLowerBound(rng, values);
  if (edge === undefined) return undefined;
  const round = 100 * Math.floor(edge / 100);
  return values.some((value) => value < edge && value >= round) ? edge : round;
}

/** Draws a value that some but not all of the rows have. Values that few rows have are preferred. */
export function drawSelectiveValue<T extends string | number>(
  rng: Rng,
  values: readonly T[],
): T | undefined {
  const sizes = new Map<T, number>();
  for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  const some = [...sizes].filter(([, size]) => size < values.length);
  const few = some.filter(([, size]) => size <= MAX_SELECTED);
  const pool = few.length > 0 && rng.chance(0.8) ? few : some;
  return pool.length > 0 ? rng.pick(pool)[0] : undefined;
}
