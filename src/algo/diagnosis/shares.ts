/**
 * Shares of rollouts with the interval that chance leaves them. A diagnosis speaks only where the whole interval does.
 */
import { groupBy } from "../../core/index.ts";
import { clusteredInterval } from "../intervals.ts";

/** A share of `of` units, and its 95% interval. Without units, the interval is [0, 1]. */
export interface Share {
  readonly count: number;
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the share of items that match. Items of the same task tend to behave alike, so tasks are the clusters of the
 * interval.
 */
export function shareOf<T extends { readonly task: string }>(
  items: readonly T[],
  matches: (item: T) => boolean,
): Share {
  const clusters = [...groupBy(items, ({ task }) => task).values()].map((group) => ({
    passed: group.filter(matches).length,
    of: group.length,
  }));
  const [low, high] = clusteredInterval(clusters);
  const count = clusters.reduce((sum, { passed }) => sum + passed, 0);
  return { count, of: items.length, low, high };
}

/**
 * "Most": what explains the failures of a run must show in more than half of its rollouts. The threshold itself is not
 * tuned; the interval around the share decides.
 */
export const MOST = 0.5;

/** "Some": what a healthy policy does now and then, by chance or while it explores, stays below one in twenty. */
export const SOME = 0.05;

/** "Always": an event without exception that is this frequent with 95% confidence, so not seen by chance in a few units. */
export const ALMOST_ALWAYS = 1 - 2 * SOME;

/**
 * The number of independent units without any event after which the event has, with 95% confidence, a probability
 * below `SOME`: log(0.05) / log(1 - SOME), rounded up.
 */
export const ENOUGH_UNITS = Math.ceil(Math.log(0.05) / Math.log(1 - SOME));

/** Returns whether an event is frequent: its share is above `threshold` with 95% confidence. */
export const isAbove = (share: Share, threshold: number): boolean =>
  share.of > 0 && share.low > threshold;

/** Writes a share, such as "81% (155 of 192)". */
export function formatShare({ count, of }: Pick<Share, "count" | "of">): string {
  if (of === 0) return "none of 0";
  const percent = (100 * count) / of;
  const digits = percent > 0 && percent < 1 ? 1 : 0;
  return `${percent.toFixed(digits)}% (${count} of ${of})`;
}
