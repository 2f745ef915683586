/**
 * A panel of a figure: lines over one quantity, from 0 up, on a light grid; each point with its interval where it has one.
 * Figures of several panels place them side by side, and name the lines once.
 */
import { dot, round, segment, spread, strokeOf, text } from "./chart-parts.ts";
import { html } from "./html.ts";

export interface PanelLine {
  readonly name: string;
  /** Which colour: the same line has the same in every panel of a figure. */
  readonly index: number;
  readonly points: readonly PanelPoint[];
}

export interface PanelPoint {
  /** Share of the panel's width. */
  readonly x: number;
  readonly value: number;
  readonly interval?: readonly [number, number];
}

export interface Panel {
  readonly title: string;
  /** Of the plot, in pixels. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Values of the grid, from 0 to the highest that the panel shows. */
  readonly grid: readonly number[];
  readonly gridText: (value: number) => string;
  /** Below the plot; `x` as a share of its width. */
  readonly ticks: readonly { readonly x: number; readonly text: string }[];
  readonly caption?: string;
  /** Points in between: full, hollow, or a line alone. */
  readonly marks: "full" | "hollow" | "none";
  readonly lines: readonly PanelLine[];
}

/** As SVG, without the names of its lines. */
export function drawPanel(panel: Panel): string {
  const { left, top, width, caption } = panel;
  const y = yOf(panel);
  const grid = panel.grid.map(
    (value) =>
      segment([left, y(value)], [left + width, y(value)], "#8884") +
      text([left - 6, y(value) + 4], panel.gridText(value), "end"),
  );
  const ticks = panel.ticks.map((tick) =>
    text([left + tick.x * width, y(0) + 18], said(tick.text), "middle"),
  );
  if (caption !== undefined) {
    ticks.push(text([left + width / 2, y(0) + 36], said(caption), "middle"));
  }
  const title = text([left, top - 20], said(panel.title), "start", ` font-size="13"`);
  return [title, ...grid, ...ticks, ...panel.lines.map((line) => drawLine(panel, line))].join("\n");
}

/** The lines' names at the right of the plot, in the order of their ends. */
export function panelNames(panel: Panel): string {
  const y = yOf(panel);
  const ended = panel.lines
    .flatMap(({ points, ...line }) => {
      const end = points.at(-1);
      return end ? [{ ...line, end: end.value }] : [];
    })
    .toSorted((a, b) => b.end - a.end);
  const places = spread(
    ended.map(({ end }) => y(end)),
    y(0) + 4,
  );
  const right = panel.left + panel.width + 8;
  return ended
    .map(({ name, index }, i) => {
      const { colour } = strokeOf(index);
      return text([right, places[i]!], said(name), "start", ` fill="${colour}"`);
    })
    .join("\n");
}

function drawLine(panel: Panel, { index, points }: PanelLine): string {
  const { colour, dash } = strokeOf(index);
  const x = (share: number) => panel.left + share * panel.width;
  const y = yOf(panel);
  const path = points
    .map((point, i) => `${i === 0 ? "M" : "L"}${round(x(point.x))} ${round(y(point.value))}`)
    .join("");
  const marks = points.map(({ x: share, value, interval }) => {
    const at = x(share);
    const bar = interval ? segment([at, y(interval[0])], [at, y(interval[1])], colour) : "";
    return bar + (panel.marks === "none" ? "" : dot([at, y(value)], colour, panel.marks));
  });
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>${marks.join("")}`;
}

const yOf =
  ({ top, height, grid }: Panel) =>
  (value: number) =>
    top + (1 - value / grid.at(-1)!) * height;

const said = (content: string) => html`${content}`.source;
