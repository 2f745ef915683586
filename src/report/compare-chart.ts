/**
 * A comparison as one SVG file that stands alone, on light and dark pages. Above, greedy TGC on dev by rollouts really
 * spent: a line for each arm (mean over runs), named where it ends. Below, the scores after training, greedy (full) and
 * at T = 1 (hollow), on test-normal and dev, each with its 95% interval.
 */
import { type Arm, armScore, type Comparison } from "../train/index.ts";
import { headlineName, intervalText, meanCurve, meanText, ranked, seedsText } from "./arms.ts";
import { dot, LABEL, round, segment, spread, strokeOf, text } from "./chart-parts.ts";
import { html, raw } from "./html.ts";

const WIDTH = 860;
const PLOT = { left: 48, right: 230, top: 34, bottom: 40 };
const ROW = 26;
/** How far from the right a curve may end and still be named there, in pixels. */
const NEAR = 20;
/** Of the lower panel: names, then two columns of marks with room for numbers behind each. */
const NAMES = 190;
const COLUMNS = [
  { split: "test-normal", from: NAMES, to: NAMES + 225 },
  { split: "dev", from: NAMES + 335, to: NAMES + 560 },
] as const;

export function compareChart(comparison: Comparison): string {
  const arms = ranked(comparison);
  const top = Math.max(340, PLOT.top + PLOT.bottom + arms.length * LABEL);
  const height = top + 64 + arms.length * ROW;
  const seeds = seedsText(comparison.starts.map(({ seed }) => seed));
  const title = `TGC on dev (greedy, the same tasks at every point) by rollouts spent; ${comparison.world.name}, mean over runs, seeds ${seeds}`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>${title}</title>${raw(text([PLOT.left, 18], html`${title}`.source, "start", ` font-size="13"`))}
${raw(curves(comparison, arms, top))}
${raw(scores(comparison, arms, top))}
</svg>
`.source;
}

function curves(comparison: Comparison, arms: readonly Arm[], height: number): string {
  const all = arms.map((arm, index) => ({ index, arm, curve: meanCurve(arm) }));
  const most = Math.max(
    comparison.rollouts,
    ...all.map(({ curve }) => curve.at(-1)?.rollouts ?? 0),
  );
  const right = WIDTH - PLOT.right;
  const x = (rollouts: number) => PLOT.left + (rollouts / most) * (right - PLOT.left);
  const y = (share: number) => height - PLOT.bottom - share * (height - PLOT.top - PLOT.bottom);
  const drawn = all
    .flatMap(({ arm, index, curve }) => {
      const last = curve.at(-1);
      const end = last && ([x(last.rollouts), y(last.value)] as const);
      return end ? [{ name: html`${arm.name}`.source, index, curve, end }] : [];
    })
    .toSorted((a, b) => a.end[1] - b.end[1]);
  // What spent less than the budget is named where it ended: a leader from there would cross the others.
  const isAtRight = ({ end }: (typeof drawn)[number]) => end[0] > right - NEAR;
  const places = spread(
    drawn.filter(isAtRight).map(({ end }) => end[1]),
    height - PLOT.bottom + 4,
  );
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].map(
    (share) =>
      segment([PLOT.left, y(share)], [right, y(share)], "#8884") +
      text([PLOT.left - 8, y(share) + 4], `${share * 100}%`, "end"),
  );
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) =>
    text([x(part * most), height - 20], String(Math.round(part * most)), "middle"),
  );
  const named = (at: readonly [number, number], name: string, colour: string, anchor?: "middle") =>
    text(at, name, anchor, ` fill="${colour}"`);
  const lines = drawn.map((one, rank) => {
    const { colour, dash } = strokeOf(one.index);
    const [ex, ey] = one.end;
    const path = one.curve
      .map(
        (point, k) => `${k === 0 ? "M" : "L"}${round(x(point.rollouts))} ${round(y(point.value))}`,
      )
      .join("");
    const curve = `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>${dot([ex, ey], colour, "full")}`;
    if (!isAtRight(one)) {
      const aside = rank < drawn.length / 2 ? -0.6 * LABEL : 1.5 * LABEL;
      return curve + named([ex, ey + aside], one.name, colour, "middle");
    }
    const place = places.shift()!;
    const lead = `<path d="M${round(ex + 6)} ${round(ey)}L${right + 18} ${place - 4}" stroke="#8886" fill="none"/>`;
    return curve + lead + named([right + 22, place], one.name, colour);
  });
  const label = text([right, height - 5], "rollouts", "end");
  return [...grid, ...ticks, label, ...lines].join("\n");
}

function scores(comparison: Comparison, arms: readonly Arm[], top: number): string {
  const bottom = top + 44 + arms.length * ROW;
  const heads = COLUMNS.flatMap(({ split, from, to }) => {
    const x = (share: number) => from + share * (to - from);
    return [
      text([from, top + 22], `TGC ${split}, after: greedy ●, T = 1 ○ [95%]`),
      ...[0, 0.5, 1].map(
        (share) =>
          segment([x(share), top + 32], [x(share), bottom], "#8884") +
          text([x(share), bottom + 14], `${share * 100}%`, "middle"),
      ),
    ];
  });
  const rows = arms.map((arm, index) => {
    const y = top + 44 + index * ROW + ROW / 2;
    const { colour } = strokeOf(index);
    const runs = `${arm.runs.length} run${arm.runs.length === 1 ? "" : "s"}`;
    const name = text([PLOT.left - 40, y], html`${arm.name}`.source, "start", ` fill="${colour}"`);
    const note = text([NAMES - 12, y], runs, "end", ` font-size="10"`);
    return (
      name + note + COLUMNS.map((column) => marks(comparison, arm, column, y, colour)).join("")
    );
  });
  return [...heads, ...rows].join("\n");
}

function marks(
  comparison: Comparison,
  arm: Arm,
  { split, from, to }: (typeof COLUMNS)[number],
  y: number,
  colour: string,
): string {
  const x = (share: number) => from + share * (to - from);
  return ([split, `${split}@T1`] as const)
    .map((on, i) => {
      const score = armScore(comparison, arm, on);
      if (score === undefined) return "";
      const at = y + (i === 0 ? -9 : 2);
      const [low, high] = score.interval;
      const said = `${meanText(score)} ${intervalText(score)}`;
      const about = `<title>${html`${arm.name}, ${headlineName(on)}: ${said}, over ${score.count} ${score.over}`.source}</title>`;
      const mark = dot([x(score.mean), at], colour, i === 0 ? "full" : "hollow");
      const number = text([to + 6, at + 4], said, "start", ` font-size="10"`);
      return `<g>${about}${segment([x(low), at], [x(high), at], colour)}${mark}${number}</g>`;
    })
    .join("");
}
