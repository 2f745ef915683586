/** Shown in place of an episode that the studio no longer has. It says why, and offers to open the episode again. */
import { useState } from "preact/hooks";
import { replaceAddress } from "../lib/address.ts";
import type { ApiError } from "../lib/api.ts";
import { episodeAddress } from "../lib/episode-address.ts";
import { recallEpisode, reopenEpisode } from "../lib/episode-memory.ts";
import { pluralize } from "../lib/format.ts";
import { ErrorMessage } from "./loaded-content.tsx";

export function EpisodeGone({ id, why }: { readonly id: string; readonly why: string }) {
  const memory = recallEpisode(id);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const reopen = async () => {
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
      <h1>This episode no longer exists</h1>
      <ErrorMessage text={why} />
      <p class="note">
        Episodes are kept in the studio's memory. They are lost when the studio is restarted or when
        too many episodes are open.
      </p>
      {memory ? (
        <p>
          <button type="button" class="main" disabled={busy} onClick={reopen}>
            {busy ? "Opening …" : "Open it again"}
          </button>{" "}
          {memory.hand.length > 0 && `and run its ${pluralize(memory.hand.length, "cell")} again`}
        </p>
      ) : (
        <p class="note">
          Open another episode from a task of a <a href="#/worlds">world</a>, or from a turn of a
          rollout of a <a href="#/">run</a>.
        </p>
      )}
      {problem !== undefined && <ErrorMessage text={problem} />}
    </>
  );
}
