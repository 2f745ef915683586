/**
 * Draws line charts as inline SVG. A chart shows one quantity, with a light grid, ticks at round numbers, and the last
 * value at the end of the line.
 *
 * The chart can be read without a script. The points are included as JSON, so that the page's script can show the value
 * under the pointer.
 */

import { formatCompact } from "./format.ts";
import { escapedJson, type Html, html, raw } from "./html.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Chart {
  readonly title: string;
  /** Explains the quantity in one sentence. */
  readonly caption: string;
  readonly xLabel: string;
  readonly points: readonly Point[];
  /** When true, the values are shares and are shown in percent. */
  readonly percent?: boolean;
  /** A range that the vertical axis must cover. */
  readonly range?: readonly [number, number];
  /** When true, the vertical axis is logarithmic, and values of zero are at its bottom. */
  readonly logarithmic?: boolean;
}

const WIDTH = 350;
const HEIGHT = 172;
const PLOT = { left: 56, right: 12, top: 12, bottom: 26 };
const MAX_POINTS = 400;

export function renderLineChart(chart: Chart): Html {
  const points = thinPoints(chart.points, MAX_POINTS);
  const formatValue = (value: number) =>
    chart.percent ? `${formatCompact(value * 100)}%` : formatCompact(value);
  const xs = createScale(
    points.map(({ x }) => x),
    [PLOT.left, WIDTH - PLOT.right],
  );
  const yTicks = chart.logarithmic
    ? logarithmicTicks(points.map(({ y }) => y))
    : niceTicks(
        points.map(({ y }) => y),
        chart.range,
      );
  const floor = yTicks[0]!;
  const toAxisValue = (value: number) =>
    chart.logarithmic ? Math.log10(Math.max(value, floor)) : value;
  const ys = createScale(yTicks.map(toAxisValue), [HEIGHT - PLOT.bottom, PLOT.top]);
  const pixels = points.map(
    (point) => [roundPixel(xs(point.x)), roundPixel(ys(toAxisValue(point.y)))] as const,
  );
  const path = pixels.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x} ${y}`).join("");
  const last = points.at(-1)!;
  const end = pixels.at(-1)!;
  const grid = yTicks.map((tick) => {
    const y = roundPixel(ys(toAxisValue(tick)));
    return `<line class="grid" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${y}" y2="${y}"/><text class="tick" x="${PLOT.left - 7}" y="${y + 3.5}" text-anchor="end">${formatValue(tick)}</text>`;
  });
  const xTicks = niceTicks(
    points.map(({ x }) => x),
    undefined,
    6,
  )
    .filter((tick) => Number.isInteger(tick) && tick >= points[0]!.x && tick <= last.x)
    .map(
      (tick) =>
        `<text class="tick" x="${roundPixel(xs(tick))}" y="${HEIGHT - 8}" text-anchor="middle">${formatCompact(tick)}</text>`,
    );
  const data = points.map((point, i) => [
    pixels[i]![0],
    pixels[i]![1],
    `${chart.xLabel} ${formatCompact(point.x)}`,
    formatValue(point.y),
  ]);
  return html`<figure class="chart">
<figcaption><b>${chart.title}</b><output>${formatValue(last.y)}</output><small>${chart.caption}</small></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${`${chart.title}: from ${formatValue(points[0]!.y)} to ${formatValue(last.y)}`}" data-points="${escapedJson(data)}">
${raw(grid.join(""))}${raw(xTicks.join(""))}
<text class="tick" x="${PLOT.left - 7}" y="${HEIGHT - 8}" text-anchor="end">${chart.xLabel}</text>
${points.length > 1 && raw(`<path class="line" d="${path}"/>`)}
${points.length <= 24 && raw(pixels.map(([x, y]) => `<circle class="dot" cx="${x}" cy="${y}" r="2.4"/>`).join(""))}
<circle class="end" cx="${end[0]}" cy="${end[1]}" r="4"/>
<g class="cursor" hidden><line y1="${PLOT.top}" y2="${HEIGHT - PLOT.bottom}"/><circle r="4.5"/></g>
</svg></figure>`;
}

/** Returns at most `limit` points. Each is the mean over a stretch of the curve; all stretches have equal length. */
export function thinPoints(points: readonly Point[], limit: number): Point[] {
  if (points.length <= limit) return [...points];
  return Array.from({ length: limit }, (_, i) => {
    const part = points.slice(
      Math.floor((i * points.length) / limit),
      Math.floor(((i + 1) * points.length) / limit),
    );
    const mean = (pick: (point: Point) => number) =>
      part.reduce((sum, point) => sum + pick(point), 0) / part.length;
    return { x: Math.round(mean(({ x }) => x)), y: mean(({ y }) => y) };
  });
}

/** Returns round numbers (1, 2 or 5 times a power of ten) that enclose all values and `range`. */
export function niceTicks(
  values: readonly number[],
  range: readonly [number, number] | undefined,
  target = 4,
): number[] {
  const low = Math.min(...values, range?.[0] ?? Infinity);
  const high = Math.max(...values, range?.[1] ?? -Infinity);
  const size = Math.max(Math.abs(low), Math.abs(high));
  const span = high - low > Math.max(size * 1e-9, 1e-12) ? high - low : size > 1e-12 ? size : 1;
  const rough = span / target;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999)!;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** Returns powers of ten that enclose all positive values. */
function logarithmicTicks(values: readonly number[]): number[] {
  const positive = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...positive, 1)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive, 1e-12))));
  return Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
}

/** Returns a function that maps the range of `values` onto [from, to]. */
function createScale(
  values: readonly number[],
  [from, to]: readonly [number, number],
): (value: number) => number {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return (value) =>
    high === low ? (from + to) / 2 : from + ((value - low) / (high - low)) * (to - from);
}

const roundPixel = (value: number) => Math.round(value * 10) / 10;
