/**
 * The grid of groups, drawn on a canvas that is as large as its visible part.
 *
 * For the keyboard and screen readers it is a list box with one option, the selected cell: arrow keys move the
 * selection and Enter opens its group. The description of the cell is also below the grid, with a link.
 */
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import type { Grid } from "../../../src/spec/studio/index.ts";
import { buildAddress, navigateTo } from "../lib/address.ts";
import { drawGrid } from "../lib/draw-grid.ts";
import {
  computeGridLayout,
  describeGroup,
  findCell,
  findCellOrigin,
  type GridPosition,
  moveByKey,
} from "../lib/grid-layout.ts";
import { escapeInvisible } from "../lib/invisible-characters.ts";
import { useColourScheme } from "../lib/use-scheme.ts";
import { RecordedText } from "./recorded-text.tsx";

export function GridCanvas({ run, grid }: { readonly run: string; readonly grid: Grid }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [held, hold] = useState<GridPosition>({ row: 0, column: 0 });
  const [pointed, point] = useState<GridPosition>();
  const scheme = useColourScheme();
  const counts = useMemo(() => grid.iterations.map(({ groups }) => groups.length), [grid]);
  const layout = useMemo(() => computeGridLayout(counts, width), [counts, width]);
  useEffect(() => {
    const sized = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 0));
    sized.observe(box.current!);
    return () => sized.disconnect();
  }, []);
  const draw = () => {
    const { scrollTop: top, clientHeight } = box.current!;
    const height = Math.min(clientHeight, layout.height);
    drawGrid(canvas.current!, grid, layout, { width, top, height });
  };
  useEffect(draw, [grid, layout, scheme, width]);

  const cellAtPointer = (event: MouseEvent) => {
    const { left, top } = canvas.current!.getBoundingClientRect();
    const y = event.clientY - top + box.current!.scrollTop;
    return findCell(layout, counts, event.clientX - left, y);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return navigateTo(cellHref(run, grid, held));
    }
    const next = moveByKey(layout, counts, held, event.key);
    if (!next) return;
    event.preventDefault();
    hold(next);
    point(undefined);
    scrollIntoSight(box.current!, findCellOrigin(layout, next).y, layout.step);
  };
  const shown = pointed ?? held;
  const spot = findCellOrigin(layout, held);
  return (
    <>
      <div
        ref={box}
        class="grid-box"
        role="listbox"
        tabIndex={0}
        aria-label="Groups by iteration"
        aria-activedescendant={id}
        onScroll={draw}
        onKeyDown={onKey}
        onMouseMove={(event) => {
          const place = cellAtPointer(event);
          point(place);
          box.current!.title = place ? escapeInvisible(cellTitle(grid, place)) : "";
        }}
        onMouseLeave={() => point(undefined)}
        onClick={(event) => {
          const place = cellAtPointer(event);
          if (place) navigateTo(cellHref(run, grid, place));
        }}
      >
        <div class="grid-all" style={{ height: `${layout.height}px` }}>
          <canvas ref={canvas} class="grid-canvas" />
          <div
            id={id}
            class="grid-held"
            role="option"
            tabIndex={-1}
            aria-selected="true"
            aria-label={escapeInvisible(cellTitle(grid, held))}
            style={{
              left: `${spot.x - 2}px`,
              top: `${spot.y - 2}px`,
              width: `${layout.side + 4}px`,
              height: `${layout.side + 4}px`,
            }}
          />
        </div>
      </div>
      <p class="grid-readout">
        <RecordedText text={cellTitle(grid, shown)} />{" "}
        <a href={cellHref(run, grid, shown)}>open the group</a>
      </p>
    </>
  );
}

function cellTitle(grid: Grid, { row, column }: GridPosition): string {
  const { iteration, groups } = grid.iterations[row]!;
  const group = groups[column];
  if (!group) return `iteration ${iteration}`;
  return `Iteration ${iteration}, group ${column + 1} of ${groups.length}: ${group.task}, ${describeGroup(group)}`;
}

function cellHref(run: string, grid: Grid, { row, column }: GridPosition): string {
  const { file, groups } = grid.iterations[row]!;
  const task = groups[column]?.task;
  const path = ["runs", run, "files", file];
  return buildAddress(task === undefined ? path : [...path, "groups", task]);
}

function scrollIntoSight(box: HTMLElement, y: number, room: number): void {
  if (y < box.scrollTop) box.scrollTop = y;
  const under = y + room - box.clientHeight;
  if (under > box.scrollTop) box.scrollTop = under;
}
