/**
 * Draws a comparison as one SVG file that needs no other file and suits light and dark pages. The upper panel shows
 * greedy TGC (the share of tasks that pass) on dev by the number of rollouts. It has one line for each arm (the mean
 * over runs), with the arm's name at its end. The lower panel shows the scores after training, greedy (full dots) and
 * at T = 1 (hollow dots), on test-normal and dev, with 95% intervals.
 */
import { type Arm, armScore, type Comparison } from "../train/index.ts";
import {
  LABEL_HEIGHT,
  lineStyle,
  roundPixel,
  spreadLabels,
  svgDot,
  svgLine,
  svgText,
} from "./chart-parts.ts";
import {
  formatInterval,
  formatMean,
  formatScoreName,
  formatSeeds,
  meanCurve,
  rankArms,
} from "./comparison-arms.ts";
import { html, raw } from "./html.ts";

const WIDTH = 860;
const PLOT = { left: 48, right: 230, top: 34, bottom: 40 };
const ROW_HEIGHT = 26;
/** The distance from the right edge, in pixels, within which a curve must end to be named at the right. */
const LABEL_DISTANCE = 20;
/** The width of the names in the lower panel. Two columns of marks follow, each with room for numbers at its right. */
const NAMES_WIDTH = 190;
const COLUMNS = [
  { split: "test-normal", from: NAMES_WIDTH, to: NAMES_WIDTH + 225 },
  { split: "dev", from: NAMES_WIDTH + 335, to: NAMES_WIDTH + 560 },
] as const;

