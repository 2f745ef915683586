/**
 * Lets the policy continue several times from the current state, and shows what it would do and which rewards it would
 * get.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type {
  ContinuationEvent,
  ContinueRequest,
  EpisodeView,
  RolloutView,
} from "../../../src/spec/studio/index.ts";
import { type ApiError, streamEvents } from "../lib/api.ts";
import {
  applyEvent,
  beginContinuations,
  type Continuations,
  stopContinuations,
} from "../lib/continuations.ts";
import { useApi } from "../lib/use-api.ts";
import { ContinuationCards, type RecordedContinuation } from "./continuation-cards.tsx";
import { ContinueForm } from "./continue-form.tsx";
import { ContinueSummary } from "./continue-summary.tsx";
import { KeptContinuations } from "./kept-continuations.tsx";
import { ErrorMessage } from "./loaded-content.tsx";
import { type PolicyChoice, PolicyChooser } from "./policy-chooser.tsx";
import { RecordedText } from "./recorded-text.tsx";

const STOP_MS = 1000;

export function ContinuePanel({
  episode,
  hidesChecks,
  onEnd,
}: {
  readonly episode: EpisodeView;
  readonly hidesChecks: boolean;
  /** Called when continuations have ended, because the fork is then kept. */
  onEnd(): void;
}) {
  const { id, policy, finished, record, world } = episode;
  const recorded = useRecordedContinuation(record);
  const ownRun = world.run ?? record?.run;
  const [choice, setChoice] = useState<PolicyChoice>(ownRun === undefined ? {} : { run: ownRun });
  const { state, start, stop } = useContinuations(id, onEnd);
  return (
    <section aria-labelledby="continue">
      <h2 id="continue">Let the policy continue</h2>
      <PolicyNote policy={policy} isChosen={ownRun === undefined && choice.run !== undefined} />
      {finished && <p class="note">The task is finished, so the policy cannot continue it.</p>}
      {!finished && (
        <ContinueForm
          running={state?.phase === "running"}
          ready={choice.run !== undefined}
          onStart={(request) => start({ ...request, ...choice })}
          onStop={stop}
        >
          <PolicyChooser world={world.name} ownRun={ownRun} choice={choice} onChange={setChoice} />
        </ContinueForm>
      )}
      {state?.policy && (
        <p class="note">
          Continuing: <RecordedText text={state.policy.name} />, scaffold {state.policy.scaffold}.
        </p>
      )}
      {state?.error !== undefined && <ErrorMessage text={state.error} />}
      {state && <ContinueSummary state={state} record={record?.row} />}
      {state && <ContinuationCards {...{ state, hidesChecks, record: recorded }} />}
      <KeptContinuations
        {...{ episode, recorded, hidesChecks }}
        isShown={state === undefined || state.phase !== "running"}
        hasShown={state !== undefined}
      />
    </section>
  );
}

function PolicyNote({
  policy,
  isChosen,
}: {
  readonly policy: EpisodeView["policy"];
  readonly isChosen: boolean;
}) {
  if (!("why" in policy)) {
    return (
      <p class="note">
        <b>
          <RecordedText text={policy.name} />
        </b>{" "}
        continues with the scaffold {policy.scaffold}, unless you choose another policy. Each
        continuation is a separate fork, so this episode does not change.
      </p>
    );
  }
  if (isChosen) return <p class="note">Choose the run whose policy continues.</p>;
  return (
    <p class="note">
      No policy can continue here: <RecordedText text={policy.why} />
    </p>
  );
}

/** Loads how the record continued from the state of the fork. */
function useRecordedContinuation(record: EpisodeView["record"]): RecordedContinuation | undefined {
  const path = record && ["runs", record.run, "files", record.file, "rollouts", record.row.id];
  const view = useApi<RolloutView>(path ?? null).value;
  return view && record && { row: record.row, turns: view.rollout.turns.slice(record.turn) };
}

/** Runs one set of continuations at a time. Leaving the view stops them. */
function useContinuations(id: string, onEnd: () => void) {
  const [state, set] = useState<Continuations>();
  const running = useRef<AbortController>();
  useEffect(() => () => running.current?.abort(), []);
  const updateState = (how: (state: Continuations) => Continuations) =>
    set((state) => state && how(state));
  const start = async (body: ContinueRequest) => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    set(beginContinuations(body.rollouts));
    try {
      const call = { method: "POST", body, signal: mine.signal } as const;
      await streamEvents<ContinuationEvent>(["episodes", id, "continue"], call, (event) => {
        if (!mine.signal.aborted) updateState((state) => applyEvent(state, event));
      });
      if (!mine.signal.aborted) updateState(failIfRunning);
      onEnd();
    } catch (error) {
      if (mine.signal.aborted) return;
      updateState((state) =>
        applyEvent(state, { type: "failed", error: (error as ApiError).message }),
      );
    }
  };
  const stop = () => {
    running.current?.abort();
    updateState(stopContinuations);
    // The server keeps the continuations that had ended, once the others have stopped.
    setTimeout(onEnd, STOP_MS);
  };
  return { state, start, stop };
}

/** Marks continuations as failed if the stream ended without a last event. */
function failIfRunning(state: Continuations): Continuations {
  const error = "the studio closed the connection before all continuations were finished";
  return state.phase === "running" ? applyEvent(state, { type: "failed", error }) : state;
}
