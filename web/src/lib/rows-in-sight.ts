/**
 * The part of a long list that is worth drawing: what can be seen, and as much again on each side, so that a step of the
 * wheel never shows a blank. Rows have one height, so every place is a product and nothing has to be measured.
 */

export interface RowRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export interface ScrollBox {
  readonly count: number;
  readonly rowHeight: number;
  readonly top: number;
  readonly height: number;
}

/** Rows to draw: those in sight and `overscan` times the height of the box before and behind them, in whole steps. */
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

/** Where to scroll so that a row is in sight: as little as it takes, or undefined where it is in sight already. */
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
