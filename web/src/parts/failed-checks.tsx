/** The checks that a rollout did not pass, with their reasons, beside its turns. */
import type { RolloutView } from "../../../src/spec/studio/index.ts";
import { HiddenChecks } from "./hidden-checks.tsx";
import { RecordedText } from "./recorded-text.tsx";
import "../style/checks.css";

export function FailedChecks({ view: { rollout, row, hidden } }: { readonly view: RolloutView }) {
  if (row.passed || rollout.evaluation === undefined) return null;
  if (hidden) return <HiddenChecks />;
  const failed = rollout.evaluation.checks.filter(({ passed }) => !passed);
  if (failed.length === 0) return null;
  return (
    <ul class="failed-checks" aria-label="Failed checks">
      {failed.map(({ name, detail }) => (
        <li key={name}>
          <span class="down">✗ </span>
          <RecordedText text={name} />
          {detail !== undefined && (
            <span class="soft">
              {": "}
              <RecordedText text={detail} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
