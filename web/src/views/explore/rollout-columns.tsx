/** The columns of the table of rollouts, and the choice of them, which the address holds. */
import type { ComponentChildren } from "preact";
import type { RolloutFacts } from "../../../../src/spec/facts.ts";
import { replaceQuery } from "../../lib/address.ts";
import { formatCompact } from "../../lib/format.ts";
import { RecordedText } from "../../parts/recorded-text.tsx";

export interface Column {
  readonly column: string;
  readonly name: string;
  readonly number?: boolean;
  /** False for a column by which rollouts cannot be sorted. */
  readonly sorts?: false;
  cell(facts: RolloutFacts): ComponentChildren;
}

const numberCell = (value: number | undefined) =>
  value === undefined ? "–" : formatCompact(value);
const textCell = (text: string) => <RecordedText text={text} />;

const COLUMNS: readonly Column[] = [
  { column: "time", name: "Played", cell: describeTime },
  { column: "task", name: "Task", cell: ({ task }) => textCell(task.id) },
  { column: "difficulty", name: "Difficulty", number: true, cell: ({ task }) => task.difficulty },
  { column: "split", name: "Split", cell: ({ task }) => textCell(task.split) },
  { column: "signature", name: "Signature", cell: ({ task }) => textCell(task.signature) },
  { column: "return", name: "Return", number: true, cell: (facts) => numberCell(facts.return) },
  {
    column: "advantage",
    name: "Advantage",
    number: true,
    cell: (facts) => numberCell(facts.advantage),
  },
  { column: "turns", name: "Turns", number: true, cell: ({ turns }) => turns },
  { column: "errors", name: "Errors", number: true, cell: ({ errors }) => errors },
  { column: "tokens", name: "Tokens", number: true, cell: ({ tokens }) => tokens },
  { column: "calls", name: "Calls", number: true, cell: ({ calls }) => calls },
  { column: "statuses", name: "Statuses", sorts: false, cell: (facts) => facts.statuses.join(" ") },
  { column: "outcome", name: "Outcome", cell: ({ outcome }) => outcome },
  {
    column: "differs",
    name: "First other call than the best",
    cell: ({ differs }) => (differs ? textCell(describeDifference(differs)) : "–"),
  },
  {
    column: "why",
    name: "First failed check, or how it ended",
    sorts: false,
    cell: ({ outcome, failedChecks }) =>
      outcome === "finished" ? (
        textCell(failedChecks[0] ?? "")
      ) : (
        <span class="soft">{outcome}</span>
      ),
  },
];

const SHOWN_AT_FIRST = [
  "time",
  "task",
  "return",
  "advantage",
  "turns",
  "errors",
  "tokens",
  "calls",
];
const FIRST_COLUMNS = [...SHOWN_AT_FIRST, "differs", "why"];

/** Returns the columns that the address names, in their order; the task is always shown. */
export function chooseColumns(named: string | undefined): readonly Column[] {
  const names = named === undefined ? FIRST_COLUMNS : named.split(",");
  return COLUMNS.filter(({ column }) => column === "task" || names.includes(column));
}

export function ColumnChoice({ shown }: { readonly shown: readonly Column[] }) {
  const names = shown.map(({ column }) => column);
  const toggle = (name: string) => {
    const next = names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
    const isFirst = next.length === FIRST_COLUMNS.length && next.every(isShownAtFirst);
    replaceQuery({ columns: isFirst ? undefined : next.join(",") });
  };
  return (
    <details class="column-choice">
      <summary>Columns</summary>
      <div class="column-list">
        {COLUMNS.filter(({ column }) => column !== "task").map(({ column, name }) => (
          <label key={column}>
            <input
              type="checkbox"
              checked={names.includes(column)}
              onChange={() => toggle(column)}
            />{" "}
            {name}
          </label>
        ))}
      </div>
    </details>
  );
}

const isShownAtFirst = (name: string) => FIRST_COLUMNS.includes(name);

/** Says which call differs from the best rollout of the group, such as "call 3: pay.send, best: pay.request". */
export function describeDifference({
  call,
  api,
  best,
}: NonNullable<RolloutFacts["differs"]>): string {
  if (api === best) return `call ${call}: ${api}, other arguments`;
  return `call ${call}: ${api ?? "none"}, best: ${best ?? "none"}`;
}

function describeTime({ phase, iteration, mode }: RolloutFacts): string {
  if (phase === "train") return `iteration ${iteration}`;
  const when = phase === "iteration" ? `after iteration ${iteration}` : phase;
  return mode === "T1" ? `${when}, T = 1` : when;
}
