/**
 * A comparison of runs: the scores of their arms, tests over runs, curves in common charts, and differences in
 * configuration.
 */
import type { Overlay } from "../../../src/spec/studio/index.ts";
import { buildAddress, replaceQuery, type ViewProps } from "../lib/address.ts";
import { useApi } from "../lib/use-api.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { OverlayArms, OverlayTests } from "../parts/overlay-arms.tsx";
import { OverlayCurves } from "../parts/overlay-curves.tsx";
import { RecordedText } from "../parts/recorded-text.tsx";
import { RunHeaders } from "../parts/run-headers.tsx";
import { ScrollFrame } from "../parts/scroll-frame.tsx";
import "../style/overlay.css";

const MIN_RUNS = 2;

export function OverlayPage({ address: { query, queryValues } }: ViewProps) {
  const runs = [...new Set(queryValues["run"] ?? [])];
  const overlay = useApi<Overlay>(runs.length >= MIN_RUNS ? ["compare"] : null, {
    run: runs,
  });
  return (
    <>
      <Crumbs crumbs={[{ name: "Runs", href: buildAddress([], { run: runs }) }]} />
      <h1>Comparison of {runs.length} runs</h1>
      {runs.length < MIN_RUNS ? (
        <p class="note">Select two or more runs in the table of runs.</p>
      ) : (
        <>
          <ChosenRuns runs={runs} />
          <LoadedContent loaded={overlay}>
            {(overlay) => (
              <>
                <OverlayArms overlay={overlay} />
                <OverlayTests overlay={overlay} />
                <p>
                  <a
                    href={buildAddress(["explore"], { run: runs, q: "phase:after", group: "task" })}
                  >
                    On which tasks do these runs differ?
                  </a>
                </p>
                <OverlayCurves
                  arms={overlay.arms}
                  xAxis={query["against"] === "rollouts" ? "rollouts" : "iteration"}
                  more={queryValues["more"] ?? []}
                />
                <ConfigDifferences overlay={overlay} runs={runs} />
              </>
            )}
          </LoadedContent>
        </>
      )}
    </>
  );
}

function ChosenRuns({ runs }: { readonly runs: readonly string[] }) {
  return (
    <ul class="chosen-runs">
      {runs.map((run) => (
        <li key={run}>
          <a href={buildAddress(["runs", run])}>
            <RecordedText text={run} />
          </a>
          {runs.length > MIN_RUNS && (
            <button
              type="button"
              aria-label={`Remove ${run} from the comparison`}
              onClick={() => replaceQuery({ run: runs.filter((other) => other !== run) })}
            >
              ×
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function ConfigDifferences({
  overlay: { differences },
  runs,
}: {
  readonly overlay: Overlay;
  readonly runs: readonly string[];
}) {
  // Fields that every run has come first. The other fields exist only for some methods.
  const countRunsWithout = ({ values }: (typeof differences)[number]) =>
    runs.filter((run) => (values[run] ?? null) === null).length;
  const ordered = differences.toSorted((a, b) => countRunsWithout(a) - countRunsWithout(b));
  return (
    <>
      <h2>Differences in configuration</h2>
      {differences.length === 0 ? (
        <p class="note">None: these runs have the same configuration.</p>
      ) : (
        <ScrollFrame class="overlay-table" label="Differences in configuration">
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <RunHeaders runs={runs} />
              </tr>
            </thead>
            <tbody>
              {ordered.map(({ path, values }) => (
                <tr key={path}>
                  <th scope="row">
                    <code>
                      <RecordedText text={path} />
                    </code>
                  </th>
                  {runs.map((run) => (
                    <td key={run}>
                      <code>
                        <RecordedText text={values[run] ?? "–"} />
                      </code>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollFrame>
      )}
    </>
  );
}
