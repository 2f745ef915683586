/**
 * Draws two charts that compare tasks of different numbers of dependent steps. One shows task goal completion (TGC) on
 * new tasks whose steps occur in training. The other shows metrics of training by iteration, with a column for each
 * number of steps and a row for each metric.
 */
import { meanShareInterval } from "../../../src/algo/index.ts";
import { lineStyle, svgText } from "../../../src/report/chart-parts.ts";
import { html, raw } from "../../../src/report/html.ts";
import { drawPanel, type PanelLine } from "../../../src/report/panel.ts";
import { renderScoresChart } from "../../../src/report/worlds-chart.ts";
import { type Arm, type Comparison, computeSpread } from "../../../src/train/index.ts";
import {
  displayName,
  hasSamePolicy,
  listMethods,
  MODES,
  type TrainedSteps,
} from "./horizon-tables.ts";

/** The order of methods that gives each the same colour in all figures; the warm start is grey. */
const COLOUR_ORDER = ["loop", "ei", "rloo", "grpo", "rft", "", "warm"];

/** Draws task goal completion (TGC) on new tasks by their number of steps, greedy and at T = 1, without variants. */
export function drawTrainedSteps({ lines }: TrainedSteps): string {
  const ks = [...new Set(lines.map(({ k }) => k))].sort((a, b) => a - b);
  const methods = listMethods(lines).filter((method) => COLOUR_ORDER.includes(method));
  return renderScoresChart({
    title: "TGC on fresh errands of trained steps, mean over runs with the 95% interval",
    places: ks.map(String),
    caption: "dependent steps",
    panels: MODES.map((mode) => ({
      title: `TGC on fresh errands, ${mode === "greedy" ? "greedy" : "T = 1"}`,
      marks: mode === "greedy" ? "full" : "hollow",
      lines: methods.map((method) => ({
        name: displayName(method),
        index: COLOUR_ORDER.indexOf(method),
        scores: ks.map((k) => {
          const runs = lines.filter((line) => hasSamePolicy(line, { k, method, mode }));
          return runs.length > 0 ? meanWithInterval(runs.map(({ tgc }) => tgc)) : undefined;
        }),
      })),
    })),
  });
}

/**
 * Returns the mean of shares and its 95% interval over runs, limited to 0..1. A single run and equal runs have no
 * interval.
 */
function meanWithInterval(shares: readonly number[]) {
  return { mean: computeSpread(shares).mean, interval: meanShareInterval(shares) };
}

interface ChartRow {
  readonly title: string;
  readonly series: string;
  readonly of?: (value: number) => number;
  readonly isShare: boolean;
}

const ROWS: readonly ChartRow[] = [
  { title: "pass rate", series: "reward/pass_rate", isShare: true },
  { title: "pass@8", series: "group/all_wrong", of: (wrong) => 1 - wrong, isShare: true },
  { title: "groups of differing returns", series: "group/mixed", isShare: true },
  { title: "entropy, nats a token", series: "entropy/sampled", isShare: false },
  { title: "KL, nats a rollout", series: "kl/trajectory", isShare: false },
];
const SIZE = { width: 190, height: 110, left: 48, top: 62, right: 62, below: 62 };

/** Draws metrics of training as means over runs. Methods of one iteration have no curve. */
export function drawTraining(comparisons: readonly Comparison[]): string {
  const panels = ROWS.flatMap((row, r) => {
    const lines = comparisons.map(({ arms }) => arms.flatMap((arm) => meanLine(arm, row)));
    const grid = row.isShare ? [0, 0.5, 1] : gridLinesAbove(lines);
    return comparisons.map(({ world, rollouts }, c) =>
      drawPanel({
        title: `${row.title}, ${world.name.split("/").at(-1)}`,
        left: SIZE.left + c * (SIZE.width + SIZE.right),
        top: SIZE.top + r * (SIZE.height + SIZE.below),
        width: SIZE.width,
        height: SIZE.height,
        grid,
        gridText: (value) => (row.isShare ? `${100 * value}%` : String(value)),
        ticks: [0, 0.5, 1].map((x) => ({ x, text: String(x * rollouts) })),
        marks: "none",
        lines: lines[c]!,
      }),
    );
  });
  const width = SIZE.left + comparisons.length * (SIZE.width + SIZE.right);
  const height = SIZE.top + ROWS.length * (SIZE.height + SIZE.below);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>Training on errands by rollouts spent, mean over runs</title>
${raw([...drawLegend(comparisons), ...panels].join("\n"))}
</svg>
`.source;
}

function meanLine(
  { method, runs: all }: Arm,
  { series, of = (value) => value }: ChartRow,
): PanelLine[] {
  const runs = all.flatMap(({ training }) => (training[series] ? [training[series]] : []));
  const length = Math.min(...runs.map((values) => values.length));
  if (runs.length === 0 || length < 2) return [];
  const points = Array.from({ length }, (_, i) => {
    const values = runs.flatMap((run) => run[i] ?? []);
    return values.length > 0
      ? [{ x: (i + 1) / length, value: of(computeSpread(values).mean) }]
      : [];
  });
  return [
    { name: displayName(method), index: COLOUR_ORDER.indexOf(method), points: points.flat() },
  ];
}

/** Returns grid lines at 0, at a round number above the highest value, and halfway. */
function gridLinesAbove(lines: readonly (readonly PanelLine[])[]): number[] {
  const most = Math.max(...lines.flat(2).flatMap(({ points }) => points.map(({ value }) => value)));
  if (most <= 0) return [0, 0.5, 1];
  const unit = 10 ** Math.floor(Math.log10(most));
  const top = [1, 2, 3, 4, 6, 8, 10].map((times) => times * unit).find((value) => value >= most)!;
  return [0, top / 2, top];
}

/** Draws a legend of the methods that have a curve. */
function drawLegend(comparisons: readonly Comparison[]): string[] {
  const lines = comparisons.flatMap(({ arms }) => arms.flatMap((arm) => meanLine(arm, ROWS[0]!)));
  const names = new Map(lines.map(({ name, index }) => [name, lineStyle(index).colour]));
  return [...names].map(([name, colour], i) =>
    svgText([SIZE.left + i * 90, 16], name, "start", ` fill="${colour}"`),
  );
}
