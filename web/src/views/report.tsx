/**
 * The first page of a report: the result, its tables, the curves, habits, a sample of rollouts and the configuration.
 */
import type {
  BehaviourView,
  Report,
  ReportRollout,
  RunDetail,
} from "../../../src/spec/studio/index.ts";
import type { ViewProps } from "../lib/address.ts";
import { getReport } from "../lib/report.ts";
import { rolloutAddress } from "../lib/rollout-place.ts";
import { useApi } from "../lib/use-api.ts";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { RecordedText } from "../parts/recorded-text.tsx";
import { RunConfiguration } from "../parts/run-configuration.tsx";
import { RunCurves } from "../parts/run-curves.tsx";
import { RunHead } from "../parts/run-head.tsx";
import { Habits } from "./behaviour.tsx";
import { ResultSection } from "./documents.tsx";
import "../style/behaviour.css";
import "../style/documents.css";
import "../style/report.css";
import "../style/run.css";

export function ReportPage({ address }: ViewProps) {
  const report = getReport()!;
  return (
    <div class="report">
      <h1>
        <RecordedText text={report.headline} />
      </h1>
      {report.isRun && <RunParts report={report} />}
      <div class="report-sections documents">
        {report.sections.map((section) => (
          <ResultSection key={section.title} section={section} />
        ))}
      </div>
      <ReportRollouts report={report} />
      {report.isRun && <ReportConfiguration run={report.run} find={address.query["q"] ?? ""} />}
    </div>
  );
}

function RunParts({ report: { run, facts } }: { readonly report: Report }) {
  const detail = useApi<RunDetail>(["runs", run]);
  const behaviour = useApi<BehaviourView>(["runs", run, "behaviour"]);
  return (
    <>
      <LoadedContent loaded={detail}>
        {(detail) => <RunHead detail={detail} live="refused" />}
      </LoadedContent>
      <dl class="run-what">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <RecordedText text={value} />
            </dd>
          </div>
        ))}
      </dl>
      <h2>Learning curves</h2>
      <RunCurves run={run} version={0} more={[]} />
      <LoadedContent loaded={behaviour}>
        {(view) =>
          view.split !== "" && (
            <section class="behaviour">
              <h2>Behaviour</h2>
              <Habits run={run} view={view} />
            </section>
          )
        }
      </LoadedContent>
    </>
  );
}

function ReportRollouts({ report: { run, rollouts } }: { readonly report: Report }) {
  if (rollouts.length === 0) return null;
  return (
    <section>
      <h2>A sample of {rollouts.length} rollouts</h2>
      <div class="scroll card">
        <table class="report-rollouts">
          <thead>
            <tr>
              <th scope="col">Result</th>
              <th scope="col">When</th>
              <th scope="col">Instruction</th>
              <th scope="col">Task</th>
            </tr>
          </thead>
          <tbody>
            {rollouts.map((one) => (
              <RolloutRow key={`${one.file} ${one.rollout}`} run={run} row={one} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function RolloutRow({ run, row }: { readonly run: string; readonly row: ReportRollout }) {
  const { file, rollout, passed, label, instruction, task } = row;
  return (
    <tr>
      <td class={passed ? "up" : "down"}>{passed ? "✓ passed" : "✗ did not pass"}</td>
      <td>
        <RecordedText text={label} />
      </td>
      <th scope="row">
        <a href={rolloutAddress({ run, file, rollout })}>
          <RecordedText text={instruction} />
        </a>
      </th>
      <td>
        <RecordedText text={task} />
      </td>
    </tr>
  );
}

function ReportConfiguration({ run, find }: { readonly run: string; readonly find: string }) {
  const detail = useApi<RunDetail>(["runs", run]);
  return (
    <details class="report-configuration" open={find !== ""}>
      <summary>Configuration, versions and checkpoints</summary>
      <LoadedContent loaded={detail}>
        {(detail) => <RunConfiguration detail={detail} find={find} />}
      </LoadedContent>
    </details>
  );
}
