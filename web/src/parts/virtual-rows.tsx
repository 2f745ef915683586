/**
 * A long list of rows of equal height. Only the rows in sight and near it are drawn. The row with the focus is always
 * drawn, so that scrolling never loses the focus.
 */
import type { ComponentChildren, Ref, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { clamp, findRowsToDraw, findScrollTop } from "../lib/rows-in-sight.ts";
import "../style/virtual-rows.css";

export interface VirtualRowsProps {
  readonly label: string;
  readonly count: number;
  readonly rowHeight: number;
  /** The row with the focus. */
  readonly pinned: number;
  /** Renders a row at its position. */
  readonly row: (index: number, place: { readonly top: number }) => VNode;
  /** A head above the rows, which does not scroll. */
  readonly head?: ComponentChildren;
  readonly headHeight?: number;
  readonly columns?: number;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onClick: (event: MouseEvent) => void;
  readonly box: Ref<HTMLDivElement> & { readonly current: HTMLDivElement | null };
}

/** The assumed height of the box in pixels until it is measured. */
const GUESSED_HEIGHT = 400;

export function VirtualRows(props: VirtualRowsProps) {
  const { count, rowHeight, pinned, row, head, headHeight = 0, box } = props;
  const [seen, setSeen] = useState({ top: 0, height: GUESSED_HEIGHT });
  const measure = () => {
    const { scrollTop: top, clientHeight: height } = box.current!;
    setSeen((before) =>
      before.top === top && before.height === height ? before : { top, height },
    );
  };
  const latest = useRef(measure);
  latest.current = measure;
  const isEmpty = count === 0;
  useLayoutEffect(() => {
    if (isEmpty) return;
    latest.current();
    const sizes = new ResizeObserver(() => latest.current());
    sizes.observe(box.current!);
    return () => sizes.disconnect();
  }, [box, isEmpty]);
  const isOpen = useDelayed(!isEmpty);
  const { from, to } = findRowsToDraw({ count, rowHeight, ...seen }, isOpen ? 1 : 0);
  const drawn: VNode[] = [];
  const at = clamp(pinned, 0, count - 1);
  const drawRow = (i: number) => drawn.push(row(i, { top: i * rowHeight }));
  if (count > 0 && at < from) drawRow(at);
  for (let i = from; i < to; i++) drawRow(i);
  if (count > 0 && at >= to) drawRow(at);
  return (
    <div
      ref={box}
      class="virtual"
      role="grid"
      aria-label={props.label}
      aria-rowcount={head === undefined ? count : count + 1}
      aria-colcount={props.columns ?? -1}
      onScroll={measure}
      onKeyDown={props.onKeyDown}
      onClick={props.onClick}
    >
      {head}
      <div
        class="virtual-rows"
        role="presentation"
        style={{ height: count * rowHeight, marginTop: headHeight > 0 ? 0 : undefined }}
      >
        {drawn}
      </div>
    </div>
  );
}

/** Becomes true shortly after the first rows were drawn. Rows out of sight are drawn only then. */
function useDelayed(isStarted: boolean): boolean {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    if (!isStarted) return;
    const later = setTimeout(() => setOpened(true), 60);
    return () => clearTimeout(later);
  }, [isStarted]);
  return opened;
}

/** Scrolls a box as little as possible so that a row is in sight. */
export function scrollToRow(
  element: HTMLElement | null,
  row: number,
  {
    count,
    rowHeight,
    headHeight = 0,
  }: Pick<VirtualRowsProps, "count" | "rowHeight" | "headHeight">,
): void {
  if (!element) return;
  const height = element.clientHeight - headHeight;
  const to = findScrollTop(
    row,
    { count, rowHeight, top: element.scrollTop, height },
    rowHeight * 2,
  );
  if (to !== undefined) element.scrollTop = to;
}
