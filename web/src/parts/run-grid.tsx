/** The grid of the groups from which the run learned, which fills while the run trains, and a table of its groups. */
import { useMemo } from "preact/hooks";
import type { Grid, RunDetail } from "../../../src/spec/studio/index.ts";
import type { ViewProps } from "../lib/address.ts";
import { formatPercent } from "../lib/format.ts";
import { classifyGroup } from "../lib/grid-layout.ts";
import { describeFile } from "../lib/rollout-files.ts";
import { useApi } from "../lib/use-api.ts";
import { useReloadOnChange } from "../lib/use-visible.ts";
import { FileGroups } from "./file-groups.tsx";
import { FilterSelect } from "./filter-select.tsx";
import { GridCanvas } from "./grid-canvas.tsx";
import { LoadedContent } from "./loaded-content.tsx";
import "../style/grid.css";

interface GridProps {
  readonly run: string;
  readonly version: number;
  readonly files: RunDetail["files"];
  readonly query: ViewProps["address"]["query"];
}

export function RunGrid({ run, version, files, query }: GridProps) {
  const grid = useApi<Grid>(["runs", run, "grid"]);
  useReloadOnChange(grid, version);
  return (
    <>
      <LoadedContent loaded={grid}>
        {(grid) =>
          grid.iterations.some(({ groups }) => groups.length > 0) ? (
            <GridWithLegend run={run} grid={grid} />
          ) : (
            <p class="note">No group has been sampled yet.</p>
          )
        }
      </LoadedContent>
      {files.length > 0 && <FileTable {...{ run, version, files, query }} />}
    </>
  );
}

/** The table of the groups of one file; at first of the newest iteration. */
function FileTable({ run, version, files, query }: GridProps) {
  const newest = files.findLast(({ kind }) => kind === "train") ?? files.at(-1)!;
  const file = files.find(({ name }) => name === query["file"]) ?? newest;
  return (
    <section aria-label="Table of groups">
      <h2>Groups as a table</h2>
      <p>
        <FilterSelect
          name="file"
          label="Groups of"
          value={query["file"]}
          all={describeFile(newest)}
          choices={files
            .filter(({ name }) => name !== newest.name)
            .map((one) => ({ value: one.name, text: describeFile(one) }))}
        />
      </p>
      <FileGroups key={file.name} {...{ run, version, query }} file={file.name} />
    </section>
  );
}

function GridWithLegend({ run, grid }: { readonly run: string; readonly grid: Grid }) {
  const counts = useMemo(() => countGroupOutcomes(grid), [grid]);
  return (
    <>
      <p class="note">
        Each row is an iteration. Each cell is a group, the rollouts of one task. A cell is filled
        up to the share of its rollouts that passed every check. The policy learns only from mixed
        groups, because in the others all rollouts have the same result.
      </p>
      <ul class="grid-legend">
        <LegendEntry kind="wrong" name="all failed" counts={counts} />
        <LegendEntry kind="mixed" name="mixed" counts={counts} />
        <LegendEntry kind="right" name="all passed" counts={counts} />
        {counts.none > 0 && <LegendEntry kind="none" name="not evaluated" counts={counts} />}
      </ul>
      <GridCanvas run={run} grid={grid} />
      <p class="note">
        With the keyboard: reach the grid with Tab, move with the arrow keys, Home, End, Page Up and
        Page Down, and open a group with Enter.
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
