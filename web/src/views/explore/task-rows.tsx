/** The tasks of the rollouts that match: a row a task, a column a run, and what became of the task over time. */
import type { ExploredTasks, TaskRow } from "../../../../src/spec/studio/index.ts";
import { buildAddress } from "../../lib/address.ts";
import { formatInterval, formatPoints } from "../../lib/format.ts";
import { formatTerm, setField } from "../../lib/query-text.ts";
import { RecordedText } from "../../parts/recorded-text.tsx";
import { RunHeaders } from "../../parts/run-headers.tsx";
import { ScrollFrame } from "../../parts/scroll-frame.tsx";

type RunOfTask = TaskRow["runs"][number];

export function TaskRows({
  answer: { tasks, difference },
  runs,
  query,
}: {
  readonly answer: ExploredTasks;
  readonly runs: readonly string[];
  readonly query: string;
}) {
  if (tasks.length === 0) return <p class="note">No rollout matches the query.</p>;
  return (
    <>
      {difference && <Difference difference={difference} runs={runs} />}
      <ScrollFrame class="explore-table" label="Tasks of the rollouts that match">
        <table>
          <thead>
            <tr>
              <th scope="col">Task</th>
              <RunHeaders runs={runs} />
              <th scope="col" class="number">
                Passed
              </th>
              <th scope="col">Most frequent failed check</th>
              <th scope="col">Instruction</th>
            </tr>
          </thead>
          <tbody>
            {tasks.map((row) => (
              <tr key={row.task.id}>
                <th scope="row">
                  <a href={exploreAddress(runs, query, row.task.id)}>
                    <RecordedText text={row.task.id} />
                  </a>
                  {row.regressed && <span class="badge bad">lost</span>}
                </th>
                {runs.map((run) => (
                  <td key={run}>
                    <Strip found={row.runs.find((one) => one.run === run)} />
                  </td>
                ))}
                <td class="number">
                  {row.passed} of {row.rollouts}
                </td>
                <td class="explore-why">
                  <RecordedText text={row.failedChecks[0]?.[0] ?? ""} />
                </td>
                <td class="explore-instruction">
                  <RecordedText text={row.task.instruction} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
    </>
  );
}

function exploreAddress(runs: readonly string[], query: string, task: string): string {
  return buildAddress(["explore"], {
    run: runs,
    q: setField(query, "task", formatTerm("task", task)),
  });
}

/** A mark for each point in time, as high as the share that passed. */
function Strip({ found }: { readonly found: RunOfTask | undefined }) {
  if (!found) return <span class="soft">–</span>;
  return (
    <ol class="strip">
      {found.points.map((point) => {
        const words = `${describePoint(point)}: ${point.passed} of ${point.rollouts} passed`;
        return (
          <li key={words} title={words} class={point.phase === "train" ? undefined : "evaluation"}>
            <span class="hidden-word">{words}</span>
            <span
              class="strip-passed"
              aria-hidden="true"
              style={{ height: `${(point.passed / point.rollouts) * 100}%` }}
            />
          </li>
        );
      })}
    </ol>
  );
}

function describePoint({ phase, iteration }: RunOfTask["points"][number]): string {
  if (phase === "before" || phase === "after") return `${phase} training`;
  return phase === "train" ? `iteration ${iteration}` : `after iteration ${iteration}`;
}

function Difference({
  difference: { mean, interval, scenarios },
  runs: [first, second],
}: {
  readonly difference: NonNullable<ExploredTasks["difference"]>;
  readonly runs: readonly string[];
}) {
  return (
    <p class="note">
      <RecordedText text={first!} /> minus <RecordedText text={second!} />: {formatPoints(mean)}{" "}
      points
      {interval && ` ${formatInterval(interval)}`} over {scenarios} scenarios of these rollouts.
      This is about these two runs, and not about their methods.
    </p>
  );
}
