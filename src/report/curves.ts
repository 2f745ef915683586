/**
 * Which curves the report draws, in which words. Paths are those of `metrics.jsonl`; a path that is not listed here is
 * drawn too, under "more curves", so that no metric is ever hidden.
 */
import type { MetricLine } from "../spec/index.ts";
import { GLOSSARY } from "../train/index.ts";
import { type Chart, lineChart, type Point } from "./chart.ts";
import { type Html, html } from "./html.ts";

interface Curve {
  readonly phase: MetricLine["phase"];
  readonly path: string;
  readonly title: string;
  readonly caption: string;
  readonly percent?: boolean;
  readonly range?: readonly [number, number];
  readonly logarithmic?: boolean;
}

const CURVES: readonly Curve[] = [
  {
    phase: "loop",
    path: "reward/mean",
    title: "Reward",
    caption: "Mean over the rollouts of an iteration.",
    range: [0, 1],
  },
  {
    phase: "eval",
    path: "tgc/dev",
    title: "TGC on dev",
    caption: "Held-out tasks solved, greedy decoding.",
    percent: true,
    range: [0, 1],
  },
  {
    phase: "loop",
    path: "reward/pass_rate",
    title: "Training tasks solved",
    caption: "Rollouts that pass every check, T = 1.",
    percent: true,
    range: [0, 1],
  },
  {
    phase: "warm",
    path: "warm/loss",
    title: "Warm start",
    caption: "Imitation loss, nats a token.",
    logarithmic: true,
  },
  {
    phase: "loop",
    path: "ratio/clip_fraction",
    title: "Clip fraction",
    caption: "Share of tokens at which the clip binds.",
    percent: true,
  },
  {
    phase: "loop",
    path: "gradient/norm",
    title: "Gradient norm",
    caption: "Before clipping, mean over updates.",
  },
  {
    phase: "loop",
    path: "logprob/sampler_gap",
    title: "Sampler gap",
    caption: "Largest |sampler − learner| log-prob.",
    logarithmic: true,
  },
];

const X_LABELS: { readonly [P in MetricLine["phase"]]: string } = {
  warm: "step",
  loop: "iteration",
  eval: "iteration",
};

export function curvesSection(metrics: readonly MetricLine[]): Html {
  const main = CURVES.flatMap((curve) => {
    const points = series(metrics, curve.phase, curve.path);
    return points.length > 0 ? [lineChart(chartOf(curve, points))] : [];
  });
  const rest = otherCurves(metrics).map(({ phase, path }) =>
    lineChart({
      title: path,
      caption: captionOf(path, phase),
      xLabel: X_LABELS[phase],
      points: series(metrics, phase, path),
    }),
  );
  if (main.length + rest.length === 0) return html``;
  return html`<section id="curves"><h2>Learning curves</h2>
<div class="charts">${main}</div>
${rest.length > 0 && html`<details class="more"><summary>${rest.length} more curves</summary><div class="charts small">${rest}</div></details>`}
</section>`;
}

/** Finite values of one metric by step; an evaluation's step is the iteration after which it ran. */
export function series(
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

function chartOf(curve: Curve, points: readonly Point[]): Chart {
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

/** The glossary's words; families such as `behaviour/<name>` are known by their phase alone. */
function captionOf(path: string, phase: string): string {
  return GLOSSARY[path] ?? phase;
}

function otherCurves(
  metrics: readonly MetricLine[],
): { phase: MetricLine["phase"]; path: string }[] {
  const shown = new Set(CURVES.map(({ phase, path }) => `${phase} ${path}`));
  const found = new Map<string, { phase: MetricLine["phase"]; path: string }>();
  for (const line of metrics) {
    for (const [path, value] of Object.entries(line)) {
      const key = `${line.phase} ${path}`;
      if (path.includes("/") && typeof value === "number" && !shown.has(key)) {
        found.set(key, { phase: line.phase, path });
      }
    }
  }
  return [...found.values()].filter(({ phase, path }) => series(metrics, phase, path).length > 1);
}
