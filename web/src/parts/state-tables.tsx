/** The rows of a state against those that its task wants: what is missing, what is too much, what is as it was to be. */
import type { StateView } from "../../../src/spec/studio/index.ts";
import { compareChanges } from "../lib/compare-changes.ts";
import { ChangePartsTable } from "./change-tables.tsx";
import { Changes } from "./changes.tsx";
import { Value } from "./value.tsx";

export function StateTables({
  state: { changes, intended, answer },
}: {
  readonly state: StateView;
}) {
  if (intended === undefined) {
    return (
      <>
        <h2>What was changed</h2>
        {changes.length === 0 ? <p class="note">Nothing.</p> : <Changes changes={changes} />}
      </>
    );
  }
  const { both, missing, extra } = compareChanges(intended, changes);
  const quiet = changes.filter(({ content }) => !content);
  return (
    <>
      <ChangePartsTable title="Wanted and missing" kind="missing" parts={missing} />
      <ChangePartsTable title="Done and not wanted" kind="extra" parts={extra} />
      <ChangePartsTable title="Wanted and done" kind="both" parts={both} />
      {answer && (
        <>
          <h2>Answer</h2>
          <dl class="facts">
            <div>
              <dt>wanted</dt>
              <dd>
                <Value value={answer.wanted} />
              </dd>
            </div>
            <div>
              <dt>given</dt>
              <dd>
                <Value value={answer.given} />
              </dd>
            </div>
          </dl>
        </>
      )}
      {quiet.length > 0 && (
        <details class="actions">
          <summary>Bookkeeping that came with it ({quiet.length}): it does not count</summary>
          <Changes changes={quiet} />
        </details>
      )}
    </>
  );
}
