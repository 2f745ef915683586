/** The goal of a task: the intended changes, the expected answer, the checks and a solution. */
import type { TaskView } from "../../../src/spec/studio/index.ts";
import { Changes } from "./changes.tsx";
import { Code } from "./code.tsx";
import { RecordedText } from "./recorded-text.tsx";
import { RecordedValue } from "./recorded-value.tsx";

export function TaskGoal({
  task: { intended, answer, checks, solution },
}: {
  readonly task: TaskView;
}) {
  return (
    <>
      <section aria-labelledby="intended">
        <h2 id="intended">Intended changes</h2>
        {intended === undefined || intended.length === 0 ? (
          <p class="note">None: the task changes no data.</p>
        ) : (
          <Changes changes={intended} />
        )}
        {answer !== undefined && answer !== null && (
          <p>
            Answer: <RecordedValue value={answer} />
          </p>
        )}
      </section>
      <div class="halves">
        {solution !== undefined && <TaskSolution cells={solution} />}
        {checks !== undefined && <TaskChecks checks={checks} />}
      </div>
    </>
  );
}

function TaskChecks({ checks }: { readonly checks: NonNullable<TaskView["checks"]> }) {
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">Checks</h2>
      <p class="note">
        A <b>progress</b> check fails until its part of the task is done. A <b>guard</b> check fails
        if something else was changed.
      </p>
      <ul class="plain">
        {checks.map(({ name, label }) => (
          <li key={name}>
            <RecordedText text={name} /> <span class="soft">{label}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function TaskSolution({ cells }: { readonly cells: readonly string[] }) {
  return (
    <section aria-labelledby="solution">
      <h2 id="solution">A solution</h2>
      <ol class="plain cells">
        {cells.map((code, i) => (
          <li key={i} class="card">
            <Code code={code} />
          </li>
        ))}
      </ol>
    </section>
  );
}
