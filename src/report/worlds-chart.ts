/**
 * Draws the scores of the same arms on several worlds as one SVG file: TGC (the share of tasks that pass) on
 * test-normal by world, in the order of the results file, greedy on the left and T = 1 on the right, with 95%
 * intervals. For the worlds `everyday/errands-1` to `-6`, this shows TGC by the number of dependent steps.
 */
import { armScore, type Comparison, type Results } from "../train/index.ts";
import { LABEL_HEIGHT } from "./chart-parts.ts";
import { renderComparisonChart } from "./compare-chart.ts";
import { formatScoreName } from "./comparison-arms.ts";
import { html, raw } from "./html.ts";
import { drawLineNames, drawPanel, type Panel } from "./panel.ts";

const PANEL = { width: 300, left: 48, gap: 190, top: 40, height: 300 };

/** Draws TGC by world when the results have several worlds, otherwise the comparison with the most arms. */
export function renderResultsChart({ comparisons }: Results): string {
  const worlds = new Set(comparisons.map(({ world }) => world.name));
  if (worlds.size > 1) return renderWorldsChart(comparisons);
  return renderComparisonChart(comparisons.toSorted((a, b) => b.arms.length - a.arms.length)[0]!);
}

function renderWorldsChart(comparisons: readonly Comparison[]): string {
  const names = [...new Set(comparisons.flatMap(({ arms }) => arms.map(({ name }) => name)))];
  const worlds = comparisons.map(({ world }) => world.name);
  const sharedPrefix = commonPrefix(worlds);
  return renderScoresChart({
    title: "TGC on test-normal by world, mean over runs with the 95% interval",
    places: worlds.map((name) => name.slice(sharedPrefix.length)),
    caption: `${sharedPrefix}…`,
    panels: (["test-normal", "test-normal@T1"] as const).map((on) => ({
      title: `TGC ${formatScoreName(on)}`,
      marks: on.endsWith("@T1") ? "hollow" : "full",
      lines: names.map((name, index) => ({
        name,
        index,
        scores: comparisons.map((comparison) => {
          const arm = comparison.arms.find((one) => one.name === name);
          return arm && armScore(comparison, arm, on);
        }),
      })),
    })),
  });
}

interface ShareEstimate {
  readonly mean: number;
  readonly interval?: readonly [number, number] | undefined;
}

export interface ScoresChartOptions {
  readonly title: string;
  /** The labels of the horizontal axis from left to right, and the caption of the axis. */
  readonly places: readonly string[];
  readonly caption: string;
  readonly panels: readonly {
    readonly title: string;
    readonly marks: "full" | "hollow";
    readonly lines: readonly {
      readonly name: string;
      readonly index: number;
      /** One share for each place; undefined if a place has none. */
      readonly scores: readonly (ShareEstimate | undefined)[];
    }[];
  }[];
}

/** Draws shares by place as one SVG file, with the panels side by side. */
export function renderScoresChart({ title, places, caption, panels }: ScoresChartOptions): string {
  const most = Math.max(...panels.map(({ lines }) => lines.length));
  const height = Math.max(PANEL.top + PANEL.height, PANEL.top + most * LABEL_HEIGHT) + 50;
  const width = panels.length * (PANEL.left + PANEL.width) + PANEL.gap + 130;
  const xForPlace = (i: number) => (i + 0.5) / places.length;
  const drawnPanels = panels.map((panel, at): Panel => {
    const { lines } = panel;
    return {
      ...panel,
      left: PANEL.left + at * (PANEL.width + PANEL.gap),
      top: PANEL.top,
      width: PANEL.width,
      height: PANEL.height,
      grid: [0, 0.25, 0.5, 0.75, 1],
      gridText: (share) => `${share * 100}%`,
      ticks: places.map((name, i) => ({ x: xForPlace(i), text: name })),
      caption,
      lines: lines.map(({ scores, ...line }, n) => ({
        ...line,
        points: scores.flatMap((score, i) => {
          // Arms are drawn a few pixels apart, so that their intervals do not cover each other.
          const aside = ((n - (lines.length - 1) / 2) * 3) / PANEL.width;
          return score
            ? [{ x: xForPlace(i) + aside, value: score.mean, interval: score.interval }]
            : [];
        }),
      })),
    };
  });
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>${title}</title>
${drawnPanels.map((panel) => raw([drawPanel(panel), drawLineNames(panel)].join("\n")))}
</svg>
`.source;
}

/**
 * Returns the common beginning of the names, such as `everyday/errands-` for `everyday/errands-1` and
 * `everyday/errands-2`.
 */
function commonPrefix(names: readonly string[]): string {
  const [first = ""] = names;
  let length = 0;
  while (length < first.length - 1 && names.every((name) => name[length] === first[length])) {
    length += 1;
  }
  return first.slice(0, length);
}
