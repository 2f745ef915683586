/** The final state against the intended one: check by check, then the rows, sorted into wanted and done, missing, too much. */
import type { StateView } from "../../../../src/spec/studio/index.ts";
import { compareChanges } from "../../lib/compare-changes.ts";
import { hidesChecks } from "../../lib/rollout-place.ts";
import { PartsTable } from "../../parts/change-tables.tsx";
import { Changes } from "../../parts/changes.tsx";
import { Checks } from "../../parts/checks.tsx";
import { HiddenChecks } from "../../parts/hidden-checks.tsx";
import { Value } from "../../parts/value.tsx";
import type { RolloutTabProps } from "./tab-props.ts";
import { ReplayWord } from "./turns.tsx";

export function RolloutState({ view: { rollout }, replay, checks }: RolloutTabProps) {
  const hidden = hidesChecks(rollout.task.split, checks);
  const replayed = replay.value?.kind === "replayed" ? replay.value : undefined;
  const results = replayed?.state.checks ?? rollout.evaluation?.checks ?? [];
  return (
    <>
      <ReplayWord replay={replay} />
      <h2>Checks</h2>
      {hidden ? <HiddenChecks /> : <Checks of={results} />}
      {replayed && <StateTables state={replayed.state} />}
    </>
  );
}

export function StateTables({
  state: { changes, intended, answer },
}: {
  readonly state: StateView;
}) {
  if (intended === undefined) {
    return (
      <>
        <h2>What was changed</h2>
        {changes.length === 0 ? <p class="note">Nothing.</p> : <Changes of={changes} />}
      </>
    );
  }
  const { both, missing, extra } = compareChanges(intended, changes);
  const quiet = changes.filter(({ content }) => !content);
  return (
    <>
      <PartsTable title="Wanted and missing" kind="missing" parts={missing} />
      <PartsTable title="Done and not wanted" kind="extra" parts={extra} />
      <PartsTable title="Wanted and done" kind="both" parts={both} />
      {answer && (
        <>
          <h2>Answer</h2>
          <dl class="facts">
            <div>
              <dt>wanted</dt>
              <dd>
                <Value of={answer.wanted} />
              </dd>
            </div>
            <div>
              <dt>given</dt>
              <dd>
                <Value of={answer.given} />
              </dd>
            </div>
          </dl>
        </>
      )}
      {quiet.length > 0 && (
        <details class="actions">
          <summary>Bookkeeping that came with it ({quiet.length}): it does not count</summary>
          <Changes of={quiet} />
        </details>
      )}
    </>
  );
}
