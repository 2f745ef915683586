/** Evaluates the current state of an episode on request and shows its checks. */
import { useEffect, useState } from "preact/hooks";
import type { EpisodeView, StateView } from "../../../src/spec/studio/index.ts";
import { type ApiError, requestJson } from "../lib/api.ts";
import { pluralize } from "../lib/format.ts";
import { CheckList } from "./check-list.tsx";
import { ErrorMessage } from "./loaded-content.tsx";

export interface EvaluationState {
  readonly state: StateView | undefined;
  readonly problem: string | undefined;
  readonly busy: boolean;
  /** Evaluates the episode. If `checks` is true, the result includes the checks of a test split. */
  evaluate(checks?: boolean): void;
}

/** Holds the evaluation of an episode. After the first request, the evaluation is repeated after every cell. */
export function useEvaluation({ id, cells }: EpisodeView): EvaluationState {
  const [state, setState] = useState<StateView>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const evaluate = async (checks = state?.checks !== undefined) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const query = { checks: checks ? 1 : undefined };
      setState(
        await requestJson<StateView>(["episodes", id, "evaluate"], { method: "POST", query }),
      );
    } catch (error) {
      setProblem((error as ApiError).message);
    }
    setBusy(false);
  };
  useEffect(() => {
    if (state !== undefined) void evaluate();
  }, [cells.length]);
  return { state, problem, busy, evaluate: (checks) => void evaluate(checks) };
}

export function EvaluationPanel({
  evaluation,
  split,
}: {
  readonly evaluation: EvaluationState;
  readonly split: string;
}) {
  const { state, problem, busy, evaluate } = evaluation;
  return (
    <section class="verdict" aria-labelledby="verdict" aria-busy={busy}>
      <h2 id="verdict">Evaluation</h2>
      <p class="row">
        <button type="button" disabled={busy} onClick={() => evaluate()}>
          Evaluate now
        </button>
        {state && !state.checks && (
          <button type="button" disabled={busy} onClick={() => evaluate(true)}>
            Show the checks of this {split} task
          </button>
        )}
      </p>
      {problem !== undefined && <ErrorMessage text={problem} />}
      <p role="status" class={state ? undefined : "note"}>
        {state ? describeEvaluation(state) : "An evaluation does not change the episode."}
      </p>
      {state?.checks && <CheckList checks={state.checks} />}
    </section>
  );
}

function describeEvaluation({ checks, changes }: StateView): string {
  const rows =
    changes.length === 0 ? "Nothing changed" : `${pluralize(changes.length, "row")} changed`;
  if (!checks) return `${rows}. The checks of test splits are hidden.`;
  const passed = checks.filter((check) => check.passed).length;
  const verdict = passed === checks.length ? "Solved" : "Not solved";
  return `${verdict}: ${passed} of ${checks.length} checks pass.`;
}
