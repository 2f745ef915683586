/** The rollouts that match, a row each, with the open ones beside the table. */
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RolloutFacts } from "../../../../src/spec/facts.ts";
import type { ExploredRollouts } from "../../../../src/spec/studio/index.ts";
import { replaceQuery } from "../../lib/address.ts";
import { type KeyBinding, useKeyBindings } from "../../lib/keys.ts";
import { formatOrder, type SortOrder } from "../../lib/sort.ts";
import { RecordedText } from "../../parts/recorded-text.tsx";
import { ScrollFrame } from "../../parts/scroll-frame.tsx";
import { SortHeader } from "../../parts/sort-header.tsx";
import { OpenRollouts } from "./open-rollouts.tsx";
import { formatPlace } from "./rollout-address.ts";
import type { Column } from "./rollout-columns.tsx";

export function RolloutRows({
  answer,
  order,
  bar,
  columns,
  showRun,
  open,
  showsChecks,
}: {
  readonly answer: ExploredRollouts;
  readonly columns: readonly Column[];
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
              {columns.map(({ column, name, number, sorts }) =>
                sorts === false ? (
                  <th key={column} scope="col">
                    {name}
                  </th>
                ) : (
                  <SortHeader
                    key={column}
                    {...{ name, column, order }}
                    {...(number && { number, natural: "descending" as const })}
                    onOrder={(next) => replaceQuery({ sort: formatOrder(next), open: undefined })}
                  />
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {rollouts.map((facts, i) => (
              <RolloutRow
                key={places[i]}
                {...{ facts, columns, showRun, index: i }}
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

/** The classes of cells whose text may be cut. */
const WIDE_CELLS: Readonly<Record<string, string>> = {
  why: "explore-why",
  differs: "explore-why",
  signature: "explore-why",
};

function RolloutRow({
  facts,
  columns,
  index,
  showRun,
  isAt,
  isOpen,
  onOpen,
}: {
  readonly facts: RolloutFacts;
  readonly columns: readonly Column[];
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
      {columns.map(({ column, number, cell }) => (
        <td key={column} class={number ? "number" : WIDE_CELLS[column]}>
          {column === "task" ? (
            <button type="button" class="row-link" onClick={onOpen}>
              {cell(facts)}
            </button>
          ) : (
            cell(facts)
          )}
        </td>
      ))}
    </tr>
  );
}
