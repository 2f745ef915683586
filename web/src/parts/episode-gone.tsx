/** In the place of an episode that the studio does not have any more: why that is, and the way to have it again. */
import { useState } from "preact/hooks";
import { replaceAddress } from "../lib/address.ts";
import type { ApiError } from "../lib/api.ts";
import { episodeAddress } from "../lib/episode-address.ts";
import { recallEpisode, reopenEpisode } from "../lib/episode-memory.ts";
import { pluralize } from "../lib/format.ts";
import { Problem } from "./loaded-content.tsx";

export function EpisodeGone({ id, why }: { readonly id: string; readonly why: string }) {
  const memory = recallEpisode(id);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const again = async () => {
    if (!memory) return;
    setBusy(true);
    try {
      replaceAddress(episodeAddress(await reopenEpisode(memory)));
    } catch (error) {
      setProblem((error as ApiError).message);
      setBusy(false);
    }
  };
  return (
    <>
      <h1>This episode is gone</h1>
      <Problem text={why} />
      <p class="note">
        Episodes live in the studio's process: one that was started anew, or that needed the room,
        does not have them any more.
      </p>
      {memory ? (
        <p>
          <button type="button" class="main" disabled={busy} onClick={again}>
            {busy ? "Opening …" : "Open it again"}
          </button>{" "}
          {memory.hand.length > 0 &&
            `and run ${pluralize(memory.hand.length, "cell")} by hand again`}
        </p>
      ) : (
        <p class="note">
          Open another from a task of a <a href="#/worlds">world</a>, or from a turn of a rollout of
          a <a href="#/">run</a>.
        </p>
      )}
      {problem !== undefined && <Problem text={problem} />}
    </>
  );
}
