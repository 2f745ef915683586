/** Shows the continuations side by side, in order. Each grows independently. */
import type { Turn } from "../../../src/spec/rollout.ts";
import type { RolloutRow } from "../../../src/spec/studio/index.ts";
import type { Continuation, Continuations } from "../lib/continuations.ts";
import { formatDecimals } from "../lib/format.ts";
import { CheckList } from "./check-list.tsx";
import { RecordedText } from "./recorded-text.tsx";
import { TurnBody } from "./turn.tsx";

export function ContinuationCards({
  state: { continuations, phase },
  record,
  hidesChecks,
}: {
  readonly state: Continuations;
  /** How the record continued from the same state; absent if the episode is no fork, or until it is loaded. */
  readonly record: RecordedContinuation | undefined;
  readonly hidesChecks: boolean;
}) {
  return (
    <ol class="branches plain">
      {record && (
        <li class="card" aria-label="The record">
          <p class="head">
            <b>The record</b> <Result row={record.row} />
          </p>
          <Turns turns={record.turns} />
        </li>
      )}
      {continuations.map((one, i) => (
        <li key={i} class="card" aria-label={`Continuation ${i + 1}`}>
          <ContinuationHead one={one} number={i + 1} running={phase === "running"} />
          {one.end && !hidesChecks && <ContinuationChecks checks={one.end.checks} />}
          <Turns turns={one.turns} />
        </li>
      ))}
    </ol>
  );
}

/** The turns of a recorded rollout from the fork on, and its row. */
export interface RecordedContinuation {
  readonly turns: readonly Turn[];
  readonly row: RolloutRow;
}

function Turns({ turns }: { readonly turns: readonly Turn[] }) {
  return (
    <ol class="branch-turns">
      {turns.map((turn, i) => (
        <li key={i}>
          <TurnBody turn={turn} />
        </li>
      ))}
    </ol>
  );
}

function Result({ row }: { readonly row: RolloutRow }) {
  return (
    <>
      <span class={row.passed ? "up" : "down"}>{row.passed ? "✓ solved" : "✗ not solved"}</span>{" "}
      <span class="soft">
        reward {row.reward === undefined ? "none" : formatDecimals(row.reward, 2)}, {row.outcome}
      </span>
      {row.failure !== undefined && (
        <span class="problem">
          {" "}
          <RecordedText text={row.failure} />
        </span>
      )}
    </>
  );
}

function ContinuationHead(props: {
  readonly one: Continuation;
  readonly number: number;
  readonly running: boolean;
}) {
  const { one, number, running } = props;
  const row = one.end?.row;
  return (
    <p class="head">
      <b>{number}</b>{" "}
      {row ? (
        <Result row={row} />
      ) : (
        <span class="soft">{running ? "running …" : "not finished"}</span>
      )}
    </p>
  );
}

function ContinuationChecks({
  checks,
}: {
  readonly checks: NonNullable<Continuation["end"]>["checks"];
}) {
  const failed = checks.filter((check) => !check.passed);
  return (
    <details>
      <summary>
        {checks.length - failed.length} of {checks.length} checks pass
      </summary>
      <CheckList checks={checks} />
    </details>
  );
}
