/** A run's charts: those that show whether it learns and stays stable, and those that the user adds. */
import { useMemo } from "preact/hooks";
import type { Curves } from "../../../src/spec/studio/index.ts";
import { buildAddress, navigateTo } from "../lib/address.ts";
import {
  type ChartPlan,
  listOtherMetrics,
  planCharts,
  planMetric,
  stepUnit,
} from "../lib/chart-plans.ts";
import { formatCompact, formatShare } from "../lib/format.ts";
import { getReport } from "../lib/report.ts";
import { buildTable, findMeaning, type Line } from "../lib/series.ts";
import { useApi } from "../lib/use-api.ts";
import { useReloadOnChange } from "../lib/use-visible.ts";
import { AddChart } from "./add-chart.tsx";
import { Chart } from "./chart.tsx";
import { LoadedContent } from "./loaded-content.tsx";

export function RunCurves({
  run,
  version,
  more,
}: {
  readonly run: string;
  readonly version: number;
  /** The metrics that the user added, each as `phase metric`. */
  readonly more: readonly string[];
}) {
  const curves = useApi<Curves>(["runs", run, "metrics"]);
  useReloadOnChange(curves, version);
  return (
    <LoadedContent loaded={curves}>
      {(curves) => <Charts run={run} curves={curves} more={more} />}
    </LoadedContent>
  );
}

interface CurvesProps {
  readonly run: string;
  readonly curves: Curves;
}

function Charts({ run, curves, more }: CurvesProps & { readonly more: readonly string[] }) {
  const { plans, missing } = useMemo(() => planCharts(curves), [curves]);
  const others = useMemo(() => listOtherMetrics(curves, plans), [curves, plans]);
  const added = more.filter((key) => others.includes(key));
  if (plans.length === 0) return <p class="note">No metric has been written yet.</p>;
  return (
    <>
      <div class="charts">
        {[...plans, ...added.map(planMetric)].map((plan) => (
          <PlannedChart key={`${plan.phase} ${plan.title}`} {...{ run, plan, curves }} />
        ))}
      </div>
      <AddChart others={others.filter((key) => !added.includes(key))} added={added} />
      {missing.length > 0 && (
        <p class="note">Not recorded by this run, or not recorded yet: {missing.join(", ")}.</p>
      )}
    </>
  );
}

function PlannedChart({ run, plan, curves }: CurvesProps & { readonly plan: ChartPlan }) {
  const { title, phase, lines, range, logarithmic } = plan;
  const { x, columns } = useMemo(
    () =>
      buildTable(
        curves.phases[phase],
        lines.map(({ metric }) => metric),
      ),
    [curves, plan],
  );
  const drawn = useMemo(
    () =>
      lines.map(
        ({ name, colour, dashed }, i): Line => ({
          name,
          values: columns[i]!,
          colour: `--series-${colour}`,
          ...(dashed && { dashed }),
        }),
      ),
    [columns],
  );
  return (
    <Chart
      title={title}
      meaning={joinMeanings(lines, curves.glossary)}
      xName={stepUnit(phase)}
      x={x}
      lines={drawn}
      format={plan.percent ? formatShare : formatCompact}
      {...(phase === "loop" &&
        getReport() === undefined && { onStep: (step: number) => exploreIteration(run, step) })}
      {...(range && { range })}
      {...(logarithmic && { logarithmic })}
    />
  );
}

function exploreIteration(run: string, iteration: number): void {
  navigateTo(buildAddress(["explore"], { run, q: `phase:train iteration:${iteration}` }));
}

/** Joins the different meanings of the lines, with the names of the lines if there are several. */
function joinMeanings(lines: ChartPlan["lines"], glossary: Curves["glossary"]): string {
  const byText = new Map(lines.map(({ metric, name }) => [findMeaning(metric, glossary), name]));
  byText.delete("");
  if (byText.size === 1) return [...byText.keys()][0]!;
  return [...byText].map(([text, name]) => `${name}: ${text}`).join("; ");
}
