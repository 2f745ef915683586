/** The checks as things stand, and the changed rows beside those that the task wants, when one asks for them. */
import { useEffect, useState } from "preact/hooks";
import type { EpisodeView, StateView as State } from "../../../src/spec/studio/index.ts";
import { type ApiError, api } from "../lib/api.ts";
import { Changes } from "./changes.tsx";
import { CheckList } from "./check-list.tsx";
import { Problem } from "./shown.tsx";

export function Verdict({ episode }: { readonly episode: EpisodeView }) {
  const { id, cells, task } = episode;
  const [state, setState] = useState<State>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [at, setAt] = useState<number>();
  const ask = async (checks?: 1) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const path = ["episodes", id, "evaluate"];
      setState(await api<State>(path, { method: "POST", query: { checks } }));
      setAt(cells.length);
    } catch (error) {
      setProblem((error as ApiError).message);
    }
    setBusy(false);
  };
  // What was asked for once is kept true as cells run.
  useEffect(() => {
    if (state !== undefined && at !== cells.length) void ask(state.checks ? 1 : undefined);
  }, [cells.length]);
  return (
    <section class="verdict" aria-labelledby="verdict" aria-busy={busy}>
      <h2 id="verdict">As things stand</h2>
      <p class="row">
        <button type="button" disabled={busy} onClick={() => ask(state?.checks ? 1 : undefined)}>
          Evaluate now
        </button>
        {state && !state.checks && (
          <button type="button" disabled={busy} onClick={() => ask(1)}>
            Show the checks of this {task.split} task
          </button>
        )}
      </p>
      {problem !== undefined && <Problem text={problem} />}
      {state === undefined && <p class="note">It changes nothing, and may be asked at any time.</p>}
      {state && <p role="status">{verdictInWords(state)}</p>}
      {state?.checks && <CheckList of={state.checks} />}
      {state && <Changes of={state.changes} />}
    </section>
  );
}

function verdictInWords({ checks, changes }: State): string {
  const rows = changes.length === 1 ? "1 row is" : `${changes.length} rows are`;
  if (!checks) return `${rows} not what they were. The checks of test tasks are hidden.`;
  const passed = checks.filter((check) => check.passed).length;
  const verdict = passed === checks.length ? "Solved" : "Not solved";
  return `${verdict}: ${passed} of ${checks.length} checks pass.`;
}
