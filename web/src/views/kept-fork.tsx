/** Opens a fork that is kept, with its cells, and then shows it as an episode. */
import { buildAddress, type ViewProps } from "../lib/address.ts";
import { useNewEpisode } from "../lib/use-new-episode.ts";
import { ErrorMessage } from "../parts/loaded-content.tsx";

export function KeptForkPage({ names }: ViewProps) {
  const { run = "", fork = "" } = names;
  const problem = useNewEpisode({ from: "fork", run, fork });
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
