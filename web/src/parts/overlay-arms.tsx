/**
 * Scores of arms after training, and tests between arms. The observations are runs, because the tasks of a run are not
 * independent.
 */
import type { Overlay } from "../../../src/spec/studio/index.ts";
import { describeTest } from "../lib/describe-test.ts";
import { formatInterval, formatPercent, pluralize } from "../lib/format.ts";
import { type Arm, armColour } from "../lib/overlay.ts";
import { orderSplits } from "../lib/run-table.ts";
import { RecordedText } from "./recorded-text.tsx";
import { ScrollFrame } from "./scroll-frame.tsx";

export function OverlayArms({ overlay: { arms } }: { readonly overlay: Overlay }) {
  const splits = orderSplits(arms.flatMap(({ after }) => Object.keys(after)));
  return (
    <>
      <h2>Scores after training</h2>
      <p class="note">
        The mean TGC over the runs of each arm, with the 95% interval over runs if it has two or
        more that differ. Runs with equal scores do not show how much the next run may differ, so
        they have no interval. The score of each run is below.
      </p>
      <ScrollFrame class="overlay-table" label="Scores after training">
        <table>
          <thead>
            <tr>
              <th scope="col">Arm</th>
              <th scope="col">Runs</th>
              {splits.map((split) => (
                <th key={split} scope="col">
                  TGC {split.replace("@T1", ", T = 1")}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {arms.map((arm, index) => (
              <tr key={arm.name}>
                <th scope="row">
                  <span class="chart-mark" style={{ borderColor: `var(${armColour(index)})` }} />
                  <RecordedText text={arm.name} />
                </th>
                <td>
                  {pluralize(arm.runs.length, "run")}
                  {arm.seeds.length > 0 && <div class="soft">seeds {arm.seeds.join(", ")}</div>}
                </td>
                {splits.map((split) => (
                  <td key={split}>
                    <ArmScores scores={arm.after[split]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
    </>
  );
}

function ArmScores({ scores }: { readonly scores: Arm["after"][string] | undefined }) {
  if (!scores) return <span class="soft">–</span>;
  return (
    <span class="arm-score">
      <b>{formatPercent(scores.mean)}</b>{" "}
      {scores.interval && <span>{formatInterval(scores.interval)}</span>}
      {scores.runs.length > 1 && (
        <div class="soft">{scores.runs.map(formatPercent).join(", ")}</div>
      )}
    </span>
  );
}

export function OverlayTests({ overlay: { tests, arms } }: { readonly overlay: Overlay }) {
  const splits = orderSplits(tests.map(({ split }) => split));
  const ordered = tests.toSorted((a, b) => splits.indexOf(a.split) - splits.indexOf(b.split));
  return (
    <>
      <h2>Is one arm better?</h2>
      {tests.length === 0 ? (
        <p class="note">
          There is nothing to test:{" "}
          {arms.length < 2
            ? "the runs are of one arm, which is one setting and one method."
            : "no two arms were scored on the same split."}
        </p>
      ) : (
        <ul class="overlay-tests">
          {ordered.map((test) => (
            <li key={`${test.a} ${test.b} ${test.split}`}>
              <RecordedText text={describeTest(test)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
