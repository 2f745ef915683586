/** The curves of several runs, with one chart for each metric and one colour for each arm. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Curves } from "../../../src/spec/studio/index.ts";
import { replaceQuery } from "../lib/address.ts";
import { type ApiError, requestJson } from "../lib/api.ts";
import { isPercentMetric, metricTitle, stepUnit } from "../lib/chart-plans.ts";
import { formatShare } from "../lib/format.ts";
import {
  type Arm,
  buildOverlayLines,
  chooseFirstMetrics,
  listOverlayMetrics,
  type XAxis,
} from "../lib/overlay.ts";
import { findMeaning } from "../lib/series.ts";
import { AddChart } from "./add-chart.tsx";
import { Chart } from "./chart.tsx";
import { ErrorMessage } from "./loaded-content.tsx";

export function OverlayCurves({
  arms,
  xAxis,
  more,
}: {
  readonly arms: readonly Arm[];
  readonly xAxis: XAxis;
  readonly more: readonly string[];
}) {
  const { curves, problems } = useCurves(arms.flatMap(({ runs }) => runs));
  const metrics = useMemo(() => listOverlayMetrics(Object.values(curves)), [curves]);
  const first = chooseFirstMetrics(metrics);
  const added = more.filter((key) => metrics.includes(key) && !first.includes(key));
  const others = metrics.filter((key) => !first.includes(key) && !added.includes(key));
  return (
    <>
      <h2>Curves</h2>
      <p class="note">
        A thin line is one run. A thick line is the mean of an arm, where all of its runs have a
        value.{" "}
        <label>
          Horizontal axis{" "}
          <select
            value={xAxis}
            onChange={(event) => replaceQuery({ against: event.currentTarget.value })}
          >
            <option value="iteration">iterations</option>
            <option value="rollouts">rollouts in training</option>
          </select>
        </label>
      </p>
      {problems.map((problem) => (
        <ErrorMessage key={problem} text={problem} />
      ))}
      <div class="charts">
        {[...first, ...added].map((key) => (
          <MetricChart key={key} metric={key} {...{ arms, curves, xAxis }} />
        ))}
      </div>
      <AddChart others={others} added={added} />
    </>
  );
}

type CurvesByRun = Readonly<Record<string, Curves>>;

function MetricChart({
  metric: key,
  arms,
  curves,
  xAxis,
}: {
  readonly metric: string;
  readonly arms: readonly Arm[];
  readonly curves: CurvesByRun;
  readonly xAxis: XAxis;
}) {
  const [phase = "", metric = ""] = key.split(" ");
  const { x, lines } = useMemo(
    () => buildOverlayLines(arms, (run) => curves[run], phase, metric, xAxis),
    [arms, curves, key, xAxis],
  );
  const glossary = Object.values(curves)[0]?.glossary ?? {};
  const isRollouts = xAxis === "rollouts" && phase !== "warm";
  return (
    <Chart
      title={metricTitle(key)}
      meaning={findMeaning(metric, glossary)}
      xName={isRollouts ? "rollouts" : stepUnit(phase)}
      x={x}
      lines={lines}
      {...(isPercentMetric(key) && { format: formatShare })}
      {...(/^(tgc|sgc|group)\/|^reward\/(mean|pass_rate)$/.test(metric) && { range: [0, 1] })}
    />
  );
}

/** Loads the curves of all runs. A run whose curves cannot be read is reported, and the others are drawn. */
function useCurves(runs: readonly string[]) {
  const [curves, setCurves] = useState<CurvesByRun>({});
  const [problems, setProblems] = useState<readonly string[]>([]);
  const key = JSON.stringify(runs);
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    for (const run of runs) {
      requestJson<Curves>(["runs", run, "metrics"], { signal }).then(
        (answer) => setCurves((before) => ({ ...before, [run]: answer })),
        (error: ApiError) => {
          if (!signal.aborted) setProblems((before) => [...before, `${run}: ${error.message}`]);
        },
      );
    }
    return () => gone.abort();
  }, [key]);
  return { curves, problems };
}
