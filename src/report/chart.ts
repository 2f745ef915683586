/**
 * Line charts as inline SVG: one quantity a chart, light grid, ticks at round numbers, the last value at its end.
 *
 * The drawing is complete without a script; the points ride along as JSON so that the page's script can show the
 * value under the pointer.
 */

import { type Html, html, json, raw } from "./html.ts";
import { compact } from "./words.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Chart {
  readonly title: string;
  /** What the quantity says, in one sentence. */
  readonly caption: string;
  readonly xLabel: string;
  readonly points: readonly Point[];
  /** Values are shares, shown in percent. */
  readonly percent?: boolean;
  /** The vertical axis reaches at least over this range. */
  readonly range?: readonly [number, number];
  /** Vertical axis in powers of ten; values of zero sit at its foot. */
  readonly logarithmic?: boolean;
}

const WIDTH = 350;
const HEIGHT = 172;
const PLOT = { left: 56, right: 12, top: 12, bottom: 26 };
const MAX_POINTS = 400;

export function lineChart(chart: Chart): Html {
  const points = thin(chart.points, MAX_POINTS);
  const show = (value: number) => (chart.percent ? `${compact(value * 100)}%` : compact(value));
  const xs = scaleOver(
    points.map(({ x }) => x),
    [PLOT.left, WIDTH - PLOT.right],
  );
  const yTicks = chart.logarithmic
    ? logTicks(points.map(({ y }) => y))
    : niceTicks(
        points.map(({ y }) => y),
        chart.range,
      );
  const floor = yTicks[0]!;
  const yOf = (value: number) => (chart.logarithmic ? Math.log10(Math.max(value, floor)) : value);
  const ys = scaleOver(yTicks.map(yOf), [HEIGHT - PLOT.bottom, PLOT.top]);
  const at = points.map((point) => [round(xs(point.x)), round(ys(yOf(point.y)))] as const);
  const path = at.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x} ${y}`).join("");
  const last = points.at(-1)!;
  const end = at.at(-1)!;
  const grid = yTicks.map((tick) => {
    const y = round(ys(yOf(tick)));
    return `<line class="grid" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${y}" y2="${y}"/><text class="tick" x="${PLOT.left - 7}" y="${y + 3.5}" text-anchor="end">${show(tick)}</text>`;
  });
  const xTicks = niceTicks(
    points.map(({ x }) => x),
    undefined,
    6,
  )
    .filter((tick) => Number.isInteger(tick) && tick >= points[0]!.x && tick <= last.x)
    .map(
      (tick) =>
        `<text class="tick" x="${round(xs(tick))}" y="${HEIGHT - 8}" text-anchor="middle">${compact(tick)}</text>`,
    );
  const data = points.map((point, i) => [
    at[i]![0],
    at[i]![1],
    `${chart.xLabel} ${compact(point.x)}`,
    show(point.y),
  ]);
  return html`<figure class="chart">
<figcaption><b>${chart.title}</b><output>${show(last.y)}</output><small>${chart.caption}</small></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${`${chart.title}: from ${show(points[0]!.y)} to ${show(last.y)}`}" data-points="${json(data)}">
${raw(grid.join(""))}${raw(xTicks.join(""))}
<text class="tick" x="${PLOT.left - 7}" y="${HEIGHT - 8}" text-anchor="end">${chart.xLabel}</text>
${points.length > 1 && raw(`<path class="line" d="${path}"/>`)}
${points.length <= 24 && raw(at.map(([x, y]) => `<circle class="dot" cx="${x}" cy="${y}" r="2.4"/>`).join(""))}
<circle class="end" cx="${end[0]}" cy="${end[1]}" r="4"/>
<g class="cursor" hidden><line y1="${PLOT.top}" y2="${HEIGHT - PLOT.bottom}"/><circle r="4.5"/></g>
</svg></figure>`;
}

/** At most `limit` points: means over equal stretches, which is what the eye would do anyway. */
export function thin(points: readonly Point[], limit: number): Point[] {
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

/** Round numbers (1, 2, 5 times a power of ten) that enclose all values and `range`. */
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

/** Powers of ten that enclose all positive values. */
function logTicks(values: readonly number[]): number[] {
  const positive = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...positive, 1)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive, 1e-12))));
  return Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
}

/** Maps the range of `values` onto [from, to]. */
function scaleOver(
  values: readonly number[],
  [from, to]: readonly [number, number],
): (value: number) => number {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return (value) =>
    high === low ? (from + to) / 2 : from + ((value - low) / (high - low)) * (to - from);
}

const round = (value: number) => Math.round(value * 10) / 10;
