/** Opens a fork that is kept, with its cells, and then shows it as an episode. */
import { useEffect, useState } from "preact/hooks";
import type { EpisodeView } from "../../../src/spec/studio/index.ts";
import { buildAddress, replaceAddress, type ViewProps } from "../lib/address.ts";
import { type ApiError, requestJson } from "../lib/api.ts";
import { episodeAddress } from "../lib/episode-address.ts";
import { ErrorMessage } from "../parts/loaded-content.tsx";

export function KeptForkPage({ names }: ViewProps) {
  const { run = "", fork = "" } = names;
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const gone = new AbortController();
    const body = { from: "fork", run, fork };
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
      <h1>Fork of {run}</h1>
      {problem === undefined ? (
        <p class="note" role="status">
          Opening the world, replaying the record and running the cells of the fork again …
        </p>
      ) : (
        <>
          <ErrorMessage text={problem} />
          <p>
            <a href={buildAddress(["runs", run], { view: "forks" })}>All forks of {run}</a>
          </p>
        </>
      )}
    </>
  );
}
