/** The table of runs. Values that a new or broken run does not have are shown as a dash. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { RunRow } from "../../../src/spec/studio/index.ts";
import { buildAddress } from "../lib/address.ts";
import { formatAge, formatCount, formatDuration, formatMoney } from "../lib/format.ts";
import { PHASE_NAMES } from "../lib/phases.ts";
import { fractionDone } from "../lib/run-table.ts";
import type { Direction, SortOrder } from "../lib/sort.ts";
import { RecordedText } from "./recorded-text.tsx";
import { ScoreChange } from "./score-change.tsx";
import { ScrollFrame } from "./scroll-frame.tsx";
import { SortHeader } from "./sort-header.tsx";
import { Status } from "./status.tsx";

interface Column {
  readonly column: string;
  readonly name: string;
  readonly natural?: Direction;
  readonly number?: boolean;
  cell(run: RunRow): ComponentChildren;
}

const LEADING_COLUMNS: readonly Column[] = [
  { column: "status", name: "Status", cell: ({ status }) => <Status status={status} /> },
  { column: "setting", name: "Setting", cell: ({ setting }) => renderText(setting) },
  { column: "method", name: "Method", cell: ({ method }) => renderText(method) },
  { column: "seed", name: "Seed", number: true, cell: ({ seed }) => seed ?? "–" },
  { column: "world", name: "World", cell: ({ world }) => renderText(world) },
  { column: "progress", name: "Progress", natural: "descending", cell: renderProgress },
];

const TRAILING_COLUMNS: readonly Column[] = [
  {
    column: "rollouts",
    name: "Rollouts",
    natural: "descending",
    number: true,
    cell: ({ rollouts }) => (rollouts === undefined ? "–" : formatCount(rollouts)),
  },
  {
    column: "time",
    name: "Time",
    natural: "descending",
    number: true,
    cell: ({ seconds }) => (seconds === undefined ? "–" : formatDuration(seconds)),
  },
  {
    column: "cost",
    name: "Cost",
    natural: "descending",
    number: true,
    cell: ({ cost }) => (cost === undefined ? "–" : formatMoney(cost)),
  },
  {
    column: "changed",
    name: "Changed",
    natural: "descending",
    number: true,
    cell: ({ changedMs, startedMs }) => renderAge(changedMs ?? startedMs),
  },
];

const createScoreColumn = (split: string): Column => ({
  column: `tgc:${split}`,
  name: `TGC ${split.replace("@T1", ", T = 1")}`,
  natural: "descending",
  cell: ({ before, after }) => <ScoreChange before={before?.[split]} after={after?.[split]} />,
});

/** The number of rows that are shown at first, because a browser draws thousands of rows slowly. */
const PAGE_SIZE = 200;

export function RunTable({
  runs,
  splits,
  order,
  chosen,
  onOrder,
  onChosen,
}: {
  readonly runs: readonly RunRow[];
  readonly splits: readonly string[];
  readonly order: SortOrder;
  readonly chosen: readonly string[];
  onOrder(order: SortOrder): void;
  onChosen(runs: string[]): void;
}) {
  const [shownCount, setMost] = useState(PAGE_SIZE);
  const hasCost = runs.some(({ cost }) => cost !== undefined);
  const back = TRAILING_COLUMNS.filter(({ column }) => hasCost || column !== "cost");
  const columns = [...LEADING_COLUMNS, ...splits.map(createScoreColumn), ...back];
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
          <tbody>
            {runs.slice(0, shownCount).map((run) => (
              <RunTableRow key={run.id} {...{ run, columns, chosen, onChosen }} />
            ))}
          </tbody>
        </table>
        {runs.length === 0 && <p class="note">No run matches the filter.</p>}
      </ScrollFrame>
      {runs.length > shownCount && (
        <button type="button" onClick={() => setMost(shownCount + PAGE_SIZE)}>
          Show more of the {runs.length} runs
        </button>
      )}
    </>
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

function renderText(text: string | undefined) {
  return text === undefined ? "–" : <RecordedText text={text} />;
}

/** Shows what a running run is doing before and between its iterations, or else its iterations. */
function renderProgress({ now, iteration, iterations }: RunRow) {
  const isElsewhere = now !== undefined && now.phase !== "loop";
  const { step, steps } = isElsewhere ? now : { step: iteration, steps: iterations };
  const share = fractionDone({ iteration: step, iterations: steps });
  if (share === undefined) return isElsewhere ? PHASE_NAMES[now.phase] : "–";
  return (
    <span class="runs-progress">
      {isElsewhere && <span class="soft">{PHASE_NAMES[now.phase]}</span>} {step} of {steps}
      <span class="progress" aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  );
}

function renderAge(ms: number | undefined) {
  if (ms === undefined) return "–";
  return (
    <time dateTime={new Date(ms).toISOString()} title={new Date(ms).toLocaleString()}>
      {formatAge(ms, Date.now())}
    </time>
  );
}
