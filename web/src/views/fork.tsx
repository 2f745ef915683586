/** Opens an episode in the state before a turn of a recorded rollout, and then shows that episode. */
import { useEffect, useState } from "preact/hooks";
import type { EpisodeView } from "../../../src/spec/studio/index.ts";
import { buildAddress, replaceAddress, type ViewProps } from "../lib/address.ts";
import { type ApiError, requestJson } from "../lib/api.ts";
import { episodeAddress } from "../lib/episode-address.ts";
import { ErrorMessage } from "../parts/loaded-content.tsx";

export function ForkPage({ names }: ViewProps) {
  const { run = "", file = "", rollout = "", turn = "" } = names;
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!/^\d{1,6}$/.test(turn)) {
      setProblem(`there is no turn "${turn}": turns are counted from 0`);
      return;
    }
    const gone = new AbortController();
    const body = { from: "rollout", run, file, rollout, turn: Number(turn) };
    requestJson<EpisodeView>(["episodes"], { method: "POST", body, signal: gone.signal }).then(
      (episode) => replaceAddress(episodeAddress(episode)),
      (error: ApiError) => {
        if (!gone.signal.aborted) setProblem(error.message);
      },
    );
    return () => gone.abort();
  }, []);
  return (
    <>
      <h1>Fork of rollout {rollout}</h1>
      {problem === undefined ? (
        <p class="note" role="status">
          Opening the world and replaying the record up to turn {Number(turn) + 1} …
        </p>
      ) : (
        <>
          <ErrorMessage text={problem} />
          <p>
            <a href={buildAddress(["runs", run, "files", file, "rollouts", rollout], { turn })}>
              Back to rollout {rollout}
            </a>
          </p>
        </>
      )}
    </>
  );
}
