/** The rollouts that match, a row each, with the open ones beside the table. */
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RolloutFacts } from "../../../../src/spec/facts.ts";
import type { ExploredRollouts } from "../../../../src/spec/studio/index.ts";
import { replaceQuery } from "../../lib/address.ts";
import { formatCompact } from "../../lib/format.ts";
import { type KeyBinding, useKeyBindings } from "../../lib/keys.ts";
import { formatOrder, type SortOrder } from "../../lib/sort.ts";
import { RecordedText } from "../../parts/recorded-text.tsx";
import { ScrollFrame } from "../../parts/scroll-frame.tsx";
import { SortHeader } from "../../parts/sort-header.tsx";
import { OpenRollouts } from "./open-rollouts.tsx";
import { formatPlace } from "./rollout-address.ts";

interface Column {
  readonly column: string;
  readonly name: string;
  readonly number?: boolean;
  cell(facts: RolloutFacts): preact.ComponentChildren;
}

const numberCell = (value: number | undefined) =>
  value === undefined ? "–" : formatCompact(value);

const COLUMNS: readonly Column[] = [
  { column: "time", name: "Played", cell: describeTime },
  { column: "task", name: "Task", cell: ({ task }) => <RecordedText text={task.id} /> },
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
];

export function RolloutRows({
  answer,
  order,
  bar,
  showRun,
  open,
  showsChecks,
}: {
  readonly answer: ExploredRollouts;
  readonly order: SortOrder;
  readonly bar: RefObject<HTMLInputElement>;
  readonly showRun: boolean;
  /** The places of the open rollouts. */
  readonly open: readonly string[];
  readonly showsChecks: boolean;
}) {
  const { rollouts } = answer;
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [answer.matching, order.column, order.direction]);
  const places = rollouts.map(formatPlace);
  const moveTo = (row: number) => {
    const next = Math.max(0, Math.min(rollouts.length - 1, row));
    setAt(next);
    // With one open rollout, moving shows the next one in its place.
    if (open.length === 1) showOnly(places[next]);
    document.getElementById(`row-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  const place = places[at];
  const bindings: readonly KeyBinding[] = [
    { keys: ["/"], label: "go to the query", run: () => bar.current?.focus() },
    { keys: ["j", "ArrowDown"], label: "next rollout", run: () => moveTo(at + 1) },
    { keys: ["k", "ArrowUp"], label: "previous rollout", run: () => moveTo(at - 1) },
    { keys: ["Enter"], label: "open the rollout", run: () => showOnly(place) },
    { keys: ["x", "c"], label: "show it beside the others", run: () => toggle(open, place) },
    { keys: ["Escape"], label: "close", run: () => replaceQuery({ open: undefined }) },
  ];
  useKeyBindings(bindings, true);
  if (rollouts.length === 0) return <p class="note">No rollout matches the query.</p>;
  return (
    <div class={open.length > 0 ? "explore-split" : undefined}>
      <ScrollFrame class="explore-table" label="Rollouts that match">
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden-word">Passed</span>
              </th>
              {showRun && <th scope="col">Run</th>}
              {COLUMNS.map(({ column, name, number }) => (
                <SortHeader
                  key={column}
                  {...{ name, column, order }}
                  {...(number && { number, natural: "descending" as const })}
                  onOrder={(next) => replaceQuery({ sort: formatOrder(next), open: undefined })}
                />
              ))}
              <th scope="col">First failed check, or how it ended</th>
            </tr>
          </thead>
          <tbody>
            {rollouts.map((facts, i) => (
              <RolloutRow
                key={places[i]}
                {...{ facts, showRun, index: i }}
                isAt={i === at}
                isOpen={open.includes(places[i]!)}
                onOpen={() => {
                  setAt(i);
                  showOnly(places[i]);
                }}
              />
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      {open.length > 0 && <OpenRollouts places={open} showsChecks={showsChecks} />}
    </div>
  );
}

function showOnly(place: string | undefined): void {
  if (place !== undefined) replaceQuery({ open: place });
}

function toggle(open: readonly string[], place: string | undefined): void {
  if (place === undefined) return;
  const others = open.filter((other) => other !== place);
  replaceQuery({ open: others.length < open.length ? others : [...open, place] });
}

function RolloutRow({
  facts,
  index,
  showRun,
  isAt,
  isOpen,
  onOpen,
}: {
  readonly facts: RolloutFacts;
  readonly index: number;
  readonly showRun: boolean;
  readonly isAt: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  return (
    <tr id={`row-${index}`} class={isAt ? "at" : undefined} aria-selected={isOpen} onClick={onOpen}>
      <td class={facts.passed ? "up" : "down"}>
        <span aria-hidden="true">{facts.passed ? "✓" : "✗"}</span>
        <span class="hidden-word">{facts.passed ? "passed" : "did not pass"}</span>
      </td>
      {showRun && (
        <td>
          <RecordedText text={facts.run} />
        </td>
      )}
      {COLUMNS.map(({ column, number, cell }) => (
        <td key={column} class={number ? "number" : undefined}>
          {column === "task" ? (
            <button type="button" class="row-link" onClick={onOpen}>
              {cell(facts)}
            </button>
          ) : (
            cell(facts)
          )}
        </td>
      ))}
      <td class="explore-why">
        {facts.outcome === "finished" ? (
          <RecordedText text={facts.failedChecks[0] ?? ""} />
        ) : (
          <span class="soft">{facts.outcome}</span>
        )}
      </td>
    </tr>
  );
}

function describeTime({ phase, iteration, mode }: RolloutFacts): string {
  if (phase === "train") return `iteration ${iteration}`;
  const when = phase === "iteration" ? `after iteration ${iteration}` : phase;
  return mode === "T1" ? `${when}, T = 1` : when;
}
