/** The forks of a run or of one of its rollouts, which are opened again by a click. */
import { useState } from "preact/hooks";
import type { ForkList } from "../../../src/spec/studio/index.ts";
import { buildAddress } from "../lib/address.ts";
import { type ApiError, requestJson } from "../lib/api.ts";
import { formatAge, pluralize } from "../lib/format.ts";
import { useApi } from "../lib/use-api.ts";
import { ErrorMessage, LoadedContent } from "./loaded-content.tsx";
import { RecordedText } from "./recorded-text.tsx";
import { ScrollFrame } from "./scroll-frame.tsx";

type ForkRow = ForkList["forks"][number];

const forkAddress = (run: string, { id }: ForkRow) => buildAddress(["runs", run, "forks", id]);

/** The table of all forks of a run. */
export function RunForks({ run }: { readonly run: string }) {
  const loaded = useApi<ForkList>(["runs", run, "forks"]);
  const [problem, setProblem] = useState<string>();
  const remove = async (id: string) => {
    try {
      await requestJson(["runs", run, "forks", id], { method: "DELETE" });
      setProblem(undefined);
    } catch (error) {
      setProblem((error as ApiError).message);
    }
    loaded.reload();
  };
  return (
    <LoadedContent loaded={loaded}>
      {({ forks, problems }) => (
        <>
          <h2>Forks</h2>
          {problem !== undefined && <ErrorMessage text={problem} />}
          {problems.map((text) => (
            <ErrorMessage key={text} text={`A fork is not listed: ${text}`} />
          ))}
          {forks.length === 0 ? (
            <p class="note">
              There is no fork yet. Open a rollout and choose <i>Continue from here</i> at a turn: a
              fork is kept once you run a cell in it or let a policy continue.
            </p>
          ) : (
            <ForkTable {...{ run, forks, remove }} />
          )}
        </>
      )}
    </LoadedContent>
  );
}

function ForkTable({
  run,
  forks,
  remove,
}: {
  readonly run: string;
  readonly forks: readonly ForkRow[];
  remove(id: string): Promise<void>;
}) {
  return (
    <ScrollFrame label="Table of forks">
      <table>
        <thead>
          <tr>
            {["Fork", "Task", "Changed", "Cells by hand", "Continuations", ""].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {forks.map((fork) => (
            <tr key={fork.id}>
              <th scope="row">
                <a href={forkAddress(run, fork)}>
                  <RecordedText text={describeOrigin(fork)} />
                </a>
              </th>
              <td>
                <RecordedText text={fork.task} />
              </td>
              <td>{formatAge(fork.changedMs, Date.now())}</td>
              <td>{fork.cells}</td>
              <td>{describeContinuations(fork)}</td>
              <td>
                <button
                  type="button"
                  aria-label={`Remove the fork of ${describeOrigin(fork)}`}
                  onClick={() => confirm("Remove this fork and its file?") && void remove(fork.id)}
                >
                  Remove
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

/** Links to the forks of one rollout. Shows nothing if it has none. */
export function RolloutForks({
  run,
  file,
  rollout,
}: {
  readonly run: string;
  readonly file: string;
  readonly rollout: string;
}) {
  const all = useApi<ForkList>(["runs", run, "forks"]).value?.forks ?? [];
  const forks = all.filter((fork) => fork.file === file && fork.rollout === rollout);
  if (forks.length === 0) return null;
  return (
    <section class="rollout-forks" aria-label="Forks of this rollout">
      {pluralize(forks.length, "fork")}:{" "}
      {forks.map((fork, i) => (
        <span key={fork.id}>
          {i > 0 && ", "}
          <a href={forkAddress(run, fork)}>before turn {fork.turn + 1}</a>{" "}
          <span class="soft">
            ({pluralize(fork.cells, "cell")} by hand, {describeContinuations(fork)})
          </span>
        </span>
      ))}
    </section>
  );
}

const describeOrigin = ({ file, rollout, turn }: ForkRow) =>
  `${file}, rollout ${rollout}, before turn ${turn + 1}`;

function describeContinuations({ continuations, solved }: ForkRow): string {
  if (continuations === 0) return "no continuation";
  return `${pluralize(continuations, "continuation")}, ${solved} solved`;
}
