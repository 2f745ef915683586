/** What the charts of comparisons are drawn with: colours, numbers for SVG, labels that keep apart. */

/** Okabe and Ito's colours, told apart by people of any colour vision; then again, dashed. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"];

export const LABEL = 17;

export function strokeOf(index: number): { readonly colour: string; readonly dash: string } {
  const colour = COLOURS[index % COLOURS.length]!;
  return { colour, dash: index < COLOURS.length ? "" : ` stroke-dasharray="6 4"` };
}

/** One digit is enough for a pixel. */
export const round = (value: number) => Math.round(value * 10) / 10;

export function text(
  [x, y]: readonly [number, number],
  content: string,
  anchor: "start" | "middle" | "end" = "start",
  more = "",
): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${more}>${content}</text>`;
}

export function segment(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  stroke: string,
): string {
  return `<line x1="${round(x1)}" x2="${round(x2)}" y1="${round(y1)}" y2="${round(y2)}" stroke="${stroke}"/>`;
}

/** Full for greedy, hollow for T = 1. */
export function dot(
  [x, y]: readonly [number, number],
  colour: string,
  kind: "full" | "hollow",
): string {
  const fill = kind === "full" ? colour : "none";
  return `<circle cx="${round(x)}" cy="${round(y)}" r="3.5" fill="${fill}" stroke="${colour}" stroke-width="1.5"/>`;
}

/** Places from top to bottom, near the wanted ones and a label apart, none below `bottom`. */
export function spread(wanted: readonly number[], bottom: number): number[] {
  const places: number[] = [];
  for (const place of wanted) {
    places.push(Math.max(place + 4, (places.at(-1) ?? -Infinity) + LABEL));
  }
  for (let i = places.length - 1, limit = bottom; i >= 0; i--) {
    places[i] = Math.min(places[i]!, limit);
    limit = places[i]! - LABEL;
  }
  return places.map(round);
}
