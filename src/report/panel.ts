/**
 * Draws a panel of a figure: lines over one quantity, from 0 upwards, on a light grid. Points may have intervals. A
 * figure has several panels side by side, and the lines are named only once.
 */
import { lineStyle, roundPixel, spreadLabels, svgDot, svgLine, svgText } from "./chart-parts.ts";
import { html } from "./html.ts";

export interface PanelLine {
  readonly name: string;
  /** The colour index of the line. A line has the same colour in every panel of a figure. */
  readonly index: number;
  readonly points: readonly PanelPoint[];
}

export interface PanelPoint {
  /** The horizontal position as a share of the panel's width. */
  readonly x: number;
  readonly value: number;
  readonly interval?: readonly [number, number] | undefined;
}

export interface Panel {
  readonly title: string;
  /** The position and size of the plot, in pixels. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The values of the grid lines, from 0 to the highest value that the panel shows. */
  readonly grid: readonly number[];
  readonly gridText: (value: number) => string;
  /** The labels below the plot, with `x` as a share of the plot's width. */
  readonly ticks: readonly { readonly x: number; readonly text: string }[];
  readonly caption?: string;
  /** How the points are drawn: as full dots, as hollow dots, or not at all. */
  readonly marks: "full" | "hollow" | "none";
  readonly lines: readonly PanelLine[];
}

/** Returns the panel as SVG, without the names of its lines. */
export function drawPanel(panel: Panel): string {
  const { left, top, width, caption } = panel;
  const y = createVerticalScale(panel);
  const grid = panel.grid.map(
    (value) =>
      svgLine([left, y(value)], [left + width, y(value)], "#8884") +
      svgText([left - 6, y(value) + 4], panel.gridText(value), "end"),
  );
  const ticks = panel.ticks.map((tick) =>
    svgText([left + tick.x * width, y(0) + 18], escapeText(tick.text), "middle"),
  );
  if (caption !== undefined) {
    ticks.push(svgText([left + width / 2, y(0) + 36], escapeText(caption), "middle"));
  }
  const title = svgText([left, top - 20], escapeText(panel.title), "start", ` font-size="13"`);
  return [title, ...grid, ...ticks, ...panel.lines.map((line) => drawLine(panel, line))].join("\n");
}

/** Returns the names of the lines as SVG, at the right of the plot and in the order of the lines' ends. */
export function drawLineNames(panel: Panel): string {
  const y = createVerticalScale(panel);
  const linesWithEnds = panel.lines
    .flatMap(({ points, ...line }) => {
      const end = points.at(-1);
      return end ? [{ ...line, end: end.value }] : [];
    })
    .toSorted((a, b) => b.end - a.end);
  const places = spreadLabels(
    linesWithEnds.map(({ end }) => y(end)),
    y(0) + 4,
  );
  const right = panel.left + panel.width + 8;
  return linesWithEnds
    .map(({ name, index }, i) => {
      const { colour } = lineStyle(index);
      return svgText([right, places[i]!], escapeText(name), "start", ` fill="${colour}"`);
    })
    .join("\n");
}

function drawLine(panel: Panel, { index, points }: PanelLine): string {
  const { colour, dash } = lineStyle(index);
  const xForShare = (share: number) => panel.left + share * panel.width;
  const y = createVerticalScale(panel);
  const path = points
    .map(
      (point, i) =>
        `${i === 0 ? "M" : "L"}${roundPixel(xForShare(point.x))} ${roundPixel(y(point.value))}`,
    )
    .join("");
  const marks = points.map(({ x: share, value, interval }) => {
    const at = xForShare(share);
    const bar = interval ? svgLine([at, y(interval[0])], [at, y(interval[1])], colour) : "";
    return bar + (panel.marks === "none" ? "" : svgDot([at, y(value)], colour, panel.marks));
  });
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>${marks.join("")}`;
}

const createVerticalScale =
  ({ top, height, grid }: Panel) =>
  (value: number) =>
    top + (1 - value / grid.at(-1)!) * height;

const escapeText = (content: string) => html`${content}`.source;
