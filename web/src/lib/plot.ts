/** How the page's charts look, as options of uPlot: thin axes in the page's soft colour, no legend of its own. */
import type uPlot from "uplot";
import { formatCompact } from "./format.ts";
import { themed } from "./use-scheme.ts";

export interface PlotLook {
  readonly lines: readonly {
    readonly name: string;
    readonly colour: string;
    readonly width?: number;
    readonly dashed?: boolean;
  }[];
  readonly height: number;
  readonly logarithmic: boolean;
  readonly format: (value: number) => string;
  /** Ends of the y axis at the time of drawing; null: what the values need. */
  readonly ends: () => [number, number] | null;
  readonly onCursor: (at: number | null) => void;
}

export function plotOptions(box: HTMLElement, look: PlotLook): uPlot.Options {
  const soft = themed(box, "--soft");
  const grid = themed(box, "--line");
  const axis = {
    stroke: soft,
    font: `11px ${themed(box, "--sans")}`,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: 4 },
  };
  return {
    width: box.clientWidth,
    height: look.height,
    legend: { show: false },
    padding: [8, 18, 0, 0],
    cursor: { y: false, drag: { x: true, y: false }, points: { size: 7 } },
    scales: {
      // One step alone stands at the left of its axis.
      x: { time: false, range: (_, low, high) => (low === high ? [low, low + 1] : [low, high]) },
      y: look.logarithmic ? { distr: 3 } : { range: (_, low, high) => ends(look, low, high) },
    },
    axes: [
      {
        ...axis,
        size: 30,
        space: 56,
        incrs: WHOLE_STEPS,
        values: (_, ticks) => ticks.map(formatCompact),
      },
      {
        ...axis,
        size: 50,
        space: 34,
        ...(look.logarithmic && { grid: { ...axis.grid, filter: powersOfTen } }),
        values: (_, ticks) =>
          ticks.map((tick) => (tick === null ? "" : look.format(tick).replace(".0%", "%"))),
      },
    ],
    series: [{}, ...look.lines.map((line) => seriesOf(box, line))],
    hooks: { setCursor: [(plot) => look.onCursor(plot.cursor.idx ?? null)] },
  };
}

/** A line at each of the steps between them would be a hatching. */
function powersOfTen(_: uPlot, splits: number[]): (number | null)[] {
  return splits.map((value) =>
    Number.isInteger(Math.round(Math.log10(value) * 1e6) / 1e6) ? value : null,
  );
}

/** Steps and iterations are whole. */
const WHOLE_STEPS = [1, 2, 5]
  .flatMap((n) => Array.from({ length: 9 }, (_, i) => n * 10 ** i))
  .sort((a, b) => a - b);

function ends({ ends }: PlotLook, low: number, high: number): [number, number] {
  const given = ends();
  const [from, to] = given ?? [low ?? 0, high ?? 1];
  const room = (to - from) * (given ? 0.03 : 0.08) || Math.abs(to) * 0.1 || 0.1;
  // What is never negative has its floor at zero.
  return [from >= 0 && from - room < 0 ? 0 : from - room, to + room];
}

function seriesOf(
  box: HTMLElement,
  { name, colour, width = 2, dashed }: PlotLook["lines"][number],
): uPlot.Series {
  const stroke = themed(box, colour);
  return {
    label: name,
    stroke,
    width,
    spanGaps: true,
    ...(dashed && { dash: [5, 4] }),
    points: { show: (plot) => plot.data[0].length <= 30 && width >= 1.5, size: 5, fill: stroke },
  };
}
