/** Opens an episode in the state before a turn of a recorded rollout, and then shows that episode. */
import { buildAddress, type ViewProps } from "../lib/address.ts";
import { useNewEpisode } from "../lib/use-new-episode.ts";
import { ErrorMessage } from "../parts/loaded-content.tsx";

export function ForkPage({ names }: ViewProps) {
  const { run = "", file = "", rollout = "", turn = "" } = names;
  const isTurn = /^\d{1,6}$/.test(turn);
  const refused = useNewEpisode(
    isTurn ? { from: "rollout", run, file, rollout, turn: Number(turn) } : undefined,
  );
  const problem = isTurn ? refused : `there is no turn "${turn}": turns are counted from 0`;
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
