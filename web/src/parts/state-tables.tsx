/** Compares the changed rows with the intended changes: which are missing, unintended or correct. */
import type { StateView } from "../../../src/spec/studio/index.ts";
import { compareChanges } from "../lib/compare-changes.ts";
import { ChangePartsTable } from "./change-tables.tsx";
import { Changes } from "./changes.tsx";
import { RecordedValue } from "./recorded-value.tsx";

export function StateTables({
  state: { changes, intended, answer },
}: {
  readonly state: StateView;
}) {
  if (intended === undefined) {
    return (
      <>
        <h2>Changed rows</h2>
        {changes.length === 0 ? <p class="note">None.</p> : <Changes changes={changes} />}
      </>
    );
  }
  const { both, missing, extra } = compareChanges(intended, changes);
  const quiet = changes.filter(({ content }) => !content);
  return (
    <>
      <ChangePartsTable title="Intended changes that are missing" kind="missing" parts={missing} />
      <ChangePartsTable title="Changes that were not intended" kind="extra" parts={extra} />
      <ChangePartsTable title="Intended changes that were made" kind="both" parts={both} />
      {answer && (
        <>
          <h2>Answer</h2>
          <dl class="facts">
            <div>
              <dt>expected</dt>
              <dd>
                <RecordedValue value={answer.wanted} />
              </dd>
            </div>
            <div>
              <dt>given</dt>
              <dd>
                <RecordedValue value={answer.given} />
              </dd>
            </div>
          </dl>
        </>
      )}
      {quiet.length > 0 && (
        <details class="actions">
          <summary>Changes of bookkeeping ({quiet.length}), which do not count</summary>
          <Changes changes={quiet} />
        </details>
      )}
    </>
  );
}
