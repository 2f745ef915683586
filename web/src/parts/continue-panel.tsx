/**
 * Lets the policy continue several times from the current state, and shows what it would do and which rewards it would
 * get.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type {
  ContinuationEvent,
  ContinueRequest,
  EpisodeView,
} from "../../../src/spec/studio/index.ts";
import { type ApiError, streamEvents } from "../lib/api.ts";
import {
  applyEvent,
  beginContinuations,
  type Continuations,
  stopContinuations,
} from "../lib/continuations.ts";
import { ContinuationCards } from "./continuation-cards.tsx";
import { ContinueForm } from "./continue-form.tsx";
import { ContinueSummary } from "./continue-summary.tsx";
import { ErrorMessage } from "./loaded-content.tsx";
import { type PolicyChoice, PolicyChooser } from "./policy-chooser.tsx";
import { RecordedText } from "./recorded-text.tsx";

export function ContinuePanel({
  episode,
  hidesChecks,
}: {
  readonly episode: EpisodeView;
  readonly hidesChecks: boolean;
}) {
  const { id, policy, finished, record, world } = episode;
  const ownRun = world.run ?? record?.run;
  const [choice, setChoice] = useState<PolicyChoice>(ownRun === undefined ? {} : { run: ownRun });
  const { state, start, stop } = useContinuations(id);
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
      {state && <ContinuationCards state={state} hidesChecks={hidesChecks} />}
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

/** Runs one set of continuations at a time. Leaving the view stops them. */
function useContinuations(id: string) {
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
  };
  return { state, start, stop };
}

/** Marks continuations as failed if the stream ended without a last event. */
function failIfRunning(state: Continuations): Continuations {
  const error = "the studio closed the connection before all continuations were finished";
  return state.phase === "running" ? applyEvent(state, { type: "failed", error }) : state;
}
