/**
 * Runs on one chart: an arm (setting and method) has one colour, each of its runs a thin line, and the mean over its runs a
 * thick one where there are two or more. The mean is taken only where every run of the arm has a value: a run that ended
 * early must not bend it.
 */
import type { Curves, Overlay } from "../../../src/spec/studio/index.ts";
import {
  buildTable,
  type Column,
  computeMeanColumn,
  joinTables,
  type Line,
  listRecordedMetrics,
  type MetricTable,
} from "./series.ts";

export type Arm = Overlay["arms"][number];

/** Series of the theme. */
const SERIES_COLOURS = 6;

export function armColour(arm: number): string {
  return `--series-${1 + (arm % SERIES_COLOURS)}`;
}

/** Of an arm of one run, that run; otherwise its mean, and its runs quietly below it. */
export function buildOverlayLines(
  arms: readonly Arm[],
  findCurves: (run: string) => Curves | undefined,
  phase: string,
  metric: string,
  xAxis: XAxis,
): { readonly x: readonly number[]; readonly lines: readonly Line[] } {
  const runs = arms.flatMap((arm, index) => arm.runs.map((run) => ({ arm, index, run })));
  const { x, columns } = joinTables(
    runs.map(({ run }) => buildTableOnAxis(findCurves(run), phase, metric, xAxis)),
  );
  const lines = arms.flatMap((arm, index) => {
    const own = columns.filter((_, place) => runs[place]!.arm === arm);
    return buildArmLines(arm, index, own);
  });
  return { x, lines };
}

/** Runs that have nothing of this metric (a method of another kind, a run that has just begun) do not count. */
function buildArmLines(arm: Arm, index: number, all: readonly Column[]): Line[] {
  const colour = armColour(index);
  const columns = all.filter((column) => column.some((value) => value !== null));
  if (columns.length === 0) return [];
  // What cannot be told by colour is told by dashes.
  const dashed = index >= SERIES_COLOURS;
  if (columns.length === 1) return [{ name: arm.name, values: columns[0]!, colour, dashed }];
  const thin = columns.map(
    (values, i): Line => ({
      name: `${arm.name} run ${i + 1}`,
      values,
      colour,
      width: 1,
      isQuiet: true,
      dashed,
    }),
  );
  const name = `${arm.name}, mean of ${columns.length}`;
  const values = computeMeanColumn(columns, columns.length);
  return [...thin, { name, values, colour, width: 3, dashed }];
}

/** What x is: equal iterations, or an equal number of rollouts really sampled. */
export type XAxis = "iteration" | "rollouts";

function buildTableOnAxis(
  curves: Curves | undefined,
  phase: string,
  metric: string,
  xAxis: XAxis,
): MetricTable {
  const table = buildTable(curves?.phases[phase], [metric]);
  if (xAxis === "iteration" || phase === "warm") return table;
  const spent = createRolloutCounter(curves);
  return { ...table, x: table.x.map((step) => spent(step)) };
}

/** Training rollouts up to and with an iteration. */
function createRolloutCounter(curves: Curves | undefined): (iteration: number) => number {
  const { x, columns } = buildTable(curves?.phases["loop"], ["rollout/count"]);
  return (iteration) =>
    x.reduce((sum, step, i) => (step <= iteration ? sum + (columns[0]![i] ?? 0) : sum), 0);
}

/** `phase metric` of everything that any of the runs recorded. */
export function listOverlayMetrics(all: readonly (Curves | undefined)[]): string[] {
  const keys = all.flatMap((curves) =>
    Object.entries(curves?.phases ?? {}).flatMap(([phase, columns]) =>
      listRecordedMetrics(columns).map((name) => `${phase} ${name}`),
    ),
  );
  return [...new Set(keys)].sort();
}

/** What the overlay begins with, of what is there. */
export function chooseFirstMetrics(metrics: readonly string[]): string[] {
  const wanted = [
    "eval tgc/dev",
    "loop reward/mean",
    "loop reward/pass_rate",
    "loop group/mixed",
    "loop entropy/mean",
    "loop kl/token",
    "loop gradient/norm",
    "loop ratio/clip_fraction",
  ];
  return wanted.filter((key) => metrics.includes(key));
}