export function renderComparisonChart(comparison: Comparison): string {
  const arms = rankArms(comparison);
  const top = Math.max(340, PLOT.top + PLOT.bottom + arms.length * LABEL_HEIGHT);
  const height = top + 64 + arms.length * ROW_HEIGHT;
  const seeds = formatSeeds(comparison.starts.map(({ seed }) => seed));
  const title = `TGC on dev (greedy, the same tasks at every point) by number of rollouts; ${comparison.world.name}, mean over runs, seeds ${seeds}`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>${title}</title>${raw(svgText([PLOT.left, 18], html`${title}`.source, "start", ` font-size="13"`))}
${raw(drawCurves(comparison, arms, top))}
${raw(drawScores(comparison, arms, top))}
</svg>
`.source;
}

function drawCurves(comparison: Comparison, arms: readonly Arm[], height: number): string {
  const all = arms.map((arm, index) => ({ index, arm, curve: meanCurve(arm) }));
  const most = Math.max(
    comparison.rollouts,
    ...all.map(({ curve }) => curve.at(-1)?.rollouts ?? 0),
  );
  const right = WIDTH - PLOT.right;
  const xForRollouts = (rollouts: number) => PLOT.left + (rollouts / most) * (right - PLOT.left);
  const yForShare = (share: number) =>
    height - PLOT.bottom - share * (height - PLOT.top - PLOT.bottom);
  const curvesWithEnds = all
    .flatMap(({ arm, index, curve }) => {
      const last = curve.at(-1);
      const end = last && ([xForRollouts(last.rollouts), yForShare(last.value)] as const);
      return end ? [{ name: html`${arm.name}`.source, index, curve, end }] : [];
    })
    .toSorted((a, b) => a.end[1] - b.end[1]);
  // A curve that ends early is named at its own end, because a line from there to the right would cross other curves.
  const endsAtRight = ({ end }: (typeof curvesWithEnds)[number]) => end[0] > right - LABEL_DISTANCE;
  const places = spreadLabels(
    curvesWithEnds.filter(endsAtRight).map(({ end }) => end[1]),
    height - PLOT.bottom + 4,
  );
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].map(
    (share) =>
      svgLine([PLOT.left, yForShare(share)], [right, yForShare(share)], "#8884") +
      svgText([PLOT.left - 8, yForShare(share) + 4], `${share * 100}%`, "end"),
  );
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) =>
    svgText([xForRollouts(part * most), height - 20], String(Math.round(part * most)), "middle"),
  );
  const drawName = (
    at: readonly [number, number],
    name: string,
    colour: string,
    anchor?: "middle",
  ) => svgText(at, name, anchor, ` fill="${colour}"`);
  const lines = curvesWithEnds.map((one, rank) => {
    const { colour, dash } = lineStyle(one.index);
    const [ex, ey] = one.end;
    const path = one.curve
      .map(
        (point, k) =>
          `${k === 0 ? "M" : "L"}${roundPixel(xForRollouts(point.rollouts))} ${roundPixel(yForShare(point.value))}`,
      )
      .join("");
    const curve = `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>${svgDot([ex, ey], colour, "full")}`;
    if (!endsAtRight(one)) {
      const aside = rank < curvesWithEnds.length / 2 ? -0.6 * LABEL_HEIGHT : 1.5 * LABEL_HEIGHT;
      return curve + drawName([ex, ey + aside], one.name, colour, "middle");
    }
    const place = places.shift()!;
    const lead = `<path d="M${roundPixel(ex + 6)} ${roundPixel(ey)}L${right + 18} ${place - 4}" stroke="#8886" fill="none"/>`;
    return curve + lead + drawName([right + 22, place], one.name, colour);
  });
  const label = svgText([right, height - 5], "rollouts", "end");
  return [...grid, ...ticks, label, ...lines].join("\n");
}

function drawScores(comparison: Comparison, arms: readonly Arm[], top: number): string {
  const bottom = top + 44 + arms.length * ROW_HEIGHT;
  const heads = COLUMNS.flatMap(({ split, from, to }) => {
    const xForShare = (share: number) => from + share * (to - from);
    return [
      svgText(
        [from, top + 22],
        `TGC ${split} after training: greedy ●, T = 1 ○ [95%]`,
        "start",
        ` font-size="11"`,
      ),
      ...[0, 0.5, 1].map(
        (share) =>
          svgLine([xForShare(share), top + 32], [xForShare(share), bottom], "#8884") +
          svgText([xForShare(share), bottom + 14], `${share * 100}%`, "middle"),
      ),
    ];
  });
  const rows = arms.map((arm, index) => {
    const y = top + 44 + index * ROW_HEIGHT + ROW_HEIGHT / 2;
    const { colour } = lineStyle(index);
    const runs = `${arm.runs.length} run${arm.runs.length === 1 ? "" : "s"}`;
    const name = svgText(
      [PLOT.left - 40, y],
      html`${arm.name}`.source,
      "start",
      ` fill="${colour}"`,
    );
    const note = svgText([NAMES_WIDTH - 12, y], runs, "end", ` font-size="10"`);
    return (
      name + note + COLUMNS.map((column) => drawMarks(comparison, arm, column, y, colour)).join("")
    );
  });
  return [...heads, ...rows].join("\n");
}

function drawMarks(
  comparison: Comparison,
  arm: Arm,
  { split, from, to }: (typeof COLUMNS)[number],
  y: number,
  colour: string,
): string {
  const xForShare = (share: number) => from + share * (to - from);
  return ([split, `${split}@T1`] as const)
    .map((on, i) => {
      const score = armScore(comparison, arm, on);
      if (score === undefined) return "";
      const at = y + (i === 0 ? -9 : 2);
      const said = `${formatMean(score)} ${formatInterval(score)}`;
      const about = `<title>${html`${arm.name}, ${formatScoreName(on)}: ${said}, over ${score.count} ${score.over}`.source}</title>`;
      const mark = svgDot([xForShare(score.mean), at], colour, i === 0 ? "full" : "hollow");
      const number = svgText([to + 6, at + 4], said, "start", ` font-size="10"`);
      const [low, high] = score.interval ?? [];
      const bar =
        low === undefined ? "" : svgLine([xForShare(low), at], [xForShare(high!), at], colour);
      return `<g>${about}${bar}${mark}${number}</g>`;
    })
    .join("");
}
