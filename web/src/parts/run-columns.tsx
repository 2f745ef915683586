/** The columns of the table of runs. Values that a new or broken run does not have are shown as a dash. */
import type { ComponentChildren } from "preact";
import type { RunRow } from "../../../src/spec/studio/index.ts";
import { formatAge, formatCount, formatDuration, formatMoney } from "../lib/format.ts";
import { PHASE_NAMES } from "../lib/phases.ts";
import { CONFIG_PREFIX, formatConfigValue, type RunExtras } from "../lib/run-extras.ts";
import { fractionDone } from "../lib/run-table.ts";
import type { Direction } from "../lib/sort.ts";
import { RecordedText } from "./recorded-text.tsx";
import { RunTags } from "./run-tags.tsx";
import { ScoreChange } from "./score-change.tsx";
import { Status } from "./status.tsx";

export interface Column {
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

/** What the table shows in addition to the columns that every table has. */
export interface ColumnChoice {
  readonly splits: readonly string[];
  /** Fields of the configuration, as dotted paths. */
  readonly fields: readonly string[];
  readonly extras: RunExtras;
}

/** Lists the columns. Those of costs, tags and notes are left out if no run has any. */
export function listColumns(runs: readonly RunRow[], choice: ColumnChoice): Column[] {
  const { splits, fields, extras } = choice;
  const hasCost = runs.some(({ cost }) => cost !== undefined);
  const back = TRAILING_COLUMNS.filter(({ column }) => hasCost || column !== "cost");
  return [
    ...LEADING_COLUMNS,
    ...fields.map((path) => createConfigColumn(path, extras)),
    ...splits.map(createScoreColumn),
    ...listNoteColumns(runs, extras),
    ...back,
  ];
}

function createConfigColumn(path: string, extras: RunExtras): Column {
  return {
    column: `${CONFIG_PREFIX}${path}`,
    name: path,
    cell: ({ id }) => {
      const value = extras.configValue(id, path);
      return renderText(value === undefined ? undefined : formatConfigValue(value));
    },
  };
}

const MAX_NOTE_CHARACTERS = 60;

function listNoteColumns(runs: readonly RunRow[], extras: RunExtras): Column[] {
  const all = runs.flatMap(({ id }) => extras.notes(id) ?? []);
  const tags: Column = {
    column: "tags",
    name: "Tags",
    cell: ({ id }) => <RunTags tags={extras.notes(id)?.tags ?? []} />,
  };
  const note: Column = {
    column: "note",
    name: "Note",
    cell: ({ id }) => {
      const text = extras.notes(id)?.note ?? "";
      const [line = ""] = text.split("\n");
      const isCut = line.length > MAX_NOTE_CHARACTERS || line.length < text.length;
      return renderText(isCut ? `${line.slice(0, MAX_NOTE_CHARACTERS)} …` : line || undefined);
    },
  };
  return [
    ...(all.some(({ tags }) => tags.length > 0) ? [tags] : []),
    ...(all.some(({ note }) => note !== "") ? [note] : []),
  ];
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
