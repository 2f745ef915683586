/** Tables of a run's rollout files: one file for each evaluation and each iteration. */
import type { RolloutFile } from "../../../src/spec/studio/index.ts";
import { buildAddress } from "../lib/address.ts";
import { formatPercent } from "../lib/format.ts";
import { describeWhen, sortEvaluations } from "../lib/rollout-files.ts";
import { RecordedText } from "./recorded-text.tsx";

interface FilesProps {
  readonly run: string;
  readonly files: readonly RolloutFile[];
}

export function RunFiles({ run, files }: FilesProps) {
  if (files.length === 0) return <p class="note">No rollout has been written yet.</p>;
  const evaluations = sortEvaluations(files.filter(({ kind }) => kind === "eval"));
  const iterations = files.filter(({ kind }) => kind === "train");
  return (
    <div class="run-files">
      {evaluations.length > 0 && (
        <section>
          <h2>Evaluations</h2>
          <FileTable
            run={run}
            files={evaluations}
            columns={[
              { name: "When", cell: ({ when = "" }) => describeWhen(when) },
              { name: "Split", cell: ({ split }) => <RecordedText text={split ?? "–"} /> },
              { name: "Decoding", cell: ({ mode }) => (mode === "T1" ? "T = 1" : (mode ?? "–")) },
            ]}
            share="TGC"
          />
        </section>
      )}
      {iterations.length > 0 && (
        <section>
          <h2>Training</h2>
          <FileTable
            run={run}
            files={iterations}
            columns={[{ name: "Iteration", cell: ({ iteration }) => iteration ?? "–" }]}
            share="Passed"
          />
        </section>
      )}
    </div>
  );
}

function FileTable({
  run,
  files,
  columns,
  share,
}: FilesProps & {
  readonly columns: readonly {
    readonly name: string;
    cell(file: RolloutFile): preact.ComponentChildren;
  }[];
  readonly share: string;
}) {
  return (
    <div class="scroll card">
      <table>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">File</th>
            <th scope="col" class="number">
              Rollouts
            </th>
            <th scope="col" class="number">
              {share}
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <tr key={file.name}>
              {columns.map(({ name, cell }) => (
                <td key={name}>{cell(file)}</td>
              ))}
              <th scope="row">
                <a href={buildAddress(["runs", run, "files", file.name])}>
                  <RecordedText text={file.name} />
                </a>
              </th>
              <td class="number">{file.rollouts}</td>
              <td class="number">
                {file.rollouts === 0 ? "–" : `${formatPercent(file.passed / file.rollouts)}%`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
