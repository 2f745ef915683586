/** Shows the continuations side by side, in order. Each grows independently. */
import type { Continuation, Continuations } from "../lib/continuations.ts";
import { CheckList } from "./check-list.tsx";
import { RecordedText } from "./recorded-text.tsx";
import { TurnBody } from "./turn.tsx";

export function ContinuationCards({
  state: { continuations, phase },
  hidesChecks,
}: {
  readonly state: Continuations;
  readonly hidesChecks: boolean;
}) {
  return (
    <ol class="branches plain">
      {continuations.map((one, i) => (
        <li key={i} class="card" aria-label={`Continuation ${i + 1}`}>
          <ContinuationHead one={one} number={i + 1} running={phase === "running"} />
          {one.end && !hidesChecks && <ContinuationChecks checks={one.end.checks} />}
          <ol class="branch-turns">
            {one.turns.map((turn, i) => (
              <li key={i}>
                <TurnBody turn={turn} />
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
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
        <>
          <span class={row.passed ? "up" : "down"}>{row.passed ? "✓ solved" : "✗ not solved"}</span>{" "}
          <span class="soft">
            reward {row.reward?.toFixed(2) ?? "none"}, {row.outcome}
          </span>
          {row.failure !== undefined && (
            <span class="problem">
              {" "}
              <RecordedText text={row.failure} />
            </span>
          )}
        </>
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
