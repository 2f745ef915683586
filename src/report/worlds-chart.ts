/**
 * The same arms on several worlds as one SVG file: TGC on test-normal by world, in the order of the file, greedy on the left and
 * T = 1 on the right, each point with its 95% interval. Of `everyday/errands-1` to `-6` it is TGC by horizon.
 */
import { armScore, type Comparison, type Results } from "../train/index.ts";
import { headlineName } from "./arms.ts";
import { dot, LABEL, round, segment, spread, strokeOf, text } from "./chart-parts.ts";
import { compareChart } from "./compare-chart.ts";
import { html, raw } from "./html.ts";

const PANEL = { width: 300, left: 48, gap: 190, top: 40, height: 300 };

/** Of a file with several worlds TGC by world; else the comparison with the most arms. */
export function resultsChart({ comparisons }: Results): string {
  const worlds = new Set(comparisons.map(({ world }) => world.name));
  if (worlds.size > 1) return worldsChart(comparisons);
  return compareChart(comparisons.toSorted((a, b) => b.arms.length - a.arms.length)[0]!);
}

function worldsChart(comparisons: readonly Comparison[]): string {
  const names = [...new Set(comparisons.flatMap(({ arms }) => arms.map(({ name }) => name)))];
  const height = Math.max(PANEL.top + PANEL.height, PANEL.top + names.length * LABEL) + 50;
  const width = 2 * (PANEL.left + PANEL.width) + PANEL.gap + 130;
  const panels = ["test-normal", "test-normal@T1"].map((on, i) =>
    panel(comparisons, names, on, PANEL.left + i * (PANEL.width + PANEL.gap)),
  );
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>TGC on test-normal by world, mean over runs with the 95% interval</title>
${panels.map((source) => raw(source))}
</svg>
`.source;
}

function panel(
  comparisons: readonly Comparison[],
  names: readonly string[],
  on: string,
  left: number,
): string {
  const x = (i: number) => left + ((i + 0.5) / comparisons.length) * PANEL.width;
  const y = (share: number) => PANEL.top + (1 - share) * PANEL.height;
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      segment([left, y(share)], [left + PANEL.width, y(share)], "#8884") +
      text([left - 6, y(share) + 4], `${share * 100}%`, "end"),
  );
  const worlds = comparisons.map(({ world }) => world.name);
  const common = commonStart(worlds);
  const ticks = [
    ...worlds.map((name, i) => text([x(i), y(0) + 18], said(name.slice(common.length)), "middle")),
    text([left + PANEL.width / 2, y(0) + 36], said(`${common}…`), "middle"),
  ];
  const lines = names.map((name, index) => {
    const { colour, dash } = strokeOf(index);
    const points = comparisons.flatMap((comparison, i) => {
      const arm = comparison.arms.find((one) => one.name === name);
      const score = arm && armScore(comparison, arm, on);
      // Apart by a few pixels, so that intervals do not cover each other.
      const at = x(i) + (index - (names.length - 1) / 2) * 3;
      return score ? [{ at, score }] : [];
    });
    const path = points
      .map(({ at, score }, k) => `${k === 0 ? "M" : "L"}${round(at)} ${round(y(score.mean))}`)
      .join("");
    const marks = points.map(
      ({ at, score: { mean, interval } }) =>
        segment([at, y(interval[0])], [at, y(interval[1])], colour) +
        dot([at, y(mean)], colour, on.endsWith("@T1") ? "hollow" : "full"),
    );
    const source = `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>${marks.join("")}`;
    return { name, colour, end: points.at(-1), source };
  });
  const ended = lines
    .filter(({ end }) => end !== undefined)
    .toSorted((a, b) => b.end!.score.mean - a.end!.score.mean);
  const places = spread(
    ended.map(({ end }) => y(end!.score.mean)),
    y(0) + 4,
  );
  const labels = ended.map(({ name, colour }, i) =>
    text([left + PANEL.width + 8, places[i]!], html`${name}`.source, "start", ` fill="${colour}"`),
  );
  const title = text([left, 20], `TGC ${headlineName(on)}`, "start", ` font-size="13"`);
  return [title, ...grid, ...ticks, ...lines.map(({ source }) => source), ...labels].join("\n");
}

/** `everyday/errands-` of `everyday/errands-1` and `everyday/errands-2`. */
function commonStart(names: readonly string[]): string {
  const [first = ""] = names;
  let length = 0;
  while (length < first.length - 1 && names.every((name) => name[length] === first[length])) {
    length += 1;
  }
  return first.slice(0, length);
}

const said = (content: string) => html`${content}`.source;
