/** Opens an episode when a page is shown, and then shows the episode in place of the page. */
import { useEffect, useState } from "preact/hooks";
import type { EpisodeView } from "../../../src/spec/studio/index.ts";
import { replaceAddress } from "./address.ts";
import { type ApiError, requestJson } from "./api.ts";
import { episodeAddress } from "./episode-address.ts";

/**
 * Requests the episode that `body` describes; none if it is undefined. Returns why it cannot be opened, once that is
 * known. A page that is left ends the request.
 */
export function useNewEpisode(body: object | undefined): string | undefined {
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (body === undefined) return;
    const gone = new AbortController();
    requestJson<EpisodeView>(["episodes"], { method: "POST", body, signal: gone.signal }).then(
      (episode) => replaceAddress(episodeAddress(episode)),
      (error: ApiError) => {
        if (!gone.signal.aborted) setProblem(error.message);
      },
    );
    return () => gone.abort();
  }, []);
  return problem;
}
