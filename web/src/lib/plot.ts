/** Builds the options of uPlot for the page's charts: thin axes in a soft colour, and no legend. */
import type uPlot from "uplot";
import { formatCompact } from "./format.ts";
import { readThemeVariable } from "./use-scheme.ts";

export interface PlotSettings {
  readonly lines: readonly {
    readonly name: string;
    readonly colour: string;
    readonly width?: number;
    readonly dashed?: boolean;
  }[];
  readonly height: number;
  readonly logarithmic: boolean;
  readonly format: (value: number) => string;
  /** Returns the range of the y axis each time the chart is drawn, or null for a range that fits the values. */
  readonly yRange: () => [number, number] | null;
  readonly onCursor: (at: number | null) => void;
  /** Called when a part of the x axis is shown, and when the whole axis is shown again. */
  readonly onZoom: (isZoomed: boolean) => void;
  /** Charts with the same name for the x axis move their cursors together. */
  readonly xName: string;
}

export function buildPlotOptions(box: HTMLElement, settings: PlotSettings): uPlot.Options {
  const soft = readThemeVariable(box, "--soft");
  const grid = readThemeVariable(box, "--line");
  const axis = {
    stroke: soft,
    font: `11px ${readThemeVariable(box, "--sans")}`,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: 4 },
  };
  return {
    width: box.clientWidth,
    height: settings.height,
    legend: { show: false },
    padding: [8, 18, 0, 0],
    cursor: {
      y: false,
      drag: { x: true, y: false },
      points: { size: 7 },
      sync: { key: settings.xName, setSeries: false },
    },
    scales: {
      // A single step is drawn at the left end of the axis.
      x: { time: false, range: (_, low, high) => (low === high ? [low, low + 1] : [low, high]) },
      y: settings.logarithmic
        ? { distr: 3 }
        : { range: (_, low, high) => computeYRange(settings, low, high) },
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
        ...(settings.logarithmic && { grid: { ...axis.grid, filter: keepPowersOfTen } }),
        values: (_, ticks) =>
          ticks.map((tick) => (tick === null ? "" : settings.format(tick).replace(".0%", "%"))),
      },
    ],
    series: [{}, ...settings.lines.map((line) => buildSeries(box, line))],
    hooks: {
      setCursor: [(plot) => settings.onCursor(plot.cursor.idx ?? null)],
      setScale: [(plot, scale) => scale === "x" && settings.onZoom(isZoomed(plot))],
    },
  };
}

function isZoomed({ data: [x], scales }: uPlot): boolean {
  const { min, max } = scales["x"]!;
  if (x.length === 0 || min == null || max == null) return false;
  return min > x[0]! || max < x[x.length - 1]!;
}

/** Keeps only powers of ten as grid lines, because lines at all ticks would be too dense. */
function keepPowersOfTen(_: uPlot, splits: number[]): (number | null)[] {
  return splits.map((value) =>
    Number.isInteger(Math.round(Math.log10(value) * 1e6) / 1e6) ? value : null,
  );
}

/** The possible distances between ticks on an axis of steps or iterations, which are whole numbers. */
const WHOLE_STEPS = [1, 2, 5]
  .flatMap((n) => Array.from({ length: 9 }, (_, i) => n * 10 ** i))
  .sort((a, b) => a - b);

function computeYRange({ yRange }: PlotSettings, low: number, high: number): [number, number] {
  const given = yRange();
  const [from, to] = given ?? [low ?? 0, high ?? 1];
  const room = (to - from) * (given ? 0.03 : 0.08) || Math.abs(to) * 0.1 || 0.1;
  // An axis whose values are never negative starts at zero.
  return [from >= 0 && from - room < 0 ? 0 : from - room, to + room];
}

function buildSeries(
  box: HTMLElement,
  { name, colour, width = 2, dashed }: PlotSettings["lines"][number],
): uPlot.Series {
  const stroke = readThemeVariable(box, colour);
  return {
    label: name,
    stroke,
    width,
    spanGaps: true,
    ...(dashed && { dash: [5, 4] }),
    points: { show: (plot) => plot.data[0].length <= 30 && width >= 1.5, size: 5, fill: stroke },
  };
}
