/**
 * The curves of a comparison as one SVG file that stands alone, on light and dark pages: greedy TGC on dev by rollouts
 * spent, a line for each recipe (mean over seeds), its range over seeds at the end, names where the lines end.
 */

import { type Arm, type Comparison, spreadOf } from "../train/index.ts";
import { meanCurve, ranked } from "./arms.ts";
import { html, raw } from "./html.ts";

const WIDTH = 860;
const PLOT = { left: 48, right: 330, top: 34, bottom: 40 };
const LABEL = 17;

/** Okabe and Ito's colours, told apart by people of any colour vision; then again, dashed. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"];

export function compareChart(comparison: Comparison): string {
  const arms = ranked(comparison);
  const height = Math.max(360, PLOT.top + PLOT.bottom + arms.length * LABEL);
  const x = (rollouts: number) =>
    PLOT.left + (rollouts / comparison.rollouts) * (WIDTH - PLOT.left - PLOT.right);
  const y = (share: number) => height - PLOT.bottom - share * (height - PLOT.top - PLOT.bottom);
  const order = arms
    .map((arm) => ({ arm, end: meanCurve(arm).at(-1)?.value ?? 0 }))
    .toSorted((a, b) => b.end - a.end);
  const places = spread(
    order.map(({ end }) => y(end)),
    height,
  );
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].map(
    (share) =>
      `<line x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${round(y(share))}" y2="${round(y(share))}" stroke="#8884"/><text x="${PLOT.left - 8}" y="${round(y(share)) + 4}" text-anchor="end">${share * 100}%</text>`,
  );
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      `<text x="${round(x(part * comparison.rollouts))}" y="${height - 20}" text-anchor="middle">${Math.round(part * comparison.rollouts)}</text>`,
  );
  const lines = order.map(({ arm }, i) => line(arm, i, { x, y, label: places[i]! }));
  const seeds = comparison.seeds.length;
  const title = `TGC on dev (greedy, the same tasks at every point) by rollouts spent, mean of ${seeds} seed${seeds === 1 ? "" : "s"}`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>${title}</title><text x="${PLOT.left}" y="18" font-size="13">${title}</text>
${raw(grid.join(""))}${raw(ticks.join(""))}
<text x="${WIDTH - PLOT.right}" y="${height - 5}" text-anchor="end">rollouts</text>
${lines.map((source) => raw(source))}
</svg>
`.source;
}

interface Frame {
  readonly x: (rollouts: number) => number;
  readonly y: (share: number) => number;
  readonly label: number;
}

function line(arm: Arm, index: number, { x, y, label }: Frame): string {
  const colour = COLOURS[index % COLOURS.length]!;
  const dash = index < COLOURS.length ? "" : ` stroke-dasharray="6 4"`;
  const curve = meanCurve(arm);
  const path = curve
    .map(
      ({ rollouts, value }, i) => `${i === 0 ? "M" : "L"}${round(x(rollouts))} ${round(y(value))}`,
    )
    .join("");
  const end = curve.at(-1);
  if (end === undefined) return "";
  const last = arm.runs.flatMap(({ dev }) => dev.at(-1)?.value ?? []);
  const edge = round(x(end.rollouts));
  const { mean, sd } = spreadOf(last);
  const range =
    sd === undefined
      ? ""
      : `<line x1="${edge}" x2="${edge}" y1="${round(y(Math.min(...last)))}" y2="${round(y(Math.max(...last)))}" stroke="${colour}" stroke-width="2" opacity="0.5"/>`;
  const text = `${arm.recipe} ${(mean * 100).toFixed(1)}${sd === undefined ? "" : ` ± ${(sd * 100).toFixed(1)}`}`;
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>${range}<circle cx="${edge}" cy="${round(y(end.value))}" r="3" fill="${colour}"/><path d="M${edge + 6} ${round(y(end.value))}L${edge + 22} ${label - 4}" stroke="#8886" fill="none"/><text x="${edge + 26}" y="${label}" fill="${colour}">${text}</text>`;
}

/** Places from top to bottom, near the wanted ones and a label apart. */
function spread(wanted: readonly number[], height: number): number[] {
  const places: number[] = [];
  for (const place of wanted) {
    places.push(Math.max(place + 4, (places.at(-1) ?? -Infinity) + LABEL));
  }
  const over = Math.max(0, (places.at(-1) ?? 0) - (height - PLOT.bottom + 4));
  for (let i = places.length - 1, limit = Infinity; i >= 0; i--) {
    places[i] = Math.min(places[i]!, over > 0 ? height - PLOT.bottom + 4 : Infinity, limit);
    limit = places[i]! - LABEL;
  }
  return places.map(round);
}

const round = (value: number) => Math.round(value * 10) / 10;
