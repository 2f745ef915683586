/**
 * Values for clauses, chosen so that a few of the rows hold and the others do not: a bound lies between two values that
 * differ, and where money allows, on a whole dollar.
 */
import type { Rng } from "../../core/index.ts";

/** Fewer would be a single thing, more would be too many to act on. */
const FEWEST = 2;
const MOST = 8;

/** How many of `size` shall hold. */
function chooseCount(rng: Rng, size: number): number | undefined {
  const most = Math.min(MOST, size - 1);
  return most < FEWEST ? (most === 1 ? 1 : undefined) : rng.integer(FEWEST, most);
}

/** A bound that few of the values do not exceed. */
export function drawUpperBound<T extends number | string>(
  rng: Rng,
  values: readonly T[],
): T | undefined {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const count = chooseCount(rng, sorted.length);
  const edge = count === undefined ? undefined : sorted[count - 1];
  return edge !== undefined && edge < sorted.at(-1)! ? edge : undefined;
}

/** A bound that few of the values reach. */
export function drawLowerBound<T extends number | string>(
  rng: Rng,
  values: readonly T[],
): T | undefined {
  const sorted = values.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  const count = chooseCount(rng, sorted.length);
  const edge = count === undefined ? undefined : sorted[count - 1];
  return edge !== undefined && edge > sorted.at(-1)! ? edge : undefined;
}

/** The same for cents, on a whole dollar where none lies between. */
export function drawUpperBoundCents(rng: Rng, values: readonly number[]): number | undefined {
  const edge = drawUpperBound(rng, values);
  if (edge === undefined) return undefined;
  const round = 100 * Math.ceil(edge / 100);
  return values.some((value) => value > edge && value <= round) ? edge : round;
}

/** A bound in cents that few of the values reach. */
export function drawLowerBoundCents(rng: Rng, values: readonly number[]): number | undefined {
  const edge = drawLowerBound(rng, values);
  if (edge === undefined) return undefined;
  const round = 100 * Math.floor(edge / 100);
  return values.some((value) => value < edge && value >= round) ? edge : round;
}

/** One of the values that some but not all have; rather one that few have. */
export function drawSelectiveValue<T extends string | number>(
  rng: Rng,
  values: readonly T[],
): T | undefined {
  const sizes = new Map<T, number>();
  for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  const some = [...sizes].filter(([, size]) => size < values.length);
  const few = some.filter(([, size]) => size <= MOST);
  const pool = few.length > 0 && rng.chance(0.8) ? few : some;
  return pool.length > 0 ? rng.pick(pool)[0] : undefined;
}
