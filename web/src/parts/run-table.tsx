/** The table of runs, as one list or in groups. A group shows its number of runs and the mean and spread of a score. */
import { useState } from "preact/hooks";
import type { RunRow, ScoreGroups } from "../../../src/spec/studio/index.ts";
import { buildAddress } from "../lib/address.ts";
import { formatInterval, formatPercent, pluralize } from "../lib/format.ts";
import type { RunGroup } from "../lib/run-extras.ts";
import type { SortOrder } from "../lib/sort.ts";
import { RecordedText } from "./recorded-text.tsx";
import { type Column, type ColumnChoice, listColumns } from "./run-columns.tsx";
import { ScrollFrame } from "./scroll-frame.tsx";
import { SortHeader } from "./sort-header.tsx";

/** The number of rows that are shown at first, because a browser draws thousands of rows slowly. */
const PAGE_SIZE = 200;

/** The groups of the table, with the summaries of their scores as far as they are known. */
export interface ShownGroups {
  readonly groups: readonly RunGroup[];
  /** The split whose score is summarised; undefined if no run has a score. */
  readonly split: string | undefined;
  readonly summaries: ScoreGroups["groups"] | undefined;
  /** The names of the groups whose runs are shown. */
  readonly open: readonly string[];
  onOpen(names: string[]): void;
}

interface TableProps extends ColumnChoice {
  readonly runs: readonly RunRow[];
  readonly grouping?: ShownGroups | undefined;
  readonly order: SortOrder;
  readonly chosen: readonly string[];
  onOrder(order: SortOrder): void;
  onChosen(runs: string[]): void;
}

export function RunTable(props: TableProps) {
  const { runs, grouping, order, chosen, onOrder, onChosen } = props;
  const [shownCount, setMost] = useState(PAGE_SIZE);
  const columns = listColumns(runs, props);
  const drawRow = (run: RunRow) => (
    <RunTableRow key={run.id} {...{ run, columns, chosen, onChosen }} />
  );
  return (
    <>
      <ScrollFrame class="runs-table" label="Table of runs">
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="soft-only-read">Select</span>
              </th>
              <SortHeader name="Run" column="name" order={order} onOrder={onOrder} />
              {columns.map(({ column, name, natural, number }) => (
                <SortHeader
                  key={column}
                  {...{ name, column, order, onOrder }}
                  {...(natural && { natural })}
                  {...(number && { number })}
                />
              ))}
            </tr>
          </thead>
          {grouping ? (
            grouping.groups.map((group, i) => (
              <tbody key={group.name}>
                <GroupTableRow {...{ group, grouping, width: columns.length + 2 }} at={i} />
                {grouping.open.includes(group.name) && group.runs.map(drawRow)}
              </tbody>
            ))
          ) : (
            <tbody>{runs.slice(0, shownCount).map(drawRow)}</tbody>
          )}
        </table>
        {runs.length === 0 && <p class="note">No run matches the filter.</p>}
      </ScrollFrame>
      {!grouping && runs.length > shownCount && (
        <button type="button" onClick={() => setMost(shownCount + PAGE_SIZE)}>
          Show more of the {runs.length} runs
        </button>
      )}
    </>
  );
}

function GroupTableRow({
  group: { name, runs },
  grouping: { split, summaries, open, onOpen },
  at,
  width,
}: {
  readonly group: RunGroup;
  readonly grouping: ShownGroups;
  readonly at: number;
  readonly width: number;
}) {
  const isOpen = open.includes(name);
  const toggle = () => onOpen(isOpen ? open.filter((other) => other !== name) : [...open, name]);
  return (
    <tr class="runs-group">
      <th scope="rowgroup" colSpan={width}>
        <button type="button" aria-expanded={isOpen} onClick={toggle}>
          <span aria-hidden="true">{isOpen ? "▾" : "▸"} </span>
          <RecordedText text={name} />
        </button>{" "}
        <span class="soft">{pluralize(runs.length, "run")}</span>{" "}
        {split !== undefined && summaries?.[at] && (
          <GroupScore summary={summaries[at]} split={split} />
        )}
      </th>
    </tr>
  );
}

function GroupScore({
  summary: { scored, mean, spread, interval },
  split,
}: {
  readonly summary: ScoreGroups["groups"][number];
  readonly split: string;
}) {
  const name = `TGC ${split.replace("@T1", ", T = 1")}`;
  if (mean === undefined) return <span class="soft">{name}: no run has it yet</span>;
  return (
    <span class="runs-group-score">
      {name}, n = {scored}: <b>{formatPercent(mean)}</b>
      {spread !== undefined && <> ± {formatPercent(spread)} (standard deviation over runs)</>}
      {interval && <>, 95% interval of the mean {formatInterval(interval)}</>}
    </span>
  );
}

function RunTableRow({
  run,
  columns,
  chosen,
  onChosen,
}: {
  readonly run: RunRow;
  readonly columns: readonly Column[];
  readonly chosen: readonly string[];
  onChosen(runs: string[]): void;
}) {
  const { id, problem } = run;
  const isChosen = chosen.includes(id);
  return (
    <tr class={isChosen ? "chosen" : undefined}>
      <td>
        <input
          type="checkbox"
          aria-label={`Select ${id} for comparison`}
          checked={isChosen}
          disabled={run.status === "broken"}
          onChange={() =>
            onChosen(isChosen ? chosen.filter((other) => other !== id) : [...chosen, id])
          }
        />
      </td>
      <th scope="row">
        <a href={buildAddress(["runs", id])}>
          <RecordedText text={id} />
        </a>
        {problem && (
          <div class="problem runs-problem">
            <RecordedText text={problem} />
          </div>
        )}
      </th>
      {columns.map(({ column, cell, number }) => (
        <td key={column} class={number ? "number" : undefined}>
          {cell(run)}
        </td>
      ))}
    </tr>
  );
}
