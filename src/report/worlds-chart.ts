/**
 * The same arms on several worlds as one SVG file: TGC on test-normal by world, in the order of the file, greedy on the left and
 * T = 1 on the right, each point with its 95% interval. Of `everyday/errands-1` to `-6` it is TGC by horizon.
 */
import { armScore, type Comparison, type Results } from "../train/index.ts";
import { headlineName } from "./arms.ts";
import { LABEL } from "./chart-parts.ts";
import { compareChart } from "./compare-chart.ts";
import { html, raw } from "./html.ts";
import { drawPanel, type Panel, panelNames } from "./panel.ts";

const PANEL = { width: 300, left: 48, gap: 190, top: 40, height: 300 };

/** Of a file with several worlds TGC by world; else the comparison with the most arms. */
export function resultsChart({ comparisons }: Results): string {
  const worlds = new Set(comparisons.map(({ world }) => world.name));
  if (worlds.size > 1) return worldsChart(comparisons);
  return compareChart(comparisons.toSorted((a, b) => b.arms.length - a.arms.length)[0]!);
}

function worldsChart(comparisons: readonly Comparison[]): string {
  const names = [...new Set(comparisons.flatMap(({ arms }) => arms.map(({ name }) => name)))];
  const worlds = comparisons.map(({ world }) => world.name);
  const common = commonStart(worlds);
  return scoresChart({
    title: "TGC on test-normal by world, mean over runs with the 95% interval",
    places: worlds.map((name) => name.slice(common.length)),
    caption: `${common}…`,
    panels: (["test-normal", "test-normal@T1"] as const).map((on) => ({
      title: `TGC ${headlineName(on)}`,
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

interface Share {
  readonly mean: number;
  readonly interval: readonly [number, number];
}

export interface ScoresChart {
  readonly title: string;
  /** From left to right, and what they are. */
  readonly places: readonly string[];
  readonly caption: string;
  readonly panels: readonly {
    readonly title: string;
    readonly marks: "full" | "hollow";
    readonly lines: readonly {
      readonly name: string;
      readonly index: number;
      /** A share for each place where there is one. */
      readonly scores: readonly (Share | undefined)[];
    }[];
  }[];
}

/** Shares by place, a panel beside the other, as one SVG file. */
export function scoresChart({ title, places, caption, panels }: ScoresChart): string {
  const most = Math.max(...panels.map(({ lines }) => lines.length));
  const height = Math.max(PANEL.top + PANEL.height, PANEL.top + most * LABEL) + 50;
  const width = panels.length * (PANEL.left + PANEL.width) + PANEL.gap + 130;
  const x = (i: number) => (i + 0.5) / places.length;
  const drawn = panels.map((panel, at): Panel => {
    const { lines } = panel;
    return {
      ...panel,
      left: PANEL.left + at * (PANEL.width + PANEL.gap),
      top: PANEL.top,
      width: PANEL.width,
      height: PANEL.height,
      grid: [0, 0.25, 0.5, 0.75, 1],
      gridText: (share) => `${share * 100}%`,
      ticks: places.map((name, i) => ({ x: x(i), text: name })),
      caption,
      lines: lines.map(({ scores, ...line }, n) => ({
        ...line,
        points: scores.flatMap((score, i) => {
          // Apart by a few pixels, so that intervals do not cover each other.
          const aside = ((n - (lines.length - 1) / 2) * 3) / PANEL.width;
          return score ? [{ x: x(i) + aside, value: score.mean, interval: score.interval }] : [];
        }),
      })),
    };
  });
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>${title}</title>
${drawn.map((panel) => raw([drawPanel(panel), panelNames(panel)].join("\n")))}
</svg>
`.source;
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
