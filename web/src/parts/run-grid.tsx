/** What the run learned from, group by group: the tasks as a grid that fills while it trains. */
import { useMemo } from "preact/hooks";
import type { Grid } from "../../../src/spec/studio/index.ts";
import { formatPercent } from "../lib/format.ts";
import { classifyGroup } from "../lib/grid-layout.ts";
import { useApi } from "../lib/use-api.ts";
import { useReloadOnChange } from "../lib/use-visible.ts";
import { GridCanvas } from "./grid-canvas.tsx";
import { LoadedContent } from "./loaded-content.tsx";
import "../style/grid.css";

export function RunGrid({ run, version }: { readonly run: string; readonly version: number }) {
  const grid = useApi<Grid>(["runs", run, "grid"]);
  useReloadOnChange(grid, version);
  return (
    <LoadedContent loaded={grid}>
      {(grid) =>
        grid.iterations.some(({ groups }) => groups.length > 0) ? (
          <GridWithLegend run={run} grid={grid} />
        ) : (
          <p class="note">No group has been sampled yet.</p>
        )
      }
    </LoadedContent>
  );
}

function GridWithLegend({ run, grid }: { readonly run: string; readonly grid: Grid }) {
  const counts = useMemo(() => countGroupOutcomes(grid), [grid]);
  return (
    <>
      <p class="note">
        Each row is an iteration, each cell a group: the rollouts of one task. A cell is as full as
        the share of its rollouts that passed every check; only mixed groups teach, for the others
        have nothing to compare.
      </p>
      <ul class="grid-legend">
        <LegendEntry kind="wrong" name="all wrong" counts={counts} />
        <LegendEntry kind="mixed" name="mixed" counts={counts} />
        <LegendEntry kind="right" name="all right" counts={counts} />
        {counts.none > 0 && <LegendEntry kind="none" name="no outcome" counts={counts} />}
      </ul>
      <GridCanvas run={run} grid={grid} />
      <p class="note">
        By keyboard: Tab to the grid, arrow keys, Home, End, Page Up and Page Down move, Enter opens
        the group.
      </p>
    </>
  );
}

type OutcomeCounts = Record<ReturnType<typeof classifyGroup> | "all", number>;

function countGroupOutcomes({ iterations }: Grid): OutcomeCounts {
  const counts: OutcomeCounts = { wrong: 0, mixed: 0, right: 0, none: 0, all: 0 };
  for (const { groups } of iterations) {
    for (const group of groups) {
      counts[classifyGroup(group)]++;
      counts.all++;
    }
  }
  return counts;
}

function LegendEntry({
  kind,
  name,
  counts,
}: {
  readonly kind: ReturnType<typeof classifyGroup>;
  readonly name: string;
  readonly counts: OutcomeCounts;
}) {
  const share = counts.all === 0 ? "0" : formatPercent(counts[kind] / counts.all);
  return (
    <li>
      <span class={`grid-key ${kind}`} aria-hidden="true" />
      {name}: {counts[kind]} <span class="soft">({share}%)</span>
    </li>
  );
}
