/** The parts from which comparison charts are drawn: colours, SVG elements, and labels that do not overlap. */

/**
 * Okabe and Ito's colours, which people with any kind of colour vision can distinguish. Further lines use the same
 * colours with dashes.
 */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"];

export const LABEL_HEIGHT = 17;

export function lineStyle(index: number): { readonly colour: string; readonly dash: string } {
  const colour = COLOURS[index % COLOURS.length]!;
  return { colour, dash: index < COLOURS.length ? "" : ` stroke-dasharray="6 4"` };
}

/** Rounds a coordinate to a tenth of a pixel. */
export const roundPixel = (value: number) => Math.round(value * 10) / 10;

export function svgText(
  [x, y]: readonly [number, number],
  content: string,
  anchor: "start" | "middle" | "end" = "start",
  more = "",
): string {
  return `<text x="${roundPixel(x)}" y="${roundPixel(y)}" text-anchor="${anchor}"${more}>${content}</text>`;
}

export function svgLine(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  stroke: string,
): string {
  return `<line x1="${roundPixel(x1)}" x2="${roundPixel(x2)}" y1="${roundPixel(y1)}" y2="${roundPixel(y2)}" stroke="${stroke}"/>`;
}

/** Half the width of a dot or a square, in pixels. */
const MARK_RADIUS = 3.5;

/** Whether a mark is filled. In charts of scores, full marks are greedy ones and hollow marks those at T = 1. */
export type MarkKind = "full" | "hollow";

/** Returns an SVG dot around a point. */
export function svgDot([x, y]: readonly [number, number], colour: string, kind: MarkKind): string {
  return `<circle cx="${roundPixel(x)}" cy="${roundPixel(y)}" r="${MARK_RADIUS}"${markPaint(colour, kind)}/>`;
}

/** Returns an SVG square around a point, as wide as a dot. */
export function svgSquare(
  [x, y]: readonly [number, number],
  colour: string,
  kind: MarkKind,
): string {
  const width = 2 * MARK_RADIUS;
  return `<rect x="${roundPixel(x - MARK_RADIUS)}" y="${roundPixel(y - MARK_RADIUS)}" width="${width}" height="${width}"${markPaint(colour, kind)}/>`;
}

const markPaint = (colour: string, kind: MarkKind) =>
  ` fill="${kind === "full" ? colour : "none"}" stroke="${colour}" stroke-width="1.5"`;

/**
 * Returns positions of labels from top to bottom, as close as possible to the wanted ones. They are one label height
 * apart, and none is below `bottom`.
 */
export function spreadLabels(wanted: readonly number[], bottom: number): number[] {
  const places: number[] = [];
  for (const place of wanted) {
    places.push(Math.max(place + 4, (places.at(-1) ?? -Infinity) + LABEL_HEIGHT));
  }
  for (let i = places.length - 1, limit = bottom; i >= 0; i--) {
    places[i] = Math.min(places[i]!, limit);
    limit = places[i]! - LABEL_HEIGHT;
  }
  return places.map(roundPixel);
}
