/**
 * Computes which rows of a long list to draw: those in sight and as many on each side of them, so that scrolling shows
 * no gaps. All rows have the same height, so nothing has to be measured.
 */

export interface RowRange {
  readonly from: number;
  /** The end of the range, exclusive. */
  readonly to: number;
}

export interface ScrollBox {
  readonly count: number;
  readonly rowHeight: number;
  readonly top: number;
  readonly height: number;
}

/** Returns the rows in sight and `overscan` times as many before and after them, rounded to whole steps. */
export function findRowsToDraw(
  { count, rowHeight, top, height }: ScrollBox,
  overscan = 1,
): RowRange {
  const inSight = Math.max(1, Math.ceil(height / rowHeight));
  const step = Math.max(1, Math.floor(inSight / 2));
  const first = Math.floor(Math.max(0, top) / rowHeight / step) * step;
  const around = Math.ceil(inSight * overscan);
  const from = clamp(first - around, 0, Math.max(0, count - inSight));
  return { from, to: clamp(first + step + inSight + around, 0, count) };
}

/** Returns the nearest scroll position at which a row is in sight; undefined if it already is. */
export function findScrollTop(row: number, box: ScrollBox, margin = 0): number | undefined {
  const start = row * box.rowHeight;
  const end = start + box.rowHeight;
  const slack = Math.min(margin, Math.max(0, (box.height - box.rowHeight) / 2));
  const lowest = Math.max(0, box.count * box.rowHeight - box.height);
  if (start < box.top + slack && box.top > 0) return clamp(start - slack, 0, lowest);
  if (end > box.top + box.height - slack && box.top < lowest)
    return clamp(end + slack - box.height, 0, lowest);
  return undefined;
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), Math.max(min, max));
}
