/**
 * Draws several runs in one chart. An arm (setting and method) has one colour. Each of its runs is a thin line, and the
 * mean over two or more runs is a thick line. The mean is drawn only where every run of the arm has a value, so that a
 * run that ended early does not distort it.
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

/** The number of series colours in the theme. */
const SERIES_COLOURS = 6;

export function armColour(arm: number): string {
  return `--series-${1 + (arm % SERIES_COLOURS)}`;
}

/**
 * Builds the lines of all arms. An arm with one run has the line of this run; any other arm has the lines of its runs
 * and of their mean.
 */
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

/** Builds the lines of an arm. Runs that have no value of this metric, such as a new run, are left out. */
function buildArmLines(arm: Arm, index: number, all: readonly Column[]): Line[] {
  const colour = armColour(index);
  const columns = all.filter((column) => column.some((value) => value !== null));
  if (columns.length === 0) return [];
  // Arms beyond the number of colours are dashed.
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

/** What the horizontal axis counts: iterations, or rollouts sampled in training. */
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

/** Returns a function that counts the training rollouts up to and including an iteration. */
function createRolloutCounter(curves: Curves | undefined): (iteration: number) => number {
  const { x, columns } = buildTable(curves?.phases["loop"], ["rollout/count"]);
  return (iteration) =>
    x.reduce((sum, step, i) => (step <= iteration ? sum + (columns[0]![i] ?? 0) : sum), 0);
}

/** Lists all metrics that any of the runs recorded, in the form `phase metric`. */
export function listOverlayMetrics(all: readonly (Curves | undefined)[]): string[] {
  const keys = all.flatMap((curves) =>
    Object.entries(curves?.phases ?? {}).flatMap(([phase, columns]) =>
      listRecordedMetrics(columns).map((name) => `${phase} ${name}`),
    ),
  );
  return [...new Set(keys)].sort();
}

/** Chooses which of the recorded metrics are shown first. */
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
