/** Plans the charts on a run's page and their labels. A reader can add charts of further metrics. */
import type { Curves } from "../../../src/spec/studio/index.ts";
import { orderSplits } from "./run-table.ts";
import { listRecordedMetrics } from "./series.ts";

export interface ChartLine {
  /** The metric's name in `metrics.jsonl`. */
  readonly metric: string;
  readonly name: string;
  /** The number of the colour in the palette, from 1. */
  readonly colour: number;
  readonly dashed?: boolean;
}

export interface ChartPlan {
  readonly title: string;
  readonly phase: string;
  readonly lines: readonly ChartLine[];
  readonly percent?: boolean;
  readonly range?: readonly [number, number];
  readonly logarithmic?: boolean;
}

const chartLine = (metric: string, name: string, colour: number): ChartLine => ({
  metric,
  name,
  colour,
});

const UNIT_RANGE = [0, 1] as const;

const STANDARD_PLANS: readonly ChartPlan[] = [
  {
    title: "Reward",
    phase: "loop",
    lines: [chartLine("reward/mean", "mean return", 1), chartLine("reward/pass_rate", "passed", 2)],
    range: UNIT_RANGE,
  },
  {
    title: "Groups by outcome",
    phase: "loop",
    lines: [
      chartLine("group/mixed", "returns differ", 1),
      chartLine("group/all_right", "all passed", 5),
      chartLine("group/all_wrong", "all failed", 4),
    ],
    percent: true,
    range: UNIT_RANGE,
  },
  {
    title: "Entropy",
    phase: "loop",
    lines: [
      chartLine("entropy/mean", "of the distributions", 3),
      chartLine("entropy/sampled", "of sampled tokens", 5),
    ],
  },
  {
    title: "KL of a token",
    phase: "loop",
    lines: [
      chartLine("kl/token", "to the policy before the step", 1),
      chartLine("kl/reference", "to the reference", 2),
      chartLine("kl/start", "from the start", 3),
    ],
  },
  { title: "KL of a rollout", phase: "loop", lines: [chartLine("kl/trajectory", "nats", 1)] },
  {
    title: "Clip share",
    phase: "loop",
    lines: [chartLine("ratio/clip_fraction", "of action tokens", 2)],
    percent: true,
  },
  {
    title: "Gradient norm",
    phase: "loop",
    lines: [chartLine("gradient/norm", "before clipping", 5)],
  },
  {
    title: "Sampler gap",
    phase: "loop",
    lines: [chartLine("logprob/sampler_gap", "largest, nats", 4)],
    logarithmic: true,
  },
  {
    title: "Warm start",
    phase: "warm",
    lines: [chartLine("warm/loss", "loss, nats per token", 6)],
    logarithmic: true,
  },
];

/**
 * Plans the charts of all recorded metrics. The chart of TGC (the share of tasks that pass) comes second. `missing`
 * lists the charts for which the run recorded nothing.
 */
export function planCharts(curves: Curves): {
  readonly plans: readonly ChartPlan[];
  readonly missing: readonly string[];
} {
  const kept = STANDARD_PLANS.map((plan) => {
    const there = new Set(listRecordedMetrics(curves.phases[plan.phase]));
    return { ...plan, lines: plan.lines.filter(({ metric }) => there.has(metric)) };
  });
  const tgc = planGoalCompletion(curves);
  const [reward, ...others] = kept;
  const plans = [reward!, ...(tgc ? [tgc] : []), ...others].filter(({ lines }) => lines.length > 0);
  const missing = STANDARD_PLANS.filter((_, i) => kept[i]!.lines.length === 0).map(
    ({ title }) => title,
  );
  return { plans, missing: tgc ? missing : ["TGC", ...missing] };
}

/** Plans a chart with one line for each split. The line is dashed for a split that was sampled at temperature 1. */
function planGoalCompletion(curves: Curves): ChartPlan | undefined {
  const keys = listRecordedMetrics(curves.phases["eval"])
    .filter((name) => name.startsWith("tgc/"))
    .map((name) => name.slice("tgc/".length));
  if (keys.length === 0) return undefined;
  const splits = [...new Set(orderSplits(keys).map((key) => key.split("@")[0]!))];
  return {
    title: "Tasks solved (TGC)",
    phase: "eval",
    percent: true,
    range: UNIT_RANGE,
    lines: orderSplits(keys).map((key) => ({
      metric: `tgc/${key}`,
      name: key.replace("@T1", " at T = 1"),
      colour: 1 + (splits.indexOf(key.split("@")[0]!) % 6),
      dashed: key.includes("@"),
    })),
  };
}

/** Lists all metrics that are on no chart, in the form `phase metric`. */
export function listOtherMetrics(curves: Curves, plans: readonly ChartPlan[]): string[] {
  const shown = new Set(
    plans.flatMap(({ phase, lines }) => lines.map(({ metric }) => `${phase} ${metric}`)),
  );
  return Object.keys(curves.phases).flatMap((phase) =>
    listRecordedMetrics(curves.phases[phase])
      .map((metric) => `${phase} ${metric}`)
      .filter((key) => !shown.has(key)),
  );
}

/** Plans a chart of one metric. The metric is named in the form `phase metric`. */
export function planMetric(key: string): ChartPlan {
  const [phase = "", metric = ""] = key.split(" ");
  return { title: metric, phase, lines: [{ metric, name: metric, colour: 3 }] };
}

/** Returns whether a run's page shows a metric, named in the form `phase metric`, as a percentage. */
export function isPercentMetric(key: string): boolean {
  const [phase = "", metric = ""] = key.split(" ");
  if (phase === "eval") return /^[ts]gc\//.test(metric);
  return STANDARD_PLANS.some(
    (plan) =>
      plan.percent && plan.phase === phase && plan.lines.some((one) => one.metric === metric),
  );
}

/** Returns the title that a run's page gives to a metric, such as `Reward: mean return`. Others keep their names. */
export function metricTitle(key: string): string {
  const [phase = "", metric = ""] = key.split(" ");
  if (phase === "eval" && metric.startsWith("tgc/"))
    return `Tasks solved (TGC): ${metric.slice("tgc/".length).replace("@T1", " at T = 1")}`;
  const plan = STANDARD_PLANS.find(
    (one) => one.phase === phase && one.lines.some((line) => line.metric === metric),
  );
  const line = plan?.lines.find((one) => one.metric === metric);
  return plan && line ? `${plan.title}: ${line.name}` : metric;
}

/** Returns what the horizontal axis counts in a phase. */
export function stepUnit(phase: string): string {
  return phase === "warm" ? "step" : "iteration";
}
