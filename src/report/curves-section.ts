/**
 * Renders the learning curves of the report. Paths are those of `metrics.jsonl`. A metric that is not listed here is
 * drawn under "more curves", so no metric is ever hidden.
 */
import type { MetricLine } from "../spec/index.ts";
import { METRIC_GLOSSARY } from "../train/index.ts";
import { type Html, html } from "./html.ts";
import { type Chart, type Point, renderLineChart } from "./line-chart.ts";

interface ListedCurve {
  readonly phase: MetricLine["phase"];
  readonly path: string;
  readonly title: string;
  readonly caption: string;
  readonly percent?: boolean;
  readonly range?: readonly [number, number];
  readonly logarithmic?: boolean;
}

const LISTED_CURVES: readonly ListedCurve[] = [
  {
    phase: "loop",
    path: "reward/mean",
    title: "Reward",
    caption: "Mean reward of the rollouts of an iteration.",
    range: [0, 1],
  },
  {
    phase: "eval",
    path: "tgc/dev",
    title: "TGC on dev",
    caption: "Share of held-out tasks solved, greedy decoding.",
    percent: true,
    range: [0, 1],
  },
  {
    phase: "loop",
    path: "reward/pass_rate",
    title: "Training tasks solved",
    caption: "Share of rollouts that pass every check, T = 1.",
    percent: true,
    range: [0, 1],
  },
  {
    phase: "warm",
    path: "warm/loss",
    title: "Warm start",
    caption: "Imitation loss in nats per token.",
    logarithmic: true,
  },
  {
    phase: "loop",
    path: "ratio/clip_fraction",
    title: "Clip fraction",
    caption: "Share of tokens whose ratio is clipped.",
    percent: true,
  },
  {
    phase: "loop",
    path: "gradient/norm",
    title: "Gradient norm",
    caption: "Gradient norm before clipping, mean over updates.",
  },
  {
    phase: "loop",
    path: "logprob/sampler_gap",
    title: "Sampler gap",
    caption: "Largest |sampler − learner| difference in log-prob.",
    logarithmic: true,
  },
];

const X_LABELS: { readonly [P in MetricLine["phase"]]: string } = {
  warm: "step",
  loop: "iteration",
  eval: "iteration",
};

export function renderCurvesSection(metrics: readonly MetricLine[]): Html {
  const main = LISTED_CURVES.flatMap((curve) => {
    const points = selectSeries(metrics, curve.phase, curve.path);
    return points.length > 0 ? [renderLineChart(createChart(curve, points))] : [];
  });
  const rest = findUnlistedCurves(metrics).map(({ phase, path }) =>
    renderLineChart({
      title: path,
      caption: findCaption(path, phase),
      xLabel: X_LABELS[phase],
      points: selectSeries(metrics, phase, path),
    }),
  );
  if (main.length + rest.length === 0) return html``;
  return html`<section id="curves"><h2>Learning curves</h2>
<div class="charts">${main}</div>
${rest.length > 0 && html`<details class="more"><summary>${rest.length} more curves</summary><div class="charts small">${rest}</div></details>`}
</section>`;
}

/**
 * Returns the finite values of one metric by step. The step of an evaluation is the iteration after which it took
 * place.
 */
export function selectSeries(
  metrics: readonly MetricLine[],
  phase: MetricLine["phase"],
  path: string,
): Point[] {
  return metrics.flatMap((line) => {
    const y = line[path];
    return line.phase === phase && typeof y === "number" && Number.isFinite(y)
      ? [{ x: line.step, y }]
      : [];
  });
}

function createChart(curve: ListedCurve, points: readonly Point[]): Chart {
  const { title, caption, percent, range, logarithmic } = curve;
  return {
    title,
    caption,
    xLabel: X_LABELS[curve.phase],
    points,
    ...(percent ? { percent } : {}),
    ...(range ? { range } : {}),
    ...(logarithmic ? { logarithmic } : {}),
  };
}

/**
 * Returns the glossary's description of a metric. All metrics of a family such as `behaviour/<name>` have only a
 * description of their phase.
 */
function findCaption(path: string, phase: string): string {
  return METRIC_GLOSSARY[path] ?? phase;
}

function findUnlistedCurves(
  metrics: readonly MetricLine[],
): { phase: MetricLine["phase"]; path: string }[] {
  const shown = new Set(LISTED_CURVES.map(({ phase, path }) => `${phase} ${path}`));
  const found = new Map<string, { phase: MetricLine["phase"]; path: string }>();
  for (const line of metrics) {
    for (const [path, value] of Object.entries(line)) {
      const key = `${line.phase} ${path}`;
      if (path.includes("/") && typeof value === "number" && !shown.has(key)) {
        found.set(key, { phase: line.phase, path });
      }
    }
  }
  return [...found.values()].filter(
    ({ phase, path }) => selectSeries(metrics, phase, path).length > 1,
  );
}
