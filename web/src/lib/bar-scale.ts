/**
 * Places bars whose lengths are proportional to their values. All bars of a scale begin at zero: a positive value
 * reaches to the right, a negative one to the left. The scale ends at zero and at the values farthest from it.
 */

/** Where a bar begins and how long it is, as shares of the width of the scale. */
export interface Bar {
  readonly left: number;
  readonly width: number;
}

/** Returns the bars of values on one scale. Values that are not finite have a bar without length. */
export function placeBars(values: readonly number[]): Bar[] {
  const finite = values.map((value) => (Number.isFinite(value) ? value : 0));
  const low = Math.min(0, ...finite);
  const span = Math.max(0, ...finite) - low || 1;
  return finite.map((value) => ({
    left: (Math.min(0, value) - low) / span,
    width: Math.abs(value) / span,
  }));
}

/** Returns the CSS that draws a bar in a box that is as wide as the scale. */
export function barStyle({ left, width }: Bar): string {
  const toPercent = (share: number) => `${Number((100 * share).toFixed(2))}%`;
  return `left:${toPercent(left)};width:${toPercent(width)}`;
}
