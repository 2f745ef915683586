/** The turns in order. The record is shown at once. The replay adds the answers and changes of calls. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Turn } from "../../../../src/spec/rollout.ts";
import type { CallView, ReplayView } from "../../../../src/spec/studio/index.ts";
import { getReport } from "../../lib/report.ts";
import { forkAddress, type RolloutPlace } from "../../lib/rollout-place.ts";
import type { Loaded } from "../../lib/use-api.ts";
import { FailedChecks } from "../../parts/failed-checks.tsx";
import { ErrorMessage } from "../../parts/loaded-content.tsx";
import { RecordedText } from "../../parts/recorded-text.tsx";
import { TurnBody, TurnMark } from "../../parts/turn.tsx";
import type { RolloutTabProps } from "./tab-props.ts";

export function RolloutTurns({ place, view, replay, query }: RolloutTabProps) {
  const { turns } = view.rollout;
  const drawn = useGrowingCount(turns.length, Number(query["turn"] ?? 0));
  const at = query["turn"] === undefined ? undefined : Number(query["turn"]);
  const replayed = replay.value?.kind === "replayed" ? replay.value : undefined;
  return (
    <>
      <ReplayNote replay={replay} />
      <FailedChecks view={view} />
      {turns.length === 0 && <p class="note">The rollout ended before its first turn.</p>}
      <ol class="turns">
        {turns.slice(0, drawn).map((turn, i) => (
          <TurnCard
            key={i}
            place={place}
            turn={turn}
            number={i}
            isChosen={i === at}
            calls={replayed?.turns[i]?.calls}
            differsFromHere={replayed?.equal === false && i === replayed.at}
            canFork={getReport() === undefined && replay.value?.kind !== "impossible"}
          />
        ))}
      </ol>
    </>
  );
}

/** The number of turns that are drawn at once. They fill a screen even if all of them are short. */
const FIRST_TURNS = 8;

/**
 * Returns the number of turns to draw. The first turns are drawn at once, and then the number doubles step by step. So
 * hundreds of turns appear as fast as a few, and soon the browser's search finds all of them.
 */
function useGrowingCount(count: number, asked: number): number {
  const [drawn, setDrawn] = useState(asked + FIRST_TURNS);
  useEffect(() => {
    if (drawn >= count) return;
    const later = setTimeout(() => setDrawn(2 * drawn), 16);
    return () => clearTimeout(later);
  }, [drawn, count]);
  return Math.max(drawn, asked + 1);
}

/** A note on the replay: loading, failed, impossible, different or equal. */
export function ReplayNote({ replay }: { readonly replay: Loaded<ReplayView> }) {
  const { value, error, loading, reload } = replay;
  if (getReport() !== undefined) return null;
  const again = (
    <button type="button" onClick={reload}>
      Replay again
    </button>
  );
  return (
    <div class="replay-word" aria-live="polite">
      {loading && <p class="note">Replaying the rollout in its world …</p>}
      {!loading && error && (
        <>
          <ErrorMessage text={`The rollout could not be replayed: ${error.message}`} /> {again}
        </>
      )}
      {!loading && !error && value?.kind === "impossible" && (
        <p class="note">
          The rollout cannot be replayed, so the answers and changes of its calls are not known:{" "}
          <RecordedText text={value.why} />
        </p>
      )}
      {!loading && !error && value?.kind === "replayed" && (
        <ReplayedNote value={value} again={again} />
      )}
    </div>
  );
}

function ReplayedNote({
  value: { equal, at },
  again,
}: {
  readonly value: Extract<ReplayView, { kind: "replayed" }>;
  readonly again: preact.JSX.Element;
}) {
  if (!equal) {
    return (
      <p class="problem" role="alert">
        The world no longer behaves as recorded
        {at === undefined ? "" : `, from turn ${at + 1} on`}. Answers and changes after that are
        those of the world as it is now. {again}
      </p>
    );
  }
  return (
    <p class="note">
      <span class="up">✓</span> Replayed in its world: all outputs and calls are equal to the
      record. {again}
    </p>
  );
}

interface TurnCardProps {
  readonly place: RolloutPlace;
  readonly turn: Turn;
  readonly number: number;
  readonly isChosen: boolean;
  readonly calls: readonly CallView[] | undefined;
  /** True if the replay differs from the record from this turn on. */
  readonly differsFromHere: boolean;
  /** True if a world can be brought to the state before the turn. */
  readonly canFork: boolean;
}

function TurnCard({
  place,
  turn,
  number,
  isChosen,
  calls,
  differsFromHere,
  canFork,
}: TurnCardProps) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isChosen) return;
    item.current?.focus({ preventScroll: true });
    item.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <li
      ref={item}
      class="card turn"
      tabIndex={-1}
      aria-current={isChosen ? "step" : undefined}
      aria-label={`Turn ${number + 1}`}
    >
      <div class="turn-head">
        <h2>Turn {number + 1}</h2>
        <TurnMark turn={turn} />
        {differsFromHere && <span class="badge bad">the replay differs from here on</span>}
        {canFork && (
          <a href={forkAddress(place, number)} title="Open the world in the state before this turn">
            Continue from here
            <span class="hidden-word"> , before turn {number + 1}</span>
          </a>
        )}
      </div>
      <TurnBody turn={turn} calls={calls} />
    </li>
  );
}
